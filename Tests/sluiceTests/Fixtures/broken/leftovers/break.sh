#!/bin/sh
# Three processes died: a writer, a sink, and one that was creating the container.
set -e
mkdir -p tmp/999999-1 work/keep/1/in
echo half >tmp/999999-1/1
echo part >work/keep/1/in/0
echo '{' >run/format.new

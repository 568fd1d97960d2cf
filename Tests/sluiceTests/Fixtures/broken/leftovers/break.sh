#!/bin/sh
# A writer, a sink and a maker of the container died at their work.
set -e
mkdir -p tmp/999999-1 work/keep/1/in
echo half >tmp/999999-1/1
echo part >work/keep/1/in/0
echo '{' >run/format.new

#!/bin/sh
# The object of the next package's content already exists, half written and without a row.
set -e
name=$(printf 'the lake\n' | sha256sum | cut -c 1-64)
folder=objects/$(echo $name | cut -c 1-2)
mkdir -p $folder
printf 'the l' >$folder/$name
chmod 400 $folder/$name

#!/bin/sh
# The next package's content lies there already, torn, and no row vouches for it.
set -e
name=$(printf 'the lake\n' | sha256sum | cut -c 1-64)
folder=objects/$(echo $name | cut -c 1-2)
mkdir -p $folder
printf 'the l' >$folder/$name
chmod 400 $folder/$name

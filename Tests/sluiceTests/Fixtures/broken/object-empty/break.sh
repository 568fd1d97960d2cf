#!/bin/sh
# One object is empty, as after a crash of a disk that reported a false sync.
set -e
object=objects/e9/e9d9ebcca954981c915c0e7794b45e9211ef8937c1cf0cd4a9829d9b53a63622
chmod 600 $object
: >$object
chmod 400 $object

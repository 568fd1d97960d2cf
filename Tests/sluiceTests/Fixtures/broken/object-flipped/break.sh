#!/bin/sh
# An object has other bytes and the right size, so only its hash shows the damage.
set -e
object=objects/e9/e9d9ebcca954981c915c0e7794b45e9211ef8937c1cf0cd4a9829d9b53a63622
chmod 600 $object
printf 'THE RIVER\n' >$object
chmod 400 $object

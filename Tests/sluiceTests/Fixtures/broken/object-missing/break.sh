#!/bin/sh
# One object is gone.
set -e
rm objects/e9/e9d9ebcca954981c915c0e7794b45e9211ef8937c1cf0cd4a9829d9b53a63622

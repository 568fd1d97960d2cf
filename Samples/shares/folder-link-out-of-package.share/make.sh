#!/bin/sh
# A folder on the way down that is a symbolic link out of the package. Not run: the file is missing.
set -eu
ln -s /etc album

#!/bin/sh
# A symbolic link to a file of the package itself. Not run: the file is missing.
set -eu
ln -s photo.jpg alias.jpg

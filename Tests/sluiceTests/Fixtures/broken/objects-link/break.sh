#!/bin/sh
# The folder of the objects is a link to a folder outside the container.
set -e
mv objects ../elsewhere
ln -s ../elsewhere objects

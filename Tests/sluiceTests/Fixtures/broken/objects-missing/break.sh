#!/bin/sh
# The folder of the objects is gone.
set -e
rm -r objects

#!/bin/sh
# The folder of the content is gone.
set -e
rm -r objects

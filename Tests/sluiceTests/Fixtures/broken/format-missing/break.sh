#!/bin/sh
# The format file is gone, as if the creation of the container had been interrupted.
set -e
rm format

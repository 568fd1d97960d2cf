#!/bin/sh
# The format file is gone, as if the container had never been finished.
set -e
rm format

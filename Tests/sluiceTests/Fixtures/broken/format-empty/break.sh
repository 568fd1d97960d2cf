#!/bin/sh
# The format file has lost its bytes.
set -e
: >format

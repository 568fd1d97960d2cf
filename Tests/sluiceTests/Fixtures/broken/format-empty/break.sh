#!/bin/sh
# The format file is empty.
set -e
: >format

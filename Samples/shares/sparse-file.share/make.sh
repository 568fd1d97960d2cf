#!/bin/sh
# 16 MiB of nothing that take no room on disk. Not run: the file is missing.
set -eu
truncate -s 16777216 disk.img

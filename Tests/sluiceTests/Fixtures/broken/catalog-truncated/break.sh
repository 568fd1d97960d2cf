#!/bin/sh
# A copy of the catalog stopped halfway.
set -e
rm -f catalog.sqlite-*
head -c 20000 catalog.sqlite >half
mv half catalog.sqlite

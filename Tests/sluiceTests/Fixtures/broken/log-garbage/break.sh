#!/bin/sh
# The log of the catalog is overwritten; the catalog itself is complete.
set -e
rm -f catalog.sqlite-*
yes 'this is no log' | head -c 65536 >catalog.sqlite-wal

#!/bin/sh
# Another program has overwritten the catalog.
set -e
rm -f catalog.sqlite-*
yes 'this is no database' | head -c 65536 >catalog.sqlite

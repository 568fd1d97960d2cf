#!/bin/sh
# The catalog and its log are gone.
set -e
rm catalog.sqlite*

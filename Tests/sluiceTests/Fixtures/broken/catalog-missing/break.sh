#!/bin/sh
# The catalog is gone, and its log with it.
set -e
rm catalog.sqlite*

#!/bin/sh
# A folder without a file, which git does not keep. Not run: the folder is missing.
set -eu
mkdir Empty.rtfd

#!/bin/sh
# A folder with a symbolic link in it. Not run: the folder has no link and is packed as it is.
set -eu
ln -s /etc/passwd Letter.pages/passwd

#!/bin/sh
# A name in Latin-1, which git would keep but many tools would not. Not run: the file is missing.
set -eu
name=$(printf 'Fl\374sse.txt')
printf 'A file whose name is Latin-1.\n' > "$name"

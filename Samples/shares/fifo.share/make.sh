#!/bin/sh
# A FIFO that nobody ever writes to: whoever opens it without care waits for ever. Not run: the file is missing.
set -eu
mkfifo photo.jpg

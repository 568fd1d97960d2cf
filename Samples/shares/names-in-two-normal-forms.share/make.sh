#!/bin/sh
# The same word composed (NFC) and decomposed (NFD), side by side. Not run: both files are missing.
set -eu
mv photo.jpg "$(printf 'caf\303\251.jpg')"
mv other.jpg "$(printf 'cafe\314\201.jpg')"

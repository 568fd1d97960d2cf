#!/usr/bin/env python3
"""Compares the titles that text-note finds in web pages with those that a browser shows.

    Scripts/agreements/titles.py SINK [FOLDER]

SINK is the program text-note. FOLDER is a folder with pages; by default, it is $SLUICE_CORPUS. The browser is Chromium,
without a network and without scripts. Its title of a page is document.title, or else the text of the first h1, as
text-note has it. Pages that give way to another one are left out. Prints counts, then a Markdown table of the
disagreements.
"""
import os
import pathlib
import re
import sys

from browser import Browser
from deliveries import Deliveries
from pagewords import print_rows

TYPES = {
    ".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".mhtml": "multipart/related",
    ".mht": "multipart/related"}
REFRESH = re.compile(rb"http-equiv\s*=\s*[\"']?refresh", re.I)
TITLE = "document.title || (document.querySelector('h1')?.textContent ?? '')"


def main():
    sink = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else os.environ["SLUICE_CORPUS"]
    deliveries, browser = Deliveries(sink), Browser()
    total = equal = neither = left = 0
    disagreements = []
    for file in sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix.lower() in TYPES and p.is_file()):
        total += 1
        if REFRESH.search(file.read_bytes()[:4096]):
            left += 1
            continue
        metadata, _ = deliveries.deliver(file, TYPES[file.suffix.lower()])
        for key in ("crash", "fail"):
            if key in metadata:
                disagreements.append((file, key, "", metadata[key]))
        theirs = browser.value(TITLE) if browser.open(file) else None
        if theirs is None:
            disagreements.append((file, "title", "(not shown)", metadata.get("title")))
            continue
        theirs = " ".join(theirs.split())
        ours = " ".join(metadata.get("title", "").split())
        equal += bool(ours) and ours == theirs
        neither += not ours and not theirs
        if ours != theirs:
            disagreements.append((file, "title", theirs, ours))
    deliveries.end()
    browser.end()
    print(f"{total} pages: {equal} with the same title, {neither} without a title in both, {left} left out\n")
    print("| file | finding | Chromium | text-note |\n| --- | --- | --- | --- |")
    print_rows(disagreements)


if __name__ == "__main__":
    main()

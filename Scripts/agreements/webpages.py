#!/usr/bin/env python3
"""Compares the titles and words that text-note finds in pages of HTML with those of Python's html.parser.

    Scripts/agreements/webpages.py SINK [FOLDER]

SINK is the program text-note. FOLDER is a folder with pages; by default, it is $SLUICE_CORPUS. Prints counts, then a
Markdown table of the disagreements.
"""
import os
import pathlib
import re
import sys

from deliveries import Deliveries
from pagewords import Page, print_rows, share, words

NAMES = {"utf-16": "utf-8", "gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "us-ascii": "utf-8"}


def decoded(content):
    """The text in the encoding of its mark or its statement, or else in UTF-8 or Windows-1252."""
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be"),
                       (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if content.startswith(mark):
            return content[len(mark):].decode(name, "replace")
    for name in ("utf-16-le", "utf-16-be"):
        if content[:2] in (b"<\0", b"\0<") and content[:2] == "<".encode(name):
            return content.decode(name, "replace")
    stated = re.search(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", content[:4096], re.I)
    names = [stated.group(1).decode().lower()] if stated else []
    for name in [NAMES.get(n, n) for n in names] + ["utf-8"]:
        try:
            return content.decode(name, "replace" if names else "strict")
        except (LookupError, UnicodeDecodeError):
            continue
    return content.decode("cp1252", "replace")


def main():
    sink = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else os.environ["SLUICE_CORPUS"]
    deliveries = Deliveries(sink)
    total = titles = equal = nearly = 0
    disagreements = []
    for file in sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix.lower() in (".html", ".htm", ".xhtml")):
        total += 1
        metadata, products = deliveries.deliver(file, "text/html")
        page = Page(decoded(file.read_bytes()))
        ours = words(products["text"].read_text() if "text" in products else "")
        theirs = words(page.text)
        title = " ".join(metadata.get("title", "").split())
        if title == page.title[:1000].strip():
            titles += 1
        else:
            disagreements.append((file, "title", page.title, title))
        count, lost, more, a, b = share(theirs, ours)
        equal += not lost and not more
        nearly += lost + more <= count / 100
        if lost + more:
            disagreements.append((file, "words", f"{lost} of {count} not found: {a}", f"{more} more: {b}"))
        for key in ("crash", "fail", "problem"):
            if key in metadata:
                disagreements.append((file, key, "", metadata[key]))
    deliveries.end()
    print(f"{total} pages: {titles} with the same title, {equal} with the same words, {nearly} with 99 % of them\n")
    print("| file | finding | Python's html.parser | text-note |\n| --- | --- | --- | --- |")
    print_rows(disagreements)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares the findings of pdf-import with those of qpdf, pdfinfo and MuPDF, on all PDFs below a folder.

    Scripts/agreements/pdf.py SINK [FOLDER]

SINK is the program pdf-import; FOLDER is by default $SLUICE_CORPUS, else ../shared/corpus. Compares the number of pages
and the encryption with qpdf and pdfinfo, the title with pdfinfo, and the set of words of each page with mutool. Prints
a Markdown table of counts, then each disagreement with its cause. Needs qpdf, pdfinfo (poppler-utils) and mutool
(mupdf-tools).
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import unicodedata

from deliveries import Deliveries


def run(*words):
    """Standard output, the messages and the status; a program that hangs has the status 124."""
    try:
        done = subprocess.run(words, capture_output=True, timeout=60, check=False)
        return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.returncode
    except subprocess.TimeoutExpired:
        return "", "it does not end", 124


def qpdf(file):
    pages, errors, _ = run("qpdf", "--show-npages", str(file))
    needs_password = run("qpdf", "--requires-password", str(file))[2]
    is_encrypted = run("qpdf", "--is-encrypted", str(file))[2]
    if "not a PDF file" in errors or not pages.strip().isdigit() and "password" not in errors:
        return {}
    # 0 is yes and 2 is no; 3 is encrypted, but open to all.
    return {
        "pages": int(pages) if pages.strip().isdigit() else None, "encrypted": is_encrypted == 0,
        "locked": needs_password == 0}


def pdfinfo(file):
    output, errors, status = run("pdfinfo", "-enc", "UTF-8", str(file))
    if "Incorrect password" in errors:
        return {"encrypted": True, "locked": True}
    values = dict(re.findall(r"^([A-Za-z ]+):[ \t]*(.*)$", output, re.MULTILINE))
    if status != 0 or "Pages" not in values:
        return {}
    return {
        "pages": int(values["Pages"]), "encrypted": values.get("Encrypted", "no").startswith("yes"), "locked": False,
        "restricted": ":no" in values.get("Encrypted", ""), "title": " ".join(values.get("Title", "").split()) or None}


def mutool(file):
    """The texts of the pages; None if MuPDF cannot open the file."""
    output, errors, status = run("mutool", "draw", "-q", "-F", "txt", "-o", "-", str(file))
    if status != 0 and not output:
        return None
    pages = output.split("\f")
    return pages[:-1] if len(pages) > 1 else pages


def words(text):
    text = unicodedata.normalize("NFKC", text).lower().replace("\u00ad", "")
    return set(re.findall(r"\w+", text))


def letters(text):
    text = unicodedata.normalize("NFKC", text).lower().replace("\u00ad", "")
    return collections.Counter(re.findall(r"\w", text))


def cause_of_value(key, ours, tool, theirs, all_theirs, metadata):
    info = all_theirs["pdfinfo"]
    if "fail" in metadata or "crash" in metadata:
        return "**the sink failed**"
    if key == "encrypted" and tool == "qpdf" and not info.get("encrypted"):
        return "only attachments or single streams are encrypted: poppler reports no restriction"
    if key == "encrypted" and info.get("encrypted") and not info.get("restricted"):
        return "encrypted, but without a password and with all permissions: pdf-import's `encrypted` means a restriction"
    if metadata.get("damaged") and ours is None:
        return "poppler cannot open it, and the other can repair it"
    if metadata.get("damaged") and tool == "qpdf":
        return "damaged: poppler repairs it differently"
    if metadata.get("encrypted") and ours is None:
        return "it needs a password, and qpdf counts the pages without one"
    if key == "pages" and theirs is None:
        return "poppler opens it, and the other refuses it"
    if key == "pages" and tool == "qpdf" and info.get("pages") == ours:
        return "a broken tree of pages: poppler takes its /Count, qpdf counts the pages that it finds"
    return "**not explained**"


def cause_of_page(ours, theirs, metadata, text, other):
    if "fail" in metadata or "crash" in metadata:
        return "**the sink failed**"
    if metadata.get("damaged"):
        return "poppler cannot open it"
    if letters(text) == letters(other):
        return "the same letters, with spaces in other places"
    if ours and not theirs:
        return "only poppler finds words"
    if theirs and not ours:
        return "only MuPDF finds words"
    if any(ord(c) in range(0xE000, 0xF900) or c == "\ufffd" for c in text + other):
        return "glyphs without a known character"
    missing = letters(other) - letters(text)
    more = letters(text) - letters(other)
    if not missing:
        return "poppler finds more, such as text outside of the page"
    if not more:
        return "MuPDF finds more"
    return "different letters"


def main():
    sink = sys.argv[1]
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("SLUICE_CORPUS", "../shared/corpus"))
    deliveries = Deliveries(sink)
    counts = collections.defaultdict(lambda: [0, 0])
    groups, page_groups = collections.defaultdict(list), collections.defaultdict(list)
    files = sorted(p for p in folder.rglob("*") if p.suffix.lower() == ".pdf" and p.is_file())
    for file in files:
        name = file.relative_to(folder)
        metadata, products = deliveries.deliver(file, "application/pdf")
        theirs = {"qpdf": qpdf(file), "pdfinfo": pdfinfo(file)}
        for tool, values in theirs.items():
            for key in ("pages", "encrypted", "title"):
                if tool == "qpdf" and key == "title" or not values and key != "pages":
                    continue
                # The metadata of a sink has no key for an empty title.
                mine, other = metadata.get(key), values.get(key)
                mine = " ".join(mine.split()) if key == "title" and mine else mine
                if mine is None and other is None:
                    continue
                counts[key, tool][0 if mine == other else 1] += 1
                if mine != other:
                    why = cause_of_value(key, mine, tool, other, theirs, metadata)
                    groups[why].append((name, key, mine, tool, other))
        texts = mutool(file)
        mine = products["text"].read_text().split("\f") if "text" in products else []
        if texts is None and not mine:
            continue
        for index in range(max(len(mine), len(texts or []))):
            text = mine[index] if index < len(mine) else ""
            other = (texts or [])[index] if index < len(texts or []) else ""
            ours, others = words(text), words(other)
            if not ours and not others:
                continue
            counts["words of a page", "mutool"][0 if ours == others else 1] += 1
            if ours != others:
                why = cause_of_page(ours, others, metadata, text, other)
                page_groups[why].append((
                    name, index + 1, len(ours & others), " ".join(sorted(ours - others)[:6]),
                    " ".join(sorted(others - ours)[:6]), metadata.get("problem")))
    deliveries.end()
    print(f"{len(files)} files\n\n| finding | tool | the same | different |\n| --- | --- | ---: | ---: |")
    for (key, tool), (equal, different) in counts.items():
        print(f"| {key} | {tool} | {equal} | {different} |")
    show(groups, ["file", "finding", "pdf-import", "tool", "its value"])
    show(page_groups, ["file", "page", "words of both", "only pdf-import", "only mutool", "problem"])


def show(groups, heads):
    for why, rows in sorted(groups.items(), key=lambda g: -len(g[1])):
        print(f"\n{len(rows)} × {why}\n\n| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
        for row in rows:
            cells = (str("–" if v is None else v)[:70].replace("|", "/").replace("\n", " ") for v in row)
            print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()

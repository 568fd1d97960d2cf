#!/usr/bin/env python3
"""Compares the texts of office-import with those of another program, on all office documents below a folder.

    Scripts/agreements/office.py SINK FOLDER

SINK is the program office-import. The other program is LibreOffice, through which the sink reads old documents; so those
are compared with catdoc. The texts are compared as multisets of words. Prints a Markdown table of the documents whose
words differ, or have a problem, with the share of the other program's words that the sink finds, and the other way
round; then a table of all old documents. Needs soffice (Writer, Calc and Impress), pdftotext, and catdoc for old ones.
"""
import collections
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from deliveries import Deliveries

OOXML = "application/vnd.openxmlformats-officedocument.any"
ODF = "application/vnd.oasis.opendocument.any"
TYPES = {
    "docx": OOXML, "docm": OOXML, "dotx": OOXML, "dotm": OOXML, "xlsx": OOXML, "xlsm": OOXML, "xltx": OOXML,
    "xltm": OOXML, "pptx": OOXML, "pptm": OOXML, "ppsx": OOXML, "potx": OOXML, "odt": ODF, "ods": ODF, "odp": ODF,
    "rtf": "application/rtf"}
# The types of old documents, and the commands that print their texts.
OLD = {
    "doc": ("application/msword", ["catdoc", "-dutf-8", "-w"]), "xls": ("application/vnd.ms-excel", ["xls2csv", "-dutf-8"]),
    "ppt": ("application/vnd.ms-powerpoint", ["catppt", "-dutf-8"])}


def words(text):
    return collections.Counter(re.findall(r"\w+", text.lower()))


def run(command):
    """Runs another program for at most 90 s, since some documents keep catdoc busy for ever. Returns its output; None if it
    failed. The whole session ends, because `soffice` is a shell script, and its child would go on.
    """
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=90)
        return output if process.returncode == 0 else None
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def convert(file, out):
    """LibreOffice's text. For presentations there is no text filter, so it goes through PDF."""
    ending = file.suffix[1:].lower()
    if ending[:2] in ("pp", "po") or ending == "odp":
        target = "pdf"
    elif ending[:2] in ("xl", "od") and ending in ("ods", "xlsx", "xlsm", "xltx", "xltm"):
        target = "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,false,false,false,-1"
    else:
        target = "txt:Text (encoded):UTF8"
    output = run(
        ["soffice", f"-env:UserInstallation=file://{out}/profile", "--headless", "--convert-to", target, "--outdir",
         f"{out}/text", str(file)])
    made = sorted(pathlib.Path(out, "text").glob("*"))
    if target == "pdf":
        for pdf in made:
            subprocess.run(["pdftotext", str(pdf), f"{pdf}.txt"], check=False)
            pdf.unlink()
        made = sorted(pathlib.Path(out, "text").glob("*"))
    text = "\n".join(p.read_text(errors="replace") for p in made)
    for p in made:
        p.unlink()
    return text if made and output is not None else None


def print_old(file):
    """The text of an old document, as another program finds it."""
    _, command = OLD[file.suffix[1:].lower()]
    return run(command + [str(file)])


def find(folder):
    """The documents. The name of an old one says little: only compound files count."""
    for file in sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file()):
        ending = file.suffix[1:].lower()
        if ending in TYPES:
            yield file, TYPES[ending]
        elif ending in OLD:
            with open(file, "rb") as content:
                if content.read(4) == b"\xd0\xcf\x11\xe0":
                    yield file, OLD[ending][0]


def main():
    sink, folder = sys.argv[1:]
    deliveries = Deliveries(sink)
    print("| document | words of the other | found | not found | only in office-import | problem |")
    print("| --- | ---: | ---: | --- | --- | --- |")
    equal = total = 0
    old = []
    with tempfile.TemporaryDirectory() as out:
        for file, type in find(folder):
            start = time.monotonic()
            metadata, products = deliveries.deliver(file, type)
            seconds = time.monotonic() - start
            ours = words(products["text"].read_text()) if "text" in products else collections.Counter()
            is_old = file.suffix[1:].lower() in OLD
            text = print_old(file) if is_old else convert(file, out)
            theirs = words(text or "")
            missing, more = theirs - ours, ours - theirs
            count, found = sum(theirs.values()), sum((theirs & ours).values())
            trouble = next((metadata[k] for k in ("problem", "crash", "fail") if k in metadata), "")
            if is_old:
                old.append((file.relative_to(folder), sum(ours.values()), count, found, f"{seconds:.1f} s", trouble))
            total += 1
            if not missing and not more:
                equal += 1
                continue
            trouble = trouble or ("" if text is not None else "not converted")
            print(
                f"| {file.relative_to(folder)} | {count} | {found} "
                f"| {' '.join(list(missing)[:8])} | {' '.join(list(more)[:8])} | {trouble} |", flush=True)
    deliveries.end()
    print(f"\n{equal} of {total} documents have the same words.")
    if old:
        print("\n| old document | words | of catdoc | found | time | problem |\n| --- | ---: | ---: | ---: | ---: | --- |")
        for row in old:
            print("| " + " | ".join(str(value) for value in row) + " |")


if __name__ == "__main__":
    main()

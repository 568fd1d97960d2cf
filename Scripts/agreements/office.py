#!/usr/bin/env python3
"""Compares the texts of office-import with those of LibreOffice, on all office documents below a folder.

    Scripts/agreements/office.py SINK FOLDER

SINK is the program office-import. The texts are compared as multisets of words. Prints a Markdown table with the share
of LibreOffice's words that the sink finds, and the other way round. Needs soffice (Writer, Calc and Impress) and pdftotext.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

from deliveries import Deliveries

OOXML = "application/vnd.openxmlformats-officedocument.any"
ODF = "application/vnd.oasis.opendocument.any"
TYPES = {
    "docx": OOXML, "docm": OOXML, "dotx": OOXML, "dotm": OOXML, "xlsx": OOXML, "xlsm": OOXML, "xltx": OOXML,
    "xltm": OOXML, "pptx": OOXML, "pptm": OOXML, "ppsx": OOXML, "potx": OOXML, "odt": ODF, "ods": ODF, "odp": ODF,
    "rtf": "application/rtf"}


def words(text):
    return collections.Counter(re.findall(r"\w+", text.lower()))


def convert(file, out):
    """LibreOffice's text. For presentations there is no text filter, so it goes through PDF."""
    ending = file.suffix[1:].lower()
    if ending[:2] in ("pp", "po") or ending == "odp":
        target = "pdf"
    elif ending[:2] in ("xl", "od") and ending in ("ods", "xlsx", "xlsm", "xltx", "xltm"):
        target = "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,false,false,false,-1"
    else:
        target = "txt:Text (encoded):UTF8"
    try:
        subprocess.run(
            ["soffice", f"-env:UserInstallation=file://{out}/profile", "--headless", "--convert-to", target,
             "--outdir", f"{out}/text", str(file)], capture_output=True, timeout=90, check=False)
    except subprocess.TimeoutExpired:
        return None
    made = sorted(pathlib.Path(out, "text").glob("*"))
    if target == "pdf":
        for pdf in made:
            subprocess.run(["pdftotext", str(pdf), f"{pdf}.txt"], check=False)
            pdf.unlink()
        made = sorted(pathlib.Path(out, "text").glob("*"))
    text = "\n".join(p.read_text(errors="replace") for p in made)
    for p in made:
        p.unlink()
    return text if made else None


def main():
    sink, folder = sys.argv[1:]
    files = sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix[1:].lower() in TYPES and p.is_file())
    deliveries = Deliveries(sink)
    print("| document | words of LibreOffice | found | not found | only in office-import | problem |")
    print("| --- | ---: | ---: | --- | --- | --- |")
    equal = total = 0
    with tempfile.TemporaryDirectory() as out:
        for file in files:
            metadata, products = deliveries.deliver(file, TYPES[file.suffix[1:].lower()])
            ours = words(products["text"].read_text()) if "text" in products else collections.Counter()
            text = convert(file, out)
            theirs = words(text or "")
            missing, more = theirs - ours, ours - theirs
            total += 1
            if not missing and not more:
                equal += 1
                continue
            count = sum(theirs.values())
            trouble = metadata.get("problem") or metadata.get("crash") or ("" if text is not None else "not converted")
            print(
                f"| {file.relative_to(folder)} | {count} | {count - sum(missing.values())} "
                f"| {' '.join(list(missing)[:8])} | {' '.join(list(more)[:8])} | {trouble} |", flush=True)
    deliveries.end()
    print(f"\n{equal} of {total} documents have the same words.")


if __name__ == "__main__":
    main()

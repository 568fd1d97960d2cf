#!/usr/bin/env python3
"""Compares the words of image-import with those of exiftool, on all pictures below a folder.

    Scripts/agreements/image.py SINK FOLDER

SINK is the program image-import. Prints a Markdown table of counts, then each disagreement with its cause. Needs
exiftool and file.
"""
import json
import pathlib
import re
import subprocess
import sys

from deliveries import Deliveries

ENDINGS = set("""
    jpg jpeg png gif webp tif tiff heic heif avif nef cr2 cr3 arw dng orf raf rw2 psd jxl jp2 bmp ico svg tga qoi
    """.split())


def first(tags, *names):
    for name in names:
        value = tags.get(name)
        if value not in (None, "", []) and not str(value).startswith("0000"):
            return value
    return None


def text(value):
    values = value if isinstance(value, list) else [value]
    return [" ".join(str(v).split()) for v in values if v is not None and str(v).strip()]


def date(tags):
    """The date as exiftool knows it, with the groups' own order, as the first 19 characters of ISO 8601."""
    value = first(
        tags, "ExifIFD:DateTimeOriginal", "IFD0:DateTimeOriginal", "SubIFD:DateTimeOriginal", "ExifIFD:CreateDate",
        "XMP-exif:DateTimeOriginal", "XMP-photoshop:DateCreated", "IPTC:DateCreated", "XMP-xmp:CreateDate",
        "Composite:GPSDateTime")
    match = re.match(r"(\d{4}):(\d\d):(\d\d)(?: (\d\d:\d\d:\d\d))?", str(value or ""))
    if not match or match.group(1) == "0000":
        return None
    return "-".join(match.groups()[:3]) + (f"T{match.group(4)}" if match.group(4) else "")


def camera(tags):
    make, model = (text(first(tags, f"IFD0:{n}", f"XMP-tiff:{n}"))[:1] for n in ("Make", "Model"))
    return " ".join(make + model) or None


def position(tags):
    latitude, longitude = tags.get("Composite:GPSLatitude"), tags.get("Composite:GPSLongitude")
    return None if latitude is None or (latitude, longitude) == (0, 0) else (latitude, longitude)


def place(tags):
    names = [
        "XMP-iptcCore:Location", "IPTC:Sub-location", "XMP-photoshop:City", "IPTC:City", "XMP-photoshop:State",
        "IPTC:Province-State", "XMP-photoshop:Country", "IPTC:Country-PrimaryLocationName"]
    return [t for n in names for t in text(tags.get(n))]


def keywords(tags):
    return [t for n in ("XMP-dc:Subject", "IPTC:Keywords") for t in text(tags.get(n))]


def author(tags):
    return [t for n in ("XMP-dc:Creator", "IPTC:By-line", "IFD0:Artist") for t in text(tags.get(n))]


def description(tags):
    names = ["XMP-dc:Description", "IPTC:Caption-Abstract", "IFD0:ImageDescription", "ExifIFD:UserComment"]
    return [t for n in names for t in text(tags.get(n))]


def contained(wanted, found):
    """Whether each text of exiftool is in the sink's value, and the sink has a value only if exiftool has."""
    found = " ".join(found) if isinstance(found, list) else (found or "")
    return bool(found) == bool(wanted) and all(w.lower() in found.lower() for w in wanted)


def verdicts(tags, metadata):
    """(name, exiftool's value, the sink's value, whether they agree)"""
    theirs, ours = date(tags), metadata.get("date")
    yield "date", theirs, ours, theirs == (re.split(r"(?<=T..:..:..)", ours)[0] if ours else None)
    theirs, ours = position(tags), (metadata.get("latitude"), metadata.get("longitude"))
    agree = ours == (None, None) if theirs is None else (
        None not in ours and all(abs(a - b) < 1e-5 for a, b in zip(theirs, ours)))
    yield "position", theirs, ours, agree
    theirs, ours = camera(tags), metadata.get("camera")
    yield "camera", theirs, ours, bool(theirs) == bool(ours) and (ours or "").lower() in (theirs or "").lower()
    theirs = first(tags, "ExifIFD:LensModel", "XMP-aux:Lens", "XMP-exifEX:LensModel")
    yield "lens", theirs, metadata.get("lens"), contained(text(theirs), metadata.get("lens"))
    for name, wanted in [
        ("place", place(tags)), ("keywords", keywords(tags)), ("author", author(tags)),
        ("description", description(tags)),
        ("title", [t for n in ("XMP-dc:Title", "IPTC:ObjectName", "IFD0:XPTitle") for t in text(tags.get(n))]),
    ]:
        yield name, wanted, metadata.get(name), contained(wanted, metadata.get(name))


def cause(tags, metadata, name, theirs, ours):
    warning = str(tags.get("ExifTool:Warning", ""))
    if "fail" in metadata or "crash" in metadata:
        return "**the sink failed**"
    if theirs and not ours and "Non-standard header for APP1 XMP" in warning:
        return "its XMP has a broken header, which exiftool forgives and exiv2 does not"
    if theirs and not ours and tags.get("File:MIMEType") == "image/gif":
        return "exiv2 reads no XMP in GIF"
    if name == "description" and not ours and re.search("digital (still )?camera|dsc", " ".join(theirs), re.I):
        return "only the camera's name, which image-import leaves out"
    if name == "lens" and ours and any(tag.endswith((":LensType", ":LensID", ":LensIDNumber")) for tag in tags):
        return "exiv2's name for the maker's number of the lens"
    if ours and not theirs and "IFD0" in warning:
        return f"the file is cut, and exiftool ends there: {warning}"
    return "**not explained**"


def main():
    sink, folder = sys.argv[1:]
    files = sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix[1:].lower() in ENDINGS and p.is_file())
    listing = subprocess.run(
        ["exiftool", "-json", "-n", "-G1", "-charset", "iptc=Latin", *map(str, files)],
        capture_output=True, check=False).stdout
    known = {entry["SourceFile"]: entry for entry in json.loads(listing)}
    deliveries = Deliveries(sink)
    counts, rows = {}, []
    for file in files:
        mime = subprocess.run(
            ["file", "-b", "--mime-type", str(file)], capture_output=True, text=True, check=True).stdout.strip()
        metadata, _ = deliveries.deliver(file, mime)
        for trouble in ("crash", "fail"):
            if trouble in metadata:
                rows.append((file, trouble, "", metadata[trouble], ""))
        for name, theirs, ours, agree in verdicts(known.get(str(file), {}), metadata):
            count = counts.setdefault(name, [0, 0, 0])
            if theirs or ours not in (None, (None, None)):
                count[0 if agree else 1] += 1
            else:
                count[2] += 1
            if not agree:
                rows.append((file, name, theirs, ours, cause(known.get(str(file), {}), metadata, name, theirs, ours)))
    deliveries.end()
    print(f"{len(files)} pictures\n\n| value | agree | disagree | absent in both |\n| --- | ---: | ---: | ---: |")
    for name, count in counts.items():
        print(f"| {name} | {count[0]} | {count[1]} | {count[2]} |")
    print("\n| picture | value | exiftool | image-import | cause |\n| --- | --- | --- | --- | --- |")
    for file, name, theirs, ours, why in rows:
        print(f"| {file.relative_to(folder)} | {name} | {theirs} | {ours} | {why} |")


if __name__ == "__main__":
    main()

"""Compares the imports of PDFs and of pictures with the programs that would otherwise be run on each file."""

import os
import random
import shutil
import statistics
import subprocess
import sys

from harness.inputs import corpus_folder, files_below
from harness.measuring import best, measure, scaled
from harness.program import PROGRAM, has, ingest, json_lines, say
from harness.tables import Table

PDFS, PICTURES = 500, 1_000
# Documents for people. Most of the corpus' PDFs have one word, and to start a program is the whole work for them.
LEAST_WORDS = 100
# The longest side of the thumbnails of both sinks, in pixels.
SIDE = 256
# Width, height and share of the pictures: from a camera, from a phone, from the web.
PICTURE_SIZES = ((4000, 3000, 0.1), (2048, 1536, 0.3), (1200, 900, 0.6))
SEED = 1977
EXIF = """-Make=Example -Model=Camera -LensModel=50mm -DateTimeOriginal=2024:05:01@10:20:30 -GPSLatitude=52.5
    -GPSLatitudeRef=N -GPSLongitude=13.4 -GPSLongitudeRef=E -Keywords=river -Keywords=bridge -Orientation#=6
    -ImageDescription=Evening""".split()


def run(options, folders, floors):
    if has("pdftotext", "poppler-utils"):
        pdfs(options, folders, floors)
    if has("vipsthumbnail", "libvips-tools") and has("exiftool", "libimage-exiftool-perl"):
        pictures(options, folders, floors)


def pdfs(options, folders, floors):
    """Both programs run for each file, one after the other, as a script would do it."""
    source, out = folders.folder("pdfs"), folders.folder("out")
    count = scaled(options, PDFS)
    if not pdf_copies(source, count):
        return
    draw = f"-png -singlefile -scale-to {SIDE}"
    peers = {
        f"pdftotext, {name}": ["sh", "-c", f'for f in *; do pdftotext "$f" {out}/t; {name} {draw} "$f" {out}/t; done']
        for name in ("pdftoppm", "pdftocairo")
    }
    ratio = compared(f"{count:,} PDFs", options, folders, source, peers)
    floors.at_most(f"import of {count:,} PDFs, relative to pdftotext and pdftoppm", ratio, 1.25)


def pictures(options, folders, floors):
    """Both programs run once for all files, which is the faster way for them."""
    source, out = folders.folder("pictures"), folders.folder("out")
    count = scaled(options, PICTURES)
    if not picture_copies(source, folders.folder("originals"), count):
        return
    thumbnail = f"vipsthumbnail --size {SIDE}x{SIDE} --export-profile srgb -o '{out}/%s.jpg[Q=80,strip]'"
    peers = {"vipsthumbnail, exiftool -fast": ["sh", "-c", f"{thumbnail} *; exiftool -fast -json * > {out}/tags"]}
    ratio = compared(f"{count:,} pictures", options, folders, source, peers)
    floors.at_most(f"import of {count:,} pictures, relative to vipsthumbnail and exiftool", ratio, 1.15)


def compared(work, options, folders, source, peers):
    """Measures the delivery of stored files beside the peers in turn. Returns the ratio to the first peer, best by best.

    The delivery is a whole run of `deliver`: the start of the sink in its sandbox, the products on disk, the outcomes in
    the catalog, and the words in the search index.
    """
    runs = {name: [] for name in ("sluice deliver", "sluice ingest --no-deliver", *peers)}
    for _ in range(options.rounds):
        container = folders.folder("full") / "container"
        store = ingest(container, source, options=["--quiet", "--no-deliver"])
        runs["sluice ingest --no-deliver"].append(measure(store, accepted=(0, 1)))
        runs["sluice deliver"].append(measure([PROGRAM, "deliver", "--container", container]))
        for state in ("--pending", "--failed"):
            if left := json_lines([PROGRAM, "list", "--json", state, "--container", container]):
                sys.exit(f"bench: {len(left):,} packages are {state[2:]} in {container}")
        for name, command in peers.items():
            runs[name].append(measure(command, prepare=lambda: os.chdir(source)))
    title = f"{work} with a thumbnail and their words, {options.rounds} rounds"
    table = Table(
        title, 34, ("best s", 9), ("median s", 10), ("CPU s", 8), ("ms each", 9), ("peak MB", 9), ("ratio", 8),
        ("CPU", 7),
    )  # fmt: skip
    count, first = len(files_below(source)), best(runs[next(iter(peers))])
    for name, of in runs.items():
        fastest = best(of)
        table.row(
            name, fastest.seconds, statistics.median(run.seconds for run in of), fastest.cpu,
            fastest.seconds / count * 1000, fastest.peak, fastest.seconds / first.seconds, fastest.cpu / first.cpu,
        )  # fmt: skip
    return best(runs["sluice deliver"]).seconds / first.seconds


def pdf_copies(folder, count):
    """Copies of the corpus' documents that poppler can read, each with a comment of its own at the end."""
    originals = [path for path in files_below(corpus_folder() / "files") if path.endswith(".pdf") and is_document(path)]
    if not originals:
        say("no corpus; skipping the import of PDFs. Set SLUICE_CORPUS to the folder of a corpus")
    for number in range(count if originals else 0):
        copy = folder / f"{number:04}.pdf"
        shutil.copyfile(originals[number % len(originals)], copy)
        with open(copy, "ab") as file:
            file.write(f"\n% copy {number}\n".encode())
    return originals


def is_document(path):
    try:
        text = subprocess.run(["pdftotext", path, "-"], capture_output=True, timeout=5)
    except subprocess.TimeoutExpired:
        return False
    return text.returncode == 0 and len(text.stdout.split()) >= LEAST_WORDS


def picture_copies(folder, originals, count):
    """Photos of the corpus in the sizes of cameras, with values of EXIF, IPTC and GPS; each has a comment of its own."""
    photos = sorted((corpus_folder() / "files/exif-orient").glob("Landscape_[0-4].jpg"))
    if not photos:
        say("no corpus; skipping the import of pictures. Set SLUICE_CORPUS to the folder of a corpus")
        return False
    made = {}
    for width, height, _ in PICTURE_SIZES:
        for photo in photos:
            copy = originals / f"{width}-{photo.name}"
            size = f"{width}x{height}!"
            call(["vipsthumbnail", "--no-rotate", "--size", size, "-o", f"{copy}[Q=88,strip]", photo])
            made.setdefault(width, []).append(copy)
    call(["exiftool", "-q", "-overwrite_original", *(word.replace("@", " ") for word in EXIF), originals])
    source = random.Random(SEED)
    widths = [width for width, _, _ in PICTURE_SIZES]
    shares = [share for _, _, share in PICTURE_SIZES]
    for number, width in enumerate(source.choices(widths, shares, k=count)):
        content = source.choice(made[width]).read_bytes()
        comment = f"copy {number:04}".encode()
        place = end_of_application_segments(content)
        segment = b"\xff\xfe" + (len(comment) + 2).to_bytes(2) + comment
        (folder / f"{number:04}.jpg").write_bytes(content[:place] + segment + content[place:])
    return True


def end_of_application_segments(content):
    """The place in a JPEG behind its segments APP0 to APP15."""
    place = 2
    while 0xE0 <= content[place + 1] <= 0xEF:
        place += 2 + int.from_bytes(content[place + 2 : place + 4])
    return place


def call(command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

#!/usr/bin/env python3
"""Makes the binary files of the samples, and the base64 inside their descriptions.

    Samples/make-samples.py [CASE…]      all cases, or those named (`pdf-plain`, `plain`, `groups`)

Needs Python 3 and, from apt: libvips-tools (JPEG, WebP, GIF, HEIC), qpdf (encryption), ffmpeg (a QuickTime movie).
Everything drawn is a gradient and everything written is made up. No step takes a time or a random number, so that
a second run with the same versions of the tools changes nothing; another encoder gives other bytes of the same kind.
The descriptions (`share.json`) and the text files are written by hand and are not touched, but for the `data` values
that EMBEDDED lists.
"""

import base64
import functools
import json
import pathlib
import plistlib
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from io import BytesIO

SAMPLES = pathlib.Path(__file__).resolve().parent


# Pictures


def pixels(width, height, hue):
    """The rows of a gradient: red grows to the right, green downwards, blue is the hue."""
    return [
        bytes(c for x in range(width) for c in (x * 255 // width, y * 255 // height, hue * 23 % 256))
        for y in range(height)
    ]


def png(hue, width=64, height=48):
    """A PNG, RGB, 8 bits a channel, every row with the Sub filter."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b""
    for row in pixels(width, height, hue):
        rows += b"\1" + bytes((c - (row[i - 3] if i >= 3 else 0)) % 256 for i, c in enumerate(row))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    )


def vips(operation, source, ending, *options):
    """What `vips OPERATION` makes of the bytes."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = pathlib.Path(folder, "in.png"), pathlib.Path(folder, "out" + ending)
        before.write_bytes(source)
        subprocess.run(["vips", operation, before, after, *options], check=True)
        return after.read_bytes()


@functools.cache
def jpeg(hue, width=64, height=48):
    return vips("jpegsave", png(hue, width, height), ".jpg", "--Q", "80", "--strip")


def webp(hue):
    return vips("webpsave", png(hue), ".webp", "--Q", "70", "--strip")


def heic(hue):
    return vips("heifsave", png(hue), ".heic", "--Q", "40", "--compression", "hevc", "--strip")


def animated_gif(hue):
    """Three frames of 32 × 24 for ever: a tall picture that is cut into pages."""
    return vips("gifsave", png(hue, 32, 72), ".gif", "--page-height", "24", "--bitdepth", "4", "--dither", "0")


def rotated_jpeg(hue):
    """A JPEG that is stored on its side: Exif orientation 6, so that it is 48 × 64 upright."""
    orientation = struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0)
    tiff = b"MM\0*" + struct.pack(">IH", 8, 1) + orientation + struct.pack(">I", 0)
    exif = b"Exif\0\0" + tiff
    plain = jpeg(hue)
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:]


def cut_off_jpeg(hue):
    """A JPEG that ends where its picture would begin."""
    whole = jpeg(hue)
    return whole[: whole.index(b"\xff\xda")]


def movie(hue):
    """A QuickTime movie of two frames."""
    with tempfile.TemporaryDirectory() as folder:
        still, movie = pathlib.Path(folder, "in.png"), pathlib.Path(folder, "out.mov")
        still.write_bytes(png(hue))
        exact = ["-bitexact", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"]
        command = ["ffmpeg", "-v", "error", "-loop", "1", "-i", still, "-t", "0.4", "-r", "5", "-c:v", "mpeg4"]
        subprocess.run([*command, *exact, movie], check=True)
        return movie.read_bytes()


# Photos as cameras and phones write them


def raw_photo(width):
    """The beginning of a Canon raw photo: a TIFF with a mark of its own, and one entry."""
    return b"II*\0" + struct.pack("<I4sI", 16, b"CR\2\0", 0) + struct.pack("<HHHIII", 1, 0x0100, 4, 1, width, 0)


def live_still(hue, identifier):
    """A JPEG with the identifier of a live photo in the notes of its maker, inside of Exif."""
    text = identifier.encode("ascii") + b"\0"
    # The text lies behind the head, one entry and the end of the list.
    notes = b"Apple iOS\0\0\1MM" + struct.pack(">HHHIII", 1, 0x0011, 2, len(text), 14 + 18, 0) + text
    tiff = b"MM\0*" + struct.pack(">I", 8)
    tiff += struct.pack(">HHHIII", 1, 0x8769, 4, 1, 26, 0)
    tiff += struct.pack(">HHHIII", 1, 0x927C, 7, len(notes), 44, 0) + notes
    exif = b"Exif\0\0" + tiff
    plain = jpeg(hue)
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:]


def live_movie(hue, identifier):
    """A QuickTime movie with the identifier of a live photo: a key, and the value at the place of the key."""

    def box(name, body):
        return struct.pack(">I4s", len(body) + 8, name) + body

    key, text = b"com.apple.quicktime.content.identifier", identifier.encode("ascii")
    handler = box(b"hdlr", struct.pack(">II4s12xx", 0, 0, b"mdta"))
    keys = box(b"keys", struct.pack(">II", 0, 1) + box(b"mdta", key))
    values = box(b"ilst", box(struct.pack(">I", 1), box(b"data", struct.pack(">II", 1, 0) + text)))
    plain = movie(hue)
    # The header comes last, so that nothing behind it moves.
    start = plain.index(b"moov") - 4
    return plain[:start] + box(b"moov", plain[start + 8 :] + box(b"meta", handler + keys + values))


# Documents


def pdf(title, pages=2):
    """A PDF 1.4 with a title, an author, and a line of text on each page. The catalog comes last."""
    pairs = range(pages)
    page_numbers = [3 + 2 * i for i in pairs]
    objects = {1: f"<< /Title ({title}) /Author (Ada Example) >>"}
    objects[2] = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    tree, catalog = 3 + 2 * pages, 4 + 2 * pages
    for i in pairs:
        text = f"BT /F1 18 Tf 40 120 Td ({title}, page {i + 1} of {pages}) Tj ET"
        objects[page_numbers[i]] = (
            f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 360 240] /Contents {page_numbers[i] + 1} 0 R"
            " /Resources << /Font << /F1 2 0 R >> >> >>"
        )
        objects[page_numbers[i] + 1] = f"<< /Length {len(text)} >>\nstream\n{text}\nendstream"
    kids = " ".join(f"{number} 0 R" for number in page_numbers)
    objects[tree] = f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>"
    objects[catalog] = f"<< /Type /Catalog /Pages {tree} 0 R >>"
    body, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, text in sorted(objects.items()):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n".encode("ascii")
    start = len(body)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer\n<< /Size {catalog + 1} /Root {catalog} 0 R /Info 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return body + f"xref\n0 {catalog + 1}\n0000000000 65535 f \n{table}{trailer}".encode("ascii")


def encrypted_pdf(title, user, owner):
    """The PDF under AES with 128 bits. With an empty user password it opens freely, but may not be printed."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = pathlib.Path(folder, "in.pdf"), pathlib.Path(folder, "out.pdf")
        before.write_bytes(pdf(title))
        lock = ["--encrypt", user, owner, "128", "--use-aes=y", "--print=none", "--"]
        subprocess.run(["qpdf", "--static-id", "--static-aes-iv", *lock, before, after], check=True)
        return after.read_bytes()


def truncated_pdf(title):
    """The first half of a PDF: no page tree, no catalog, no table."""
    whole = pdf(title)
    return whole[: len(whole) // 2]


def pdf_with_broken_table(title):
    """A PDF whose cross-reference table and start point to nowhere; the objects are all there."""
    body, _, _ = pdf(title).partition(b"xref\n0 ")
    trailer = b"trailer\n<< /Size 9 /Root 8 0 R /Info 1 0 R >>\nstartxref\n99999\n%%EOF\n"
    return body + b"xref\n0 9\n" + b"0000099999 00000 n \n" * 9 + trailer


def pdf_behind_junk(title):
    """A PDF behind 200 bytes of an HTTP answer that somebody saved along."""
    junk = b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nX-Filler: "
    return junk + b"x" * (196 - len(junk)) + b"\r\n\r\n" + pdf(title)


def archive(entries, method=zipfile.ZIP_DEFLATED):
    """A zip of the entries, in their order, dated 1980."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, data in entries:
            file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, method)
    return out.getvalue()


def docx(text):
    """The smallest Office Open XML document that word processors open (ECMA-376, part 2)."""
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    base = "http://schemas.openxmlformats.org"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = (
        f'<Types xmlns="{base}/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>'
    )
    relations = (
        f'<Relationships xmlns="{base}/package/2006/relationships"><Relationship Id="rId1"'
        f' Type="{base}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
    )
    document = (
        f'<w:document xmlns:w="{base}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p>'
        "</w:body></w:document>"
    )
    parts = [("[Content_Types].xml", types), ("_rels/.rels", relations), ("word/document.xml", document)]
    return archive([(name, head + xml) for name, xml in parts])


# Property lists and odd bytes


def plist(value, binary=True):
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY if binary else plistlib.FMT_XML)


def page_plist():
    """What a browser's script hands to a share sheet about the page on screen."""
    page = {"title": "A page about rivers", "URL": "https://example.org/rivers?page=1", "selection": ""}
    return plist({"NSExtensionJavaScriptPreprocessingResultsKey": page})


def cyclic_plist():
    """A binary property list whose only object is an array that holds itself."""
    trailer = struct.pack(">6xBBQQQ", 1, 1, 1, 0, 10)
    return b"bplist00" + b"\xa1\x00" + b"\x08" + trailer


def deep_plist(depth=600):
    """An XML property list of arrays in arrays."""
    head = b'<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">'
    return head + b"<array>" * depth + b"<string>file:photo.jpg</string>" + b"</array>" * depth + b"</plist>\n"


def laughing_plist():
    """An XML property list with entities that grow tenfold on each of nine levels."""
    entities = '<!ENTITY e0 "ha">' + "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist [{entities}]>\n'
        '<plist version="1.0"><string>file:&e9;</string></plist>\n'
    ).encode("ascii")


def noise(count, seed):
    """Bytes that no format claims: a linear congruential generator (Numerical Recipes' constants)."""
    out = bytearray()
    for _ in range(count):
        seed = (seed * 1664525 + 1013904223) % 2**32
        out.append(seed >> 24)
    return bytes(out)


# Which file of which case is made how. A case without binary files is not listed.
FILES = {
    # The forms in which one thing comes
    "five-photos-in-one-item/IMG_0001.jpg": lambda: jpeg(1),
    "five-photos-in-one-item/IMG_0002.jpg": lambda: jpeg(2),
    "five-photos-in-one-item/IMG_0003.jpg": lambda: jpeg(3),
    "five-photos-in-one-item/IMG_0004.jpg": lambda: jpeg(4),
    "five-photos-in-one-item/IMG_0005.jpg": lambda: jpeg(5),
    "photo-as-file/photo.jpg": lambda: jpeg(0),
    "photo-as-file-url/photo.jpg": lambda: jpeg(0),
    "photo-as-file-url-type/photo.jpg": lambda: jpeg(0),
    "photo-by-absolute-file-url/photo.jpg": lambda: jpeg(0),
    "file-url-in-plist-array/photo.jpg": lambda: jpeg(6),
    "file-url-in-plist-dictionary/photo.jpg": lambda: jpeg(7),
    # Links and their company
    "link-with-icon/icon.png": lambda: png(1, 64, 64),
    "link-with-icon-of-256/icon.png": lambda: png(2, 256, 256),
    "link-with-declared-preview/preview.png": lambda: png(3, 400, 300),
    "link-with-icon-and-caption/icon.png": lambda: png(11, 64, 64),
    "link-with-big-picture/picture.png": lambda: png(4, 400, 300),
    "link-file-webloc-binary/Rivers.webloc": lambda: plist({"URL": "https://example.org/rivers?from=webloc-binary"}),
    "link-file-webloc-xml/Rivers.webloc": lambda: plist({"URL": "https://example.org/rivers?from=webloc"}, False),
    "preview-only/preview.png": lambda: png(5, 400, 300),
    # Things that belong together
    "live-photo/IMG_0100.HEIC": lambda: heic(1),
    "live-photo/IMG_0100.MOV": lambda: movie(1),
    "live-photo-called-image/IMG_0101.jpg": lambda: jpeg(8),
    "photo-with-sidecar-aae/IMG_0200.jpg": lambda: jpeg(9),
    "photo-with-sidecar-xmp/IMG_0201.jpg": lambda: jpeg(10),
    "photo-with-caption/photo.jpg": lambda: jpeg(11),
    "explicit-group/front.png": lambda: png(6),
    "explicit-group/back.png": lambda: png(7),
    "explicit-group/other.png": lambda: png(8),
    "two-items-file-and-link/paper.pdf": lambda: pdf("A paper about rivers"),
    "two-representations-of-a-photo/photo.heic": lambda: heic(2),
    "two-representations-of-a-photo/photo.jpg": lambda: jpeg(12),
    # Claims that lie
    "png-declared-jpeg-inside/picture.png": lambda: jpeg(13),
    "error-page-as-photo/photo.jpg": lambda: b"<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>"
    b"<body><h1>502 Bad Gateway</h1></body></html>\n",
    "pdf-name-on-zip/invoice.pdf": lambda: archive([("readme.txt", "Not an invoice.\n")]),
    "docx-declared-as-zip/letter.docx": lambda: docx("Dear reader, this letter is a zip as well."),
    "generic-type-on-everything/a": lambda: jpeg(15),
    "generic-type-on-everything/b": lambda: pdf("Declared as data", 1),
    "generic-type-on-everything/c": lambda: docx("Declared as data."),
    # What is missing, empty or broken
    "first-item-unusable/paper.pdf": lambda: b"",
    "five-photos-one-broken/IMG_0011.jpg": lambda: jpeg(16),
    "five-photos-one-broken/IMG_0012.jpg": lambda: jpeg(17),
    "five-photos-one-broken/IMG_0013.jpg": lambda: b"",
    "five-photos-one-broken/IMG_0014.jpg": lambda: jpeg(18),
    "five-photos-one-broken/IMG_0015.jpg": lambda: jpeg(19),
    "five-photos-one-cut-off/IMG_0021.jpg": lambda: jpeg(20),
    "five-photos-one-cut-off/IMG_0022.jpg": lambda: jpeg(21),
    "five-photos-one-cut-off/IMG_0023.jpg": lambda: cut_off_jpeg(22),
    "five-photos-one-cut-off/IMG_0024.jpg": lambda: jpeg(23),
    "five-photos-one-cut-off/IMG_0025.jpg": lambda: jpeg(24),
    "same-file-twice/photo.jpg": lambda: jpeg(25),
    "empty-file/notes.txt": lambda: b"",
    "zero-byte-image/photo.jpg": lambda: b"",
    "zero-byte-image-then-good/photo.jpg": lambda: b"",
    "zero-byte-image-then-good/photo.png": lambda: png(9),
    # Hostile names and places
    "link-inside-package/photo.jpg": lambda: jpeg(26),
    "names-in-two-normal-forms/photo.jpg": lambda: jpeg(27),
    "names-in-two-normal-forms/other.jpg": lambda: jpeg(28),
    "name-with-path-parts/photo.jpg": lambda: jpeg(29),
    "name-with-control-characters/photo.jpg": lambda: jpeg(30),
    "name-with-right-to-left-override/photo.jpg": lambda: jpeg(31),
    "name-with-nul/photo.jpg": lambda: jpeg(32),
    "name-of-300-bytes/photo.jpg": lambda: jpeg(33),
    "name-of-dots/photo.jpg": lambda: jpeg(34),
    # Formats
    "pdf-plain/report.pdf": lambda: pdf("Report on rivers"),
    "pdf-encrypted/secret.pdf": lambda: encrypted_pdf("Secret report", "open-sesame", "owner"),
    "pdf-encrypted-owner-only/form.pdf": lambda: encrypted_pdf("Form not to be printed", "", "owner"),
    "pdf-truncated/report.pdf": lambda: truncated_pdf("Report cut short"),
    "pdf-with-broken-table/report.pdf": lambda: pdf_with_broken_table("Report without a table"),
    "pdf-behind-junk/report.pdf": lambda: pdf_behind_junk("Report behind junk"),
    "photo-rotated/photo.jpg": lambda: rotated_jpeg(35),
    "photo-heic/photo.heic": lambda: heic(3),
    "photo-webp/photo.webp": lambda: webp(4),
    "picture-animated-gif/waves.gif": lambda: animated_gif(5),
    "unknown-bytes/dump.bin": lambda: noise(512, 7),
    # Folders as representations
    "folder-pages/Letter.pages/Index.zip": lambda: archive(
        [("Index/Document.iwa", noise(64, 3))], zipfile.ZIP_STORED
    ),
    "folder-pages/Letter.pages/Metadata/Properties.plist": lambda: plist({"revision": "1"}),
    "folder-pages/Letter.pages/preview.jpg": lambda: jpeg(36),
    "folder-rtfd/Note.rtfd/river.png": lambda: png(10),
    "folder-without-ending/Album/one.jpg": lambda: jpeg(37),
    "folder-without-ending/Album/two.jpg": lambda: jpeg(38),
    "folder-with-link-inside/Letter.pages/preview.jpg": lambda: jpeg(39),
    # Descriptions that make no sense
    "broken-no-description/photo.jpg": lambda: jpeg(40),
}

PLAIN = {
    "report.pdf": lambda: pdf("A plain report"),
    "photo.jpg": lambda: jpeg(41),
    "letter.docx": lambda: docx("A plain letter."),
    "firmware.bin": lambda: noise(1024, 11),
    "film.mp4.part": lambda: noise(300, 13),
    "Brief.pages/preview.jpg": lambda: jpeg(42),
}

SHOT, OTHER_SHOT = "6F1B2C9E-0001-4A7D-9C3E-5D0A8E4F2B11", "6F1B2C9E-0002-4A7D-9C3E-5D0A8E4F2B11"

# Files of one folder: those that belong together, and those that only look like it. Text is written by hand.
GROUPS = {
    "raw-photo/IMG_0001.CR2": lambda: raw_photo(64),
    "raw-photo/IMG_0001.JPG": lambda: jpeg(1),
    "raw-photo-lookalike/IMG_0001.JPG": lambda: jpeg(1),
    "raw-photo-lookalike/IMG_0002.CR2": lambda: raw_photo(64),
    "live-photo/IMG_0001.JPG": lambda: live_still(1, SHOT),
    "live-photo/IMG_0001.MOV": lambda: live_movie(1, SHOT),
    "live-photo-lookalike/IMG_0001.JPG": lambda: jpeg(1),
    "live-photo-lookalike/IMG_0001.MOV": lambda: movie(1),
    "live-photo-lookalike/IMG_0002.JPG": lambda: live_still(2, SHOT),
    "live-photo-lookalike/IMG_0002.MOV": lambda: live_movie(1, OTHER_SHOT),
    "two-stills-and-a-movie/IMG_0001.HEIC": lambda: heic(1),
    "two-stills-and-a-movie/IMG_0001.JPG": lambda: live_still(1, SHOT),
    "two-stills-and-a-movie/IMG_0001.MOV": lambda: live_movie(1, SHOT),
    "xmp/IMG_0001.jpg": lambda: jpeg(1),
    "xmp/IMG_0002.jpg": lambda: jpeg(2),
    "xmp-lookalike/IMG_0001.jpg": lambda: jpeg(1),
    "xmp-lookalike/img_0002.jpg": lambda: jpeg(2),
    "edits-of-a-photo/IMG_0001.HEIC": lambda: heic(1),
    "edits-of-a-photo-lookalike/IMG_0001.HEIC": lambda: heic(1),
    "google-takeout/IMG_0001.jpg": lambda: jpeg(1),
    "google-takeout/IMG_0001(1).jpg": lambda: jpeg(2),
    "google-takeout/IMG_0002.jpg": lambda: jpeg(3),
    "google-takeout/IMG_0002(1).jpg": lambda: jpeg(4),
    "google-takeout-lookalike/IMG_0001.jpg": lambda: jpeg(1),
    "thumbnail/MVI_0001.MOV": lambda: movie(1),
    "thumbnail/MVI_0001.THM": lambda: jpeg(1),
    "thumbnail-lookalike/MVI_0001.MOV": lambda: movie(1),
    "saved-page/rivers_files/river.png": lambda: png(1),
    "saved-page/Flüsse-Dateien/river.png": lambda: png(2),
    "saved-page-lookalike/gone_files/river.png": lambda: png(1),
    "sidecar-of-a-raw-photo/IMG_0001.JPG": lambda: jpeg(1),
    "sidecar-of-a-raw-photo/IMG_0001.CR2": lambda: raw_photo(64),
}

# Which bytes stand as base64 in a description: case, then the places of item, attachment and representation.
EMBEDDED = {
    ("photo-as-data", 0, 0, 0): lambda: jpeg(0),
    ("page-in-three-forms", 0, 0, 1): page_plist,
    ("page-in-three-attachments", 0, 1, 0): page_plist,
    ("page-in-three-items", 1, 0, 0): page_plist,
    ("file-url-in-plist-bare", 0, 0, 0): lambda: plist("file:crash.ips", False),
    ("file-url-in-plist-dictionary", 0, 0, 0): lambda: plist({"kind": "photo", "url": "file:photo.jpg"}),
    ("file-url-in-plist-array", 0, 0, 0): lambda: plist(["photo", "file:photo.jpg"]),
    ("two-items-link-and-icon", 0, 0, 0): lambda: png(12, 64, 64),
    ("url-as-data", 0, 0, 0): lambda: b"https://example.org/rivers?as=data",
    ("advertised-but-missing", 0, 0, 1): lambda: jpeg(43),
    ("refused-file-url-then-data", 0, 0, 1): lambda: jpeg(44),
    ("error-page-as-photo", 0, 0, 1): lambda: jpeg(14),
    ("error-page-as-photo-alone", 0, 0, 0): lambda: b"<!DOCTYPE html>\n<html><head><title>403 Forbidden</title></head>"
    b"<body><h1>403 Forbidden</h1></body></html>\n",
    ("plist-bomb-cycle", 0, 0, 0): cyclic_plist,
    ("plist-bomb-depth", 0, 0, 0): deep_plist,
    ("plist-bomb-entities", 0, 0, 0): laughing_plist,
}


def layout(value, indent=0, width=116):
    """JSON as people write it: whatever fits stands on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= width or not isinstance(value, (dict, list)) or not value:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, list):
        body = [inner + layout(element, indent + 2) for element in value]
    else:
        body = [f"{inner}{json.dumps(key)}: {layout(element, indent + 2)}" for key, element in value.items()]
    opening, closing = ("[", "]") if isinstance(value, list) else ("{", "}")
    return opening + "\n" + ",\n".join(body) + "\n" + " " * indent + closing


def embed(case, item, attachment, representation, data):
    path = SAMPLES / "shares" / f"{case}.share" / "share.json"
    description = json.loads(path.read_text("utf-8"))
    form = description["items"][item]["attachments"][attachment]["representations"][representation]
    form["data"] = base64.b64encode(data).decode("ascii")
    path.write_text(layout(description) + "\n", "utf-8")


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def main(wanted):
    made = 0
    for place, make in FILES.items():
        case, _, name = place.partition("/")
        if not wanted or case in wanted:
            write(SAMPLES / "shares" / f"{case}.share" / name, make())
            made += 1
    for place, make in GROUPS.items():
        if not wanted or "groups" in wanted:
            write(SAMPLES / "groups" / place, make())
            made += 1
    for name, make in PLAIN.items():
        if not wanted or "plain" in wanted:
            write(SAMPLES / "plain" / name, make())
            made += 1
    for (case, *place), make in EMBEDDED.items():
        if not wanted or case in wanted:
            embed(case, *place, make())
            made += 1
    print(f"{made} files and values made")
    return 0 if made else 1


if __name__ == "__main__":
    sys.exit(main(set(sys.argv[1:])))

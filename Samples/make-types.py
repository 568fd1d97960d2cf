#!/usr/bin/env python3
"""Makes the traps in Samples/types: files that look like one thing and are another, or two things at once.

    Samples/make-types.py

Nothing but Python is needed, and a second run changes nothing. What each file should be taken for is in the file of the
same name with `.expected` behind it, which the tests read; to add a case, add a file, here or by hand, and run them.
"""

import pathlib
import struct
import zlib

TYPES = pathlib.Path(__file__).resolve().parent / "types"

PDF = (
    b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\n"
    b"endobj\nxref\n0 3\n0000000000 65535 f \n0000000015 00000 n \n0000000060 00000 n \ntrailer\n<</Size 3/Root 1 0 R>>\n"
    b"startxref\n104\n%%EOF\n"
)
MAIL = b"From: Ada <ada@example.org>\r\nTo: Ben <ben@example.org>\r\nSubject: Rivers\r\nDate: Mon, 2 Mar 2026 09:00:00 +0000\r\n"
PAGE = "<!DOCTYPE html>\n<html><head><title>Rivers</title></head><body><p>Über den Fluss</p></body></html>\n"
CARD = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lovelace;Ada;;;\r\nFN:Ada Lovelace\r\nEND:VCARD\r\n"
NS = 'xmlns="http://schemas.openxmlformats.org/package/2006/'
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."


def zip_archive(entries, listed=None, deflated=True, prefix=b""):
    """An archive of (name, bytes); `listed` are the names that the central directory tells instead."""
    local, central = bytearray(prefix), bytearray()
    for index, (name, data) in enumerate(entries):
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        body = packer.compress(data) + packer.flush() if deflated else data
        common = struct.pack("<HHHHHIII", 20, 0, 8 if deflated else 0, 0, 0x5C62, zlib.crc32(data), len(body), len(data))
        told = (listed[index] if listed else name).encode()
        central += b"PK\1\2" + struct.pack("<H", 20) + common
        central += struct.pack("<HHHHHII", len(told), 0, 0, 0, 0, 0, len(local)) + told
        local += b"PK\3\4" + common + struct.pack("<HH", len(name), 0) + name.encode() + body
    count = len(entries)
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(central), len(local), 0)
    return bytes(local + central) + end


def office(content_type, part="/word/document.xml"):
    types = f'<Types {NS}content-types"><Override PartName="{part}" ContentType="{content_type}"/></Types>'
    relations = (
        f'<Relationships {NS}relationships"><Relationship Id="r1" Target="{part[1:]}" Type="http://schemas.'
        'openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>'
    )
    names = [("[Content_Types].xml", types), ("_rels/.rels", relations), (part[1:], "<x/>")]
    return [(name, text.encode()) for name, text in names]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png():
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


def jpeg(side=64, thumbnail=b""):
    """A gray square, with a thumbnail in its header if there is one. Each block of 8 x 8 takes two zero bits."""
    def segment(marker, data):
        return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data

    frame = struct.pack(">BHHB", 8, side, side, 1) + b"\1\x11\0"
    codes = bytes([1]) + bytes(15) + b"\0"
    return (
        b"\xff\xd8" + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")
        + (segment(0xE1, b"Exif\0\0" + thumbnail) if thumbnail else b"")
        + segment(0xDB, b"\0" + bytes([1]) * 64) + segment(0xC0, frame)
        + segment(0xC4, b"\0" + codes) + segment(0xC4, b"\x10" + codes)
        + segment(0xDA, b"\1\1\0\0\x3f\0") + bytes(side * side // 256) + b"\xff\xd9"
    )


def box(name, data=b""):
    return struct.pack(">I4s", len(data) + 8, name) + data


def mp4():
    return box(b"ftyp", b"isom\0\0\2\0isomiso2") + box(b"mdat", b"rivers" * 40) + box(b"moov", box(b"mvhd", bytes(100)))


def gif(width=1, comment=b""):
    return (
        b"GIF89a" + struct.pack("<HHBBB", width, 1, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff" + comment
        + b",\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
    )


def signed(content):
    """The beginning of a CMS wrapper (RFC 5652) around content, its lengths in definite form."""
    def der(tag, data):
        return bytes([tag, 0x82]) + struct.pack(">H", len(data)) + data

    signed_oid, data_oid = bytes.fromhex("06092a864886f70d010702"), bytes.fromhex("06092a864886f70d010701")
    inner = der(0x30, data_oid + der(0xA0, der(0x04, content)))
    return der(0x30, signed_oid + der(0xA0, der(0x30, b"\2\1\1" + b"1\0" + inner)))


def cases():
    letter = [("letter.txt", b"Dear Ben,\n"), ("notes/rivers.txt", b"The Aare, the Rhine\n")]
    # Two things at once: the bytes at the beginning decide.
    yield "pdf-with-zip-behind", PDF + zip_archive(letter)
    yield "pdf-with-page-inside", PDF.replace(b"1 0 obj\n", b"<html><script>alert(1)</script></html>\n1 0 obj\n", 1)
    yield "png-with-zip-behind", png() + zip_archive(letter)
    yield "gif-that-is-javascript", gif(0x2A2F, b"!\xfe\x06*/=1;//\0")
    yield "zip-with-pdf-inside", zip_archive([("paper.pdf", PDF)], deflated=False)
    yield "zip-behind-a-program", zip_archive(letter, prefix=b"#!/bin/sh\nexec unzip \"$0\"\n")
    yield "signed-wrapper-with-pdf-inside", signed(PDF)
    yield "mail-with-pdf-inside", MAIL + b"\r\n" + PDF
    yield "page-that-shows-pdf", PAGE.encode() + b"<pre>\n" + PDF + b"</pre>\n"
    # What is inside decides, not what comes first.
    yield "docx", zip_archive(office(WORD + "document.main+xml"))
    yield "docx-main-part-elsewhere", zip_archive(office(WORD + "document.main+xml", "/a/b.xml"))
    yield "docm-without-macros", zip_archive(office("application/vnd.ms-word.document.macroEnabled.main+xml"))
    yield "dotx", zip_archive(office(WORD + "template.main+xml"))
    yield "odt-mimetype-last", zip_archive([("content.xml", b"<x/>"), ("mimetype", b"application/vnd.oasis.opendocument.text")])
    first = [("word/document.xml", b"not Word"), ("readme.txt", b"hello\n")]
    yield "zip-whose-first-entry-lies", zip_archive(first)
    yield "zip-whose-local-name-lies", zip_archive([("mimetype", b"application/epub+zip")], ["a.txt"], deflated=False)
    yield "zip-named-like-a-document-inside", zip_archive([("[Content_Types].xml", b"<Types/>"), ("a.txt", b"a")])
    # Text that only looks like something.
    yield "http-response", b"HTTP/1.1 200 OK\r\nDate: Mon, 2 Mar 2026 09:00:00 GMT\r\nContent-Type: text/html\r\nFrom: a@example.org\r\n\r\nhi\r\n"
    yield "headings-like-mail", b"Subject: to change\nNote: this is a list\n\nof things.\n"
    yield "text-from-here-on", b"From here on it is downhill.\nTo: nobody in particular\n"
    yield "text-about-pdf", b"%PDF-1.4 is what such a file begins with.\nNothing else here is one.\n"
    yield "text-about-gif", b"GIF89a is a format of 1989, and this is a sentence about it.\n"
    yield "text-about-zip", b"PK is how zip archives begin: Phil Katz.\n"
    yield "text-about-programs", b"MZ are the initials of Mark Zbikowski.\n"
    yield "text-about-bitmaps", b"BMP files begin with BM, as this line does.\n"
    yield "text-with-angle-brackets", b"if a < b and c > d then <nothing> happens\n"
    yield "json-that-is-not", b"{this is not JSON, it is prose in braces}\n"
    yield "list-with-commas", b"Bread, butter, and cheese\nMilk\nEggs, if there are any\n"
    yield "memo", b"To: All staff\nFrom: The office\nDate: Monday\nSubject: Parking\n\nPlease walk.\n"
    yield "settings-like-mail", b"from: ada\nto: ben\nsubject: hello\nbody: |\n  Rivers rise.\n"
    yield "ticket", b"Subject: broken\nStatus: open\nPriority: high\nFrom: Ada\nDate: today\n\nThe pump stands still.\n"
    yield "verse-with-commas", b"Roses, red, and sweet\nViolets, blue, and shy\nSugar, white, and fine\nAnd you, dear, my own\n"
    yield "markdown-with-heading", b"<h1 align=\"center\">Rivers</h1>\n\nTells, **fast**, how high they are. See [levels](https://example.org).\n"
    yield "markdown-with-logo", b"<div align=\"center\">\n  <a href=\"/\"><img src=\"logo.png\" alt=\"Rivers\"></a>\n</div>\n\nRivers\n======\n\nHow high they are.\n"
    yield "settings-with-information", b"[INFORMATION]\nname=Rivers\nversion=2\n"
    yield "settings-with-playlist", b"[playlist]\nshuffle=true\n"
    yield "table-with-id-and-parent", b"ID;Parent;Name\n1;0;Aare\n2;1;Emme\n"
    yield "index-of-a-book", b"Index: of the book\n==================\nAare 3\n"
    yield "text-about-pixmaps", b"P6 12 14 20 people came to the meeting\n"
    yield "text-signed-by-openpgp", b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nThe Aare is high.\n"
    # Noise that begins as something does.
    noise = bytes((i * i * 167 + i * 91 + 13 >> 3) & 255 for i in range(4_000))
    for name, first in [
        ("gzip", b"\x1f\x8b\xe3"), ("compress", b"\x1f\x9d\x60"), ("bzip2", b"BZh\0"), ("zlib", b"\x78\x9c"),
        ("cpio", b"\xc7\x71"), ("mpeg-audio", b"\xff\xfb"), ("pixmap", b"P6\n\0"),
    ]:
        yield "noise-like-" + name, first + noise
    # One thing, written oddly.
    yield "mail", MAIL + b"\r\nThe Aare is high.\r\n"
    yield "page-behind-white-space", b" \t\r\n" * 1_024 + PAGE.encode()
    yield "page-behind-comment", b"<!-- " + b"saved by hand " * 200 + b"-->\n" + PAGE.encode()
    # The element SVG is a part of HTML, and the script after it would run in a browser.
    yield "page-that-begins-with-a-drawing", b'<!DOCTYPE html><svg xmlns="http://www.w3.org/2000/svg"></svg><script>1</script>\n'
    yield "page-utf16le", b"\xff\xfe" + PAGE.encode("utf-16-le")
    yield "page-utf16be", b"\xfe\xff" + PAGE.encode("utf-16-be")
    yield "page-utf8-mark", b"\xef\xbb\xbf" + PAGE.encode()
    yield "page-latin1", PAGE.encode("latin-1")
    yield "card-utf16", b"\xff\xfe" + CARD.encode("utf-16-le")
    yield "card-utf8-mark", b"\xef\xbb\xbf" + CARD.encode()
    yield "text-utf16be-unmarked", ("UTF-16とは、文字の符号化の方式です。\n" * 4).encode("utf-16-be")
    yield "numbers-like-text-utf16be", "Data".encode("utf-16-be") + b"".join(struct.pack(">H", i * 7919 % 65_536) for i in range(1, 200))
    yield "text-utf16", b"\xff\xfe" + "Die Aare steigt.\r\n".encode("utf-16-le")
    yield "json-utf8-mark", b"\xef\xbb\xbf" + b'{"rivers": ["Aare", "Rhine"]}\n'
    yield "drawing-utf16", b"\xff\xfe" + '<?xml version="1.0" encoding="UTF-16"?><svg xmlns="http://www.w3.org/2000/svg"/>'.encode("utf-16-le")
    yield "pdf-behind-junk", b"\r\n\r\nsent by a fax machine\r\n" + PDF
    # Whole: nothing is missing, whatever comes behind the end.
    yield "pdf", PDF
    yield "pdf-with-words-behind", PDF + b"\r\nsent by a fax machine\r\n" * 60
    yield "pdf-that-was-changed", PDF + PDF[PDF.index(b"1 0 obj"):]
    yield "png", png()
    yield "jpeg", jpeg()
    yield "jpeg-with-thumbnail", jpeg(thumbnail=jpeg(8))
    yield "jpeg-with-movie-behind", jpeg() + mp4()
    yield "mp4", mp4()
    yield "mp4-with-words-behind", mp4() + b"sent by a camera"
    yield "mp4-data-up-to-the-end", box(b"ftyp", b"isom\0\0\2\0isom") + box(b"moov", bytes(16)) + b"\0\0\0\0mdatrivers"
    yield "zip", zip_archive(letter)
    yield "zip-with-comment", zip_archive(letter)[:-2] + b"\x0c\0as requested"
    # Cut off: the end that the format prescribes is missing.
    linear = PDF + PDF[PDF.index(b"1 0 obj"):]
    yield "pdf-cut-off", PDF[:120]
    yield "pdf-for-the-web-cut-off", linear[:len(PDF) + 60]
    yield "png-cut-off", png()[:20]
    yield "png-cut-off-before-its-end", png()[:-12]
    yield "jpeg-cut-off", jpeg()[:-9]
    yield "jpeg-cut-off-in-its-header", jpeg()[:60]
    yield "jpeg-with-thumbnail-cut-off", jpeg(thumbnail=jpeg(8))[:-9]
    yield "zip-cut-off", zip_archive(letter)[:60]
    yield "zip-cut-off-before-its-directory", zip_archive(letter)[:-80]
    yield "docx-cut-off", zip_archive(office(WORD + "document.main+xml"))[:-200]
    yield "mp4-cut-off", mp4()[:200]
    yield "mp4-without-index", mp4()[:-116]


def main():
    TYPES.mkdir(exist_ok=True)
    for name, data in cases():
        (TYPES / name).write_bytes(data)


if __name__ == "__main__":
    main()

"""The inputs: the same bytes in each run of a script, from a seed."""

import collections
import functools
import os
import pathlib
import random
import struct
import zlib

from harness.program import ROOT, say

KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30
WORDS = """river delta sluice gate water level summer winter bridge harbour letter invoice report table number street garden
window paper north south morning evening station train ticket reading writing people meeting answer question picture
colour market village forest mountain island weather history science music kitchen bread apple coffee table minute
measure weight length budget balance contract order delivery address telephone message""".split()
# The program skips names with these suffixes, or opens them as something other than a file.
UNWANTED_SUFFIXES = {".part", ".crdownload", ".tmp", ".download", ".partial", ".share", ".swp", ".opdownload"}


def corpus_folder():
    return pathlib.Path(os.environ.get("SLUICE_CORPUS") or ROOT.parent / "shared/corpus")


def has_corpus():
    return (corpus_folder() / "truth.tsv").exists()


def files_below(folder):
    found = sorted(str(path) for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return [path for path in found if "\n" not in path]


@functools.cache
def corpus_files():
    """All files of the corpus. Without one, the samples, with a message."""
    if has_corpus():
        return files_below(corpus_folder() / "files")
    say("no corpus; using the samples. Set SLUICE_CORPUS to the folder of a corpus")
    return files_below(ROOT / "Samples")


def corpus_labels():
    """Yields the path, the type and the class of each labeled file; nothing without a corpus."""
    if has_corpus():
        for line in (corpus_folder() / "truth.tsv").read_text().splitlines()[1:]:
            path, type_, _, kind = line.split("\t")
            yield str(corpus_folder() / "files" / path), type_, kind


def corpus_classes():
    """The labeled files by class; empty without a corpus."""
    classes = collections.defaultdict(list)
    for path, _, kind in corpus_labels():
        classes[kind].append(path)
    return classes


def one_of_each_type():
    """The first labeled file of each type; empty without a corpus."""
    types = {}
    for path, type_, _ in corpus_labels():
        types.setdefault(type_, path)
    return list(types.values())


@functools.cache
def cut_sources():
    """The corpus files that can be cut: at least 1 KiB, with a suffix that the program does not treat specially."""
    paths = [pathlib.Path(path) for path in corpus_files()]
    return [path for path in paths if path.stat().st_size >= KIB and has_plain_suffix(path)]


def has_plain_suffix(path):
    return path.suffix.lower() not in UNWANTED_SUFFIXES and path.suffix[1:].isalnum() and path.suffix.isascii()


@functools.cache
def prose():
    draw = random.Random(4)
    return " ".join(draw.choices(WORDS, k=160_000)).encode()


def text(draw, size, mark):
    """Words, after the mark."""
    start = draw.randrange(len(prose()) - size)
    return (mark.encode() + b"\n" + prose()[start : start + size])[:size]


def cutting(draw, size, mark):
    """The beginning of a corpus file with the mark at the end, and the suffix of the file."""
    source = draw.choice(cut_sources())
    with open(source, "rb") as file:
        head = file.read(size)
    return head[: size - len(mark) - 1] + b"\n" + mark.encode(), source.suffix.lower()


def realistic_mix(folder, count, mark="mix"):
    """Writes files of 1 to 50 KiB: two thirds from the corpus, one third words, all different, 100 in each folder.

    Returns the sum of their sizes. A different mark gives different files of the same kinds.
    """
    draw = random.Random(mark)
    total = 0
    for index in range(count):
        size = draw.randint(KIB, 50 * KIB)
        name = f"{mark}-{index:06}"
        content, suffix = cutting(draw, size, name) if index % 3 else (text(draw, size, name), ".txt")
        total += len(content)
        write(folder / f"{index // 100:04}" / f"{name}{suffix}", content)
    return total


def tiny_texts(folder, start, count):
    """Writes files of about 100 bytes, numbered from `start`, 1,000 in each folder."""
    draw = random.Random(f"tiny {start}")
    for index in range(start, start + count):
        name = f"{draw.choice(WORDS)}-{index:07}"
        write(folder / f"{index // 1000:04}" / f"{name}.txt", text(draw, 100, name))


def equal_names(folder, start, count):
    """Writes different files `note.txt`, numbered from `start`, each in a folder of its own."""
    for index in range(start, start + count):
        write(folder / f"{index // 1000:04}" / f"{index:07}" / "note.txt", f"note {index}\n".encode())


def png(draw):
    """A picture of 32 × 32 pixels of noise, about 3 KiB."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 2, 0, 0, 0))
    rows = b"".join(b"\0" + draw.randbytes(96) for _ in range(32))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def random_file(path, size):
    """Writes random bytes, which no file system can compress. They stay in the page cache if there is enough memory."""
    with open(path, "wb") as file:
        for _ in range(size // MIB):
            file.write(os.urandom(MIB))
    return size


def write(path, content):
    try:
        path.write_bytes(content)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

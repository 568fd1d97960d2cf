"""Compares `sluice identify` with `file`: the processor time for each file, the peak memory, and the reads of files of
4 GiB."""

import os
import subprocess
import sys

from harness.inputs import GIB, corpus_classes, corpus_files, one_of_each_type
from harness.measuring import measure
from harness.program import PROGRAM, has
from harness.tables import Table

LIST_LENGTH = 5_000
# Half of all files are PDFs, and a tenth are pages. In the mix, no type counts more than another.
MIX, EVERYTHING = "one file of each type", "all files"
RATIOS = {MIX: 8, EVERYTHING: 5}


def run(options, place, floors):
    listed(options.rounds, place, floors)
    reads(place)


def repeated(paths):
    return (paths * (LIST_LENGTH // len(paths) + 1))[:LIST_LENGTH]


def one_core():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def one(command):
    return measure(command, accepted=(0, 1), prepare=one_core, memory=0)


def listed(rounds, place, floors):
    """Runs `sluice identify --files-from LIST` and `file --mime-type -f LIST` in turn, on one core."""
    if not has("file"):
        return
    classes, everything = corpus_classes(), corpus_files()
    media = [path for kind in ("pdf", "image", "audio", "video") for path in classes[kind]]
    work = {MIX: one_of_each_type(), EVERYTHING: everything, "PDF, image, audio, video": media} | dict(sorted(classes.items()))
    version = subprocess.run(["file", "--version"], capture_output=True, text=True).stdout.split()[0]
    title = f"identify, {LIST_LENGTH:,} files, one core, best of {rounds}; microseconds of processor time for each"
    table = Table(title, 28, (version, 10), ("sluice", 9), ("ratio", 8), ("peak MB", 9))
    for name, paths in work.items():
        if not paths or "|" in name:
            continue
        names = place / "list"
        names.write_text("".join(path + "\n" for path in repeated(paths)))
        runs = [
            (one(["file", "--mime-type", "-f", names]), one([PROGRAM, "identify", "--files-from", names]))
            for _ in range(rounds)
        ]
        theirs = min(run[0].cpu for run in runs) / LIST_LENGTH * 1e6
        ours = min(run[1].cpu for run in runs) / LIST_LENGTH * 1e6
        if name in RATIOS:
            floors.at_least(f"identify, {name}: processor time of file / ours", theirs / ours, RATIOS[name])
        table.row(name, theirs, ours, theirs / ours, max(run[1].peak for run in runs))


def reads(place):
    """Counts the reads of sparse files of 4 GiB with data only at their beginning."""
    if not has("strace"):
        return
    table = Table("reads of a file of 4 GiB", 40, ("pread", 8), ("bytes", 12))
    for head, name in large_heads():
        path = place / "large"
        with open(path, "wb") as file:
            file.write(head)
            file.truncate(4 * GIB)
        command = ["strace", "-f", "-y", "-e", "trace=pread64,lseek,read,readv,mmap", PROGRAM, "identify", path]
        trace = subprocess.run(command, capture_output=True, text=True).stderr
        lines = [line for line in trace.splitlines() if f"<{path}>" in line]
        counts = [int(line.rsplit("=", 1)[1]) for line in lines if "pread64" in line]
        others = [line for line in lines if "pread64" not in line]
        if others:
            sys.exit(f"bench: a read that is not counted: {others[0]}")
        table.row(name, len(counts), sum(counts))
        path.unlink()


def large_heads():
    """Beginnings of files that make a reader look far inside."""
    ole = bytearray(512)
    ole[:8] = bytes.fromhex("D0CF11E0A1B11AE1")
    ole[0x18:0x20] = bytes.fromhex("3E000300FEFF0900")
    ole[0x30:0x34] = (3 << 20).to_bytes(4, "little")
    for place in range(109):
        ole[0x4C + 4 * place : 0x50 + 4 * place] = (place * 7919 + 1).to_bytes(4, "little")
    yield b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0", "PNG"
    yield b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "PDF"
    yield b"PK\3\4\x14\0\0\0\x08\0" + bytes(20) + b"a", "zip without a directory"
    yield bytes(ole), "OLE, directory far inside"
    yield b"bplist00\xd1\1\2", "property list"
    yield b"\0\0\0\x18ftypisom\0\0\2\0isomiso2" + b"\0\0\0\1mdat\0\0\0\0\xf0\0\0\0", "MP4"
    yield b"II*\0\0\0\0\x80", "TIFF, directory far inside"
    yield b"ID3\4\0\0\x0f\x7f\x7f\x7f", "MP3 behind a large tag"
    yield b"<html>\n" * 20_000, "HTML, then zeros"
    yield b"", "zeros"

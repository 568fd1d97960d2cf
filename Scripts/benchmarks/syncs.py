"""Compares ways to make a batch durable, one syncfs or an fsync for each file, on all file systems available here."""

import contextlib
import ctypes
import os
import random
import time

from harness.disks import KINDS, CannotMount, mounted, own_mounts
from harness.inputs import KIB, MIB
from harness.measuring import scaled
from harness.places import Numbered
from harness.program import say
from harness.tables import Table

BATCH = 256
DISK = 512 * MIB
MOST_ROUNDS = 3
LIBC = ctypes.CDLL(None, use_errno=True)


def run(options, place, floors):
    """Runs in a child process, so that its mounts stay in their own namespace."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            compare(options, place)
            status = 0
        finally:
            os._exit(status)
    os.waitpid(child, 0)


def compare(options, place):
    count = scaled(options, 2_048)
    rounds = min(options.rounds, MOST_ROUNDS)
    title = f"{count:,} files of 1 to 50 KiB written, renamed and made durable, {BATCH} a batch; files/s, best of {rounds}"
    table = Table(title, 24, *((name, width) for name, (_, width) in WAYS.items()), ("ratio", 8))
    folders = Numbered(place)
    try:
        own_mounts()
    except CannotMount as reason:
        say(f"file systems: {reason}")
        row(table, "here", folders.folder("here"), count, rounds)
        return
    row(table, "here", folders.folder("here"), count, rounds)
    for kind in KINDS:
        try:
            folder = folders.folder("disk")
            with mounted(kind, folder, DISK) as point:
                row(table, kind, point, count, rounds)
        except CannotMount as reason:
            say(f"{kind}: {reason}")


def row(table, name, point, count, rounds):
    """Prints the files for each second of each way, and the ratio of one syncfs to an fsync for each file."""
    quickest = {}
    for turn in range(rounds):
        for index, (way, (settle, _)) in enumerate(WAYS.items()):
            folder = point / f"{turn}-{index}"
            seconds = write_all(folder, count, settle)
            quickest[way] = min(quickest.get(way, seconds), seconds)
    speeds = [count / seconds for seconds in quickest.values()]
    table.row(name, *speeds, speeds[1] / speeds[-1])


def write_all(folder, count, settle):
    """The seconds for writing all files. Each batch is renamed to its final names and made durable."""
    staging, final = folder / "staging", folder / "objects"
    for index in range(256):
        (final / f"{index:02x}").mkdir(parents=True)
    staging.mkdir()
    os.sync()
    draw, content = random.Random(1), os.urandom(50 * KIB)
    begin = time.perf_counter()
    for start in range(0, count, BATCH):
        batch = []
        for number in range(start, min(start + BATCH, count)):
            path = staging / str(number)
            path.write_bytes(content[: draw.randint(KIB, 50 * KIB)])
            batch.append((path, final / f"{draw.randrange(256):02x}" / str(number)))
        settle(batch, folder)
    return time.perf_counter() - begin


def without_sync(batch, _):
    for staged, name in batch:
        os.rename(staged, name)


def one_syncfs(batch, folder):
    without_sync(batch, folder)
    with opened(folder) as descriptor:
        if LIBC.syncfs(descriptor):
            raise OSError(ctypes.get_errno(), "syncfs")


def fsync_after_all(batch, folder):
    """Starts all writes first, so that the disk can do several at once. Then syncs each file, then each folder once."""
    for staged, _ in batch:
        with opened(staged) as descriptor:
            LIBC.sync_file_range(descriptor, 0, 0, 2)
    for staged, _ in batch:
        fsync(staged)
    without_sync(batch, folder)
    for parent in {name.parent for _, name in batch}:
        fsync(parent)


def fsync_each(batch, _):
    for staged, name in batch:
        fsync(staged)
        os.rename(staged, name)
        fsync(name.parent)


def fsync(path):
    with opened(path) as descriptor:
        os.fsync(descriptor)


@contextlib.contextmanager
def opened(path):
    """Opens a path for reading during a `with` block."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


WAYS = {
    "no sync": (without_sync, 9),
    "one syncfs": (one_syncfs, 12),
    "fsync each, a batch": (fsync_after_all, 21),
    "fsync each": (fsync_each, 12),
}

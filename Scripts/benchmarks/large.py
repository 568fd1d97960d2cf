"""Compares the ingestion of one file of 4 GiB with a durable copy, and with hashing alone."""

import collections
import shutil

from benchmarks.peers import Sluice
from harness.inputs import GIB, MIB, random_file
from harness.measuring import best, measure
from harness.places import free_bytes
from harness.program import has, say
from harness.tables import Table

COPY = 'cp "$1" "$2" && sync "$2" "$(dirname "$2")"'
MOST_ROUNDS = 3


def run(options, folders, floors):
    size = 512 * MIB if options.quick else 4 * GIB
    rounds = min(options.rounds, MOST_ROUNDS)
    place = folders.folder("large")
    if free_bytes(place) < 4 * size:
        say(f"one large file: skipped, because {place} needs {4 * size / GIB:.0f} GiB of free space")
        return
    source = place / "large.bin"
    random_file(source, size)
    has("openssl")
    runs = measured(rounds, folders, source)
    report(size, rounds, runs, floors)
    source.unlink()


def measured(rounds, folders, source):
    """Runs each command in turn. The few large files of a run are removed after it, to save disk space."""
    runs = collections.defaultdict(list)
    for turn in range(rounds):
        folder = folders.folder("large")
        sluice = Sluice(folder)
        commands = [(sluice.name, sluice.command(source, None)), ("cp, sync", ["sh", "-c", COPY, "sh", source, folder / "copy"])]
        commands += [("openssl dgst -sha256", ["openssl", "dgst", "-sha256", source])] if shutil.which("openssl") else []
        for name, command in commands if turn % 2 == 0 else reversed(commands):
            warm(source)
            runs[name].append(measure(command, memory=source.stat().st_size + GIB))
            empty(folder)
    return runs


def warm(source):
    with open(source, "rb", buffering=0) as file:
        while file.read(MIB):
            pass


def empty(folder):
    for path in folder.rglob("*"):
        if path.is_file() and path.stat().st_size >= 100 * MIB:
            path.unlink()


def report(size, rounds, runs, floors):
    title = f"one file of {size / GIB:g} GiB, durable; best of {rounds}"
    table = Table(title, 28, ("seconds", 9), ("GB/s", 8), ("CPU s", 8), ("peak MB", 9), ("ratio", 8))
    ours = best(runs[Sluice.name])
    for name in sorted(runs, key=lambda name: name != Sluice.name):
        its = best(runs[name])
        ratio = None if name == Sluice.name else ours.seconds / its.seconds
        table.row(name, its.seconds, size / its.seconds / 1e9, its.cpu, its.peak, ratio)
    slower = max(best(of).seconds for name, of in runs.items() if name != Sluice.name)
    floors.at_most(f"{size / GIB:g} GiB: times the time of the slower of cp and openssl", ours.seconds / slower, 1.25)
    floors.at_most(f"{size / GIB:g} GiB: peak memory, MiB", ours.peak, 64)

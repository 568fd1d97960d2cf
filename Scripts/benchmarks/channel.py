"""Compares the channel between processes with bare sockets."""

import os
import statistics
import subprocess

from harness.measuring import scaled
from harness.places import Numbered
from harness.program import ROOT
from harness.tables import Table

REQUESTS = 20_000
LISTENERS = 500


def run(options, place, floors):
    folders = Numbered(place)
    program = built()
    count = scaled(options, REQUESTS)
    rates = {"requests": [], "echo": [], "bytes": []}
    # In turns, so that a disturbance meets all.
    for _ in range(options.rounds):
        for what, found in rates.items():
            found.append(float(measured(program, what, folders, count)))
    table = Table(f"{count:,} round trips of a line of 200 bytes, between two processes, in one second", 34, ("median", 10), ("best", 10))
    for name, what in (("channel", "requests"), ("bare socket pair, same coding", "echo"), ("bare socket pair, no coding", "bytes")):
        table.row(name, statistics.median(rates[what]), max(rates[what]))
    ratio = statistics.median(rates["requests"]) / statistics.median(rates["echo"])
    floors.at_least("round trips, relative to a bare socket pair", ratio, 0.6)
    pairs = [
        [float(word) for word in line.split()]
        for _ in range(options.rounds)
        for line in measured(program, "broadcast", folders, LISTENERS).splitlines()
    ]
    whole, writes = zip(*pairs)
    table = Table(f"microseconds of one message to {LISTENERS} listeners", 34, ("median", 10), ("best", 10))
    table.row("broadcast", statistics.median(whole), min(whole))
    table.row("bare writes", statistics.median(writes), min(writes))
    floors.at_most("a broadcast, relative to bare writes", statistics.median(whole) / statistics.median(writes), 4)


def built():
    """The program that talks to itself. A usual build does not have it."""
    command = ["Scripts/swift", "build", "-c", "release", "--product", "channel-bench", "--scratch-path", ".build/benchmarks"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "SLUICE_BENCHMARKS": "1"}, stdout=subprocess.DEVNULL, check=True)
    return ROOT / ".build/benchmarks/release/channel-bench"


def measured(program, what, folders, count):
    folder = folders.folder("channel")
    return subprocess.run([program, what, folder, str(count)], capture_output=True, text=True, check=True).stdout

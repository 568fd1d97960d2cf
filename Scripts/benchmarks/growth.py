"""Measures large containers: ingestion, `list`, `search` and `library`."""

import collections
import os
import subprocess
import time

from benchmarks.peers import Sluice
from harness.inputs import equal_names, realistic_mix, tiny_texts
from harness.measuring import measure, scaled
from harness.program import PROGRAM, has_command, say
from harness.tables import Table

TRIES = 5
WORD = "invoice"


def run(options, folders, floors):
    few, many = scaled(options, 10_000), scaled(options, 200_000)
    grown = {few: filled(folders, few), many: filled(folders, many)}
    reading(grown[many], many, floors)
    throughput(options, folders, grown, floors)
    library(options, folders, floors)


def filled(folders, count):
    """A container with this number of packages, filled in parts."""
    sluice = Sluice(folders.folder("grown"))
    begin = time.perf_counter()
    for start in range(0, count, 50_000):
        source = folders.folder("tiny")
        tiny_texts(source, start, min(50_000, count - start))
        measure(sluice.command(source, None), memory=0)
    say(f"made a container of {count:,} packages in {time.perf_counter() - begin:.0f} s")
    return sluice


def reading(sluice, count, floors):
    table = Table(f"{count:,} packages; milliseconds, best of {TRIES}", 28, ("first line", 12))
    for words in (["list"], ["list", "--json"], ["search", WORD], ["search", "--json", WORD]):
        command = [PROGRAM, *words, "--container", sluice.container]
        name = " ".join(words)
        times = [first_line(command) for _ in range(TRIES)] if has_command(words[0]) else [None]
        if None in times:
            table.row(name, "missing")
            continue
        fastest = min(times)
        table.row(name, fastest)
        floors.at_most(f"{count:,} packages: first line of `{name}`, ms", fastest, 50)


def first_line(command):
    """The milliseconds until the first line; None if there is no line."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    received = b""
    while b"\n" not in received and (piece := os.read(process.stdout.fileno(), 65536)):
        received += piece
    elapsed = (time.perf_counter() - begin) * 1000
    process.kill()
    process.stdout.close()
    process.wait()
    return elapsed if b"\n" in received else None


def throughput(options, folders, grown, floors):
    """Ingests the same number of new files into each container. The container with one package is new in each round."""
    new = scaled(options, 2_000)
    runs = collections.defaultdict(list)
    for turn in range(options.rounds):
        sources = {count: folders.folder("mix") for count in (1, *grown)}
        for count, source in sources.items():
            realistic_mix(source, new, f"round {turn}")
        for count, sluice in {1: filled(folders, 1), **grown}.items():
            runs[count].append(measure(sluice.command(sources[count], None)))
    title = f"{new:,} new files into containers of different sizes; best of {options.rounds}"
    table = Table(title, 28, ("seconds", 9), ("files/s", 10), ("CPU s", 8), ("peak MB", 9), ("of the first", 14))
    first = min(run.seconds for run in runs[1])
    for count, of in runs.items():
        fastest = min(of, key=lambda run: run.seconds)
        share = first / fastest.seconds
        table.row(f"{count:,} there", fastest.seconds, new / fastest.seconds, fastest.cpu, fastest.peak, share)
        if count > 1:
            floors.at_least(f"throughput at {count:,} packages, of that at 1", share, 0.9)


def library(options, folders, floors):
    """Updates the folder `library` of one container with more and more files of one name."""
    sluice = Sluice(folders.folder("library"))
    command = [PROGRAM, "library", "--container", sluice.container]
    table = Table(
        "files of one name in the library", 28,
        ("new", 9), ("seconds", 9), ("CPU s", 8), ("CPU µs each", 13), ("again, CPU s", 14), ("peak MB", 9))
    there, costs = 0, []
    for total in (scaled(options, count) for count in (500, 5_000, 50_000)):
        source, new = folders.folder("equal"), total - there
        equal_names(source, there, new)
        measure(sluice.command(source, None), memory=0)
        run, again = measure(command), measure(command)
        costs.append(run.cpu / new)
        table.row(f"{total:,} files", new, run.seconds, run.cpu, costs[-1] * 1e6, again.cpu, run.peak)
        there = total
    # The first run is short, so that the start of the process counts.
    floors.at_most("the cost of the 50,000th equal name, of that of the 5,000th", costs[2] / costs[1], 1.5)

"""Measures the peak memory for many small files, which must not grow with their number."""

from benchmarks.peers import Sluice
from harness.inputs import tiny_texts
from harness.measuring import measure, scaled
from harness.tables import Table


def run(options, folders, floors):
    counts = [scaled(options, count) for count in (20_000, 100_000)]
    table = Table("peak memory, files of about 100 bytes", 28, ("seconds", 9), ("files/s", 10), ("peak MB", 9))
    peaks = []
    for count in counts:
        source = folders.folder("tiny")
        tiny_texts(source, 0, count)
        run = measure(Sluice(folders.folder("memory")).command(source, None))
        table.row(f"{count:,} files", run.seconds, count / run.seconds, run.peak)
        peaks.append(run.peak)
    floors.at_most(f"{counts[1]:,} files: peak memory, MiB", peaks[1], 96)
    floors.at_most(f"peak of {counts[1]:,} files, times that of {counts[0]:,}", peaks[1] / peaks[0], 1.1)

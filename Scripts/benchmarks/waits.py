"""Measures whether two processes that search, and one that ingests into the same container, wait for each other."""

import subprocess
import threading
import time

from benchmarks.zipf import queries, texts
from harness.measuring import scaled
from harness.program import PROGRAM, ingest
from harness.tables import Table

FILES = 20_000
SEARCHERS = 2
IDLE_SEARCHES = 200
# The time between two searches of one process, in seconds.
PAUSE = 0.2


def run(options, folders, floors):
    count = scaled(options, FILES)
    old, new, other, last = (folders.folder("texts") for _ in range(4))
    for number, folder in enumerate((old, new, other, last)):
        texts(folder, count, seed=number)
    container, elsewhere, alone = (folders.folder("waits") / "container" for _ in range(3))
    for folder in (container, elsewhere, alone):
        finish(start(folder, old))
        search(folder, "nosuchword")
    table = Table(
        f"ms of a search in {count:,} texts by {SEARCHERS} processes, while {count:,} files are ingested",
        34, ("searches", 10), ("p50", 8), ("p99", 8), ("most", 8), ("files/s", 10),
    )  # fmt: skip
    idle = searched(container, lambda searches: searches >= IDLE_SEARCHES)
    row(table, "no ingestion", idle)
    without = timed(start(alone, new))
    row(table, "ingestion, no search", [], count / without)
    before, first, _ = both(container, elsewhere, new)
    row(table, "ingestion into another container", before, count / first)
    together, shared, rest = both(container, container, other)
    row(table, "ingestion into the same container", together, count / shared)
    # The ingestion has ended, and each first reads what it left for the index.
    row(table, "the searches at the end of that", rest)
    after, second, _ = both(container, elsewhere, last)
    row(table, "another one, with twice the texts", after, count / second)
    # The processor is shared in each case, and the container has grown from the first size to the last. What is left of
    # the difference is a wait, or the work of reading what came in.
    ratio = 2 * quantile(together, 0.99) / (quantile(before, 0.99) + quantile(after, 0.99))
    floors.at_most("p99 of a search, relative to ingestion elsewhere", ratio, 1.5)
    # One that waits for the ingestion ends after it too, and takes as long.
    floors.at_most("a search at its end, relative to the ingestion", max(rest, default=0) / shared, 0.1)
    floors.at_least("the rate of ingestion, relative to searches elsewhere", (first + second) / 2 / shared, 0.9)


def both(searched_container, container, source):
    """The times of the searches while files are ingested, the seconds of the ingestion, and the times of the searches that
    ended after it."""
    process = start(container, source)
    began = time.perf_counter()
    ended = []
    watcher = threading.Thread(target=lambda: ended.append(finish(process) or time.perf_counter()))
    watcher.start()
    during, after = [], []
    searched(searched_container, lambda _: bool(ended), lambda seconds: (after if ended else during).append(seconds))
    watcher.join()
    if not during:
        raise SystemExit("no search ended during the ingestion: all of them waited, or the texts are too few")
    return during, ended[0] - began, after


def searched(container, is_over, take=lambda _: None):
    """The seconds of the searches of all processes. `take` gets each at its end."""
    times = []

    def repeat(words):
        turn = 0
        while not is_over(len(times)):
            times.append(search(container, words[turn % len(words)]))
            take(times[-1])
            turn += 1
            time.sleep(PAUSE)

    words = queries()
    threads = [threading.Thread(target=repeat, args=(words[number::SEARCHERS],)) for number in range(SEARCHERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def search(container, word):
    begin = time.perf_counter()
    result = subprocess.run([PROGRAM, "search", word, "--container", container], capture_output=True, text=True)
    if result.returncode not in (0, 1):
        raise SystemExit(f"sluice search {word}: status {result.returncode}: {result.stderr}")
    return time.perf_counter() - begin


def start(container, source):
    return subprocess.Popen(ingest(container, source, options=["--quiet"]), stdout=subprocess.DEVNULL)


def timed(process):
    begin = time.perf_counter()
    finish(process)
    return time.perf_counter() - begin


def finish(process):
    if process.wait():
        raise SystemExit(f"sluice ingest: status {process.returncode}")


def quantile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def row(table, name, times, rate=None):
    milliseconds = [quantile(times, share) * 1000 if times else None for share in (0.5, 0.99, 1)]
    table.row(name, len(times) or None, *milliseconds, rate)

"""Compares the search index with recoll: the rate of indexing, its size and memory, and the time to the first hit."""

import random
import shutil
import statistics
import subprocess

from harness.inputs import corpus_folder
from harness.measuring import measure, scaled
from harness.places import Numbered
from harness.program import PROGRAM, has, ingest
from harness.tables import Table

TEXTS = 100_000
SEED = 1977
QUERIES = 40
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()


def run(options, place, floors):
    folders = Numbered(place)
    source = folders.folder("texts")
    size = texts(source, scaled(options, TEXTS))
    corpus = corpus_folder() / "files"
    container = folders.folder("full") / "container"
    measure(ingest(container, source, *[corpus] * corpus.is_dir(), options=["--quiet"]), memory=0, accepted=(0, 1))
    title = f"{scaled(options, TEXTS):,} texts ({size / 1e6:,.0f} MB) and the corpus, best of {options.rounds}"
    table = Table(title, 34, ("seconds", 10), ("MB", 8), ("peak MB", 10), ("ms to a hit", 13), ("median", 9))
    own = [indexed(container) for _ in range(options.rounds)]
    best = min(own, key=lambda run: run.seconds)
    index = container / "search.sqlite"
    times = [milliseconds([PROGRAM, "search", "--limit", "1", word, "--container", container]) for word in queries()]
    table.row("sluice search", best.seconds, megabytes(index), best.peak, min(times), statistics.median(times))
    floors.at_most("the first hit, ms (median)", statistics.median(times), 50)
    floors.at_most("the size of the index, relative to the texts", index.stat().st_size / size, 2.5)
    if not has("recollindex", "recollcmd"):
        return
    settings = recoll(folders, source, corpus)
    peer = []
    for _ in range(options.rounds):
        shutil.rmtree(settings / "xapiandb", ignore_errors=True)
        peer.append(measure(["recollindex", "-c", settings, "-z"], environment={"HOME": str(settings)}))
    other = min(peer, key=lambda run: run.seconds)
    theirs = [milliseconds(["recollq", "-c", settings, "-n", "1", "-b", word]) for word in queries()]
    table.row("recollindex, recollq", other.seconds, megabytes(settings / "xapiandb"), other.peak, min(theirs), statistics.median(theirs))
    floors.at_least("the rate of indexing, relative to recollindex", other.seconds / best.seconds, 2)
    floors.at_most("the time of a search, relative to recollq", statistics.median(times) / statistics.median(theirs), 1)


def indexed(container):
    """Makes the index again, by a search that finds nothing."""
    for ending in ("", "-wal", "-shm"):
        (container / f"search.sqlite{ending}").unlink(missing_ok=True)
    return measure([PROGRAM, "search", "nosuchword", "--container", container], accepted=(1,))


def milliseconds(command):
    return measure(command, accepted=(0, 1), memory=0).seconds * 1000


def vocabulary():
    """Words of two to five syllables, the frequent ones first."""
    source = random.Random(SEED)
    words = {"".join(source.choices(SYLLABLES, k=source.randint(2, 5))) for _ in range(60_000)}
    return sorted(words, key=lambda word: (len(word), word))


def queries():
    """Rare and frequent words."""
    words = vocabulary()
    return [words[int(len(words) * (turn / QUERIES) ** 2)] for turn in range(QUERIES)]


def texts(folder, count):
    """Writes texts with a median of 2 KiB, by Zipf's law; returns their size in bytes."""
    source, words = random.Random(SEED), vocabulary()
    weights = [1 / (rank + 10) for rank in range(len(words))]
    total = 0
    pool = source.choices(words, weights, k=2_000_000)
    for number in range(count):
        length = max(20, int(source.lognormvariate(5.6, 0.8)))
        start = source.randrange(len(pool) - min(length, 100_000))
        text = " ".join(pool[start : start + length]) + ".\n"
        path = folder / f"{number // 1000:03}" / f"{source.choice(words)}-{number}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        total += len(text)
    return total


def recoll(folders, *sources):
    """The settings of recoll for the folders, with one thread more than the processors, as it is by default."""
    settings = folders.folder("recoll")
    places = " ".join(str(source) for source in sources if source.is_dir())
    (settings / "recoll.conf").write_text(f"topdirs = {places}\nskippedNames =\nindexallfilenames = 1\n")
    return settings


def megabytes(path):
    if path.is_dir():
        return int(subprocess.run(["du", "-sb", path], capture_output=True, text=True).stdout.split()[0]) / 1e6
    return path.stat().st_size / 1e6

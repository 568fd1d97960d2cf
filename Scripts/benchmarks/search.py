"""Compares the search index with recoll: the rate of indexing, its size and memory, and the time to the first hit."""

import shutil
import statistics
import subprocess

from benchmarks import waits
from benchmarks.zipf import queries, texts
from harness.inputs import corpus_folder, files_below
from harness.measuring import Run, best, measure, scaled
from harness.places import Numbered
from harness.program import PROGRAM, has, ingest
from harness.tables import Table

FEW, TEXTS = 10_000, 100_000
TRIES = 3
# By default recollindex yields to every other process, and makes a dictionary for corrections. Sluice does neither.
SETTINGS = "topdirs = {}\nskippedNames =\nindexallfilenames = 1\nidxniceprio = 0\nnoaspell = 1\n"


def run(options, place, floors):
    folders = Numbered(place)
    indexing(options, folders, floors)
    waits.run(options, folders, floors)


def indexing(options, folders, floors):
    few, many = folders.folder("texts"), folders.folder("texts")
    texts(few, scaled(options, FEW))
    size = texts(many, scaled(options, TEXTS))
    corpus = corpus_folder() / "files"
    table = Table(
        f"indexing, best of {options.rounds}; the texts have {size / 1e6:,.0f} MB",
        44, ("seconds", 9), ("CPU s", 8), ("files/s", 9), ("MB", 8), ("peak MB", 9),
    )  # fmt: skip
    small = Work(f"{scaled(options, FEW):,} texts", few, folders, options.rounds, table)
    large = Work(f"{scaled(options, TEXTS):,} texts", many, folders, options.rounds, table)
    floors.at_most("the size of the index, relative to the texts", large.megabytes * 1e6 / size, 2.5)
    floors.at_most("peak memory of indexing, relative to a tenth of the texts", large.own.peak / small.own.peak, 1.1)
    for work in (large, Work("the corpus", corpus, folders, options.rounds, table)) if corpus.is_dir() else (large,):
        if work.peer:
            ratio = work.peer.seconds / work.own.seconds
            floors.at_least(f"the rate of indexing {work.name}, relative to recollindex", ratio, 2)
    searches(large, floors)


class Work:
    """Files that both programs index: Sluice from its container, after it has stored and delivered them; recoll from the
    files, which it reads with the help of other programs.
    """

    def __init__(self, name, source, folders, rounds, table):
        self.name, count = name, len(files_below(source))
        self.container = folders.folder("full") / "container"
        taken = measure(ingest(self.container, source, options=["--quiet"]), accepted=(0, 1))
        # A long run makes most of the index meanwhile, and the first search the rest.
        rest = self.search_nothing()
        whole = Run(taken.seconds + rest.seconds, taken.cpu + rest.cpu, max(taken.peak, rest.peak), 0)
        self.own = best([self.indexed() for _ in range(rounds)])
        self.megabytes = megabytes(self.container / "search.sqlite")
        self.row(table, "sluice, from the container", self.own, count, self.megabytes)
        self.row(table, "sluice, from the files", whole, count)
        self.row(table, "- of this the first search", rest, count)
        self.peer = None
        if has("recollindex", "recollcmd"):
            self.settings = folders.folder("recoll")
            (self.settings / "recoll.conf").write_text(SETTINGS.format(source))
            self.peer = best([self.indexed_by_recoll() for _ in range(rounds)])
            self.row(table, "recoll, from the files", self.peer, count, megabytes(self.settings / "xapiandb"))

    def row(self, table, program, run, count, size=None):
        table.row(f"{self.name}: {program}", run.seconds, run.cpu, count / run.seconds, size, run.peak)

    def indexed(self):
        """Makes the index again, by a search that finds nothing."""
        for ending in ("", "-wal", "-shm"):
            (self.container / f"search.sqlite{ending}").unlink(missing_ok=True)
        return self.search_nothing()

    def search_nothing(self):
        return measure([PROGRAM, "search", "nosuchword", "--container", self.container], accepted=(1,))

    def indexed_by_recoll(self):
        """Makes the index again; a new folder has none."""
        shutil.rmtree(self.settings / "xapiandb", ignore_errors=True)
        return measure(["recollindex", "-c", self.settings, "-z"], environment={"HOME": str(self.settings)})


def searches(work, floors):
    """The time of a whole process that prints the best hit."""
    own = {word: [PROGRAM, "search", "--limit", "1", word, "--container", work.container] for word in queries()}
    programs = {"sluice search": own}
    if work.peer:
        programs["recollq"] = {word: ["recollq", "-c", work.settings, "-n", "1", "-b", word] for word in own}
    title = f"milliseconds to the first hit in {work.name}, {len(own)} words, each the best of {TRIES}"
    table = Table(title, 44, ("median", 9), ("least", 8), ("most", 9))
    medians = {}
    for program, commands in programs.items():
        times = [min(milliseconds(command) for _ in range(TRIES)) for command in commands.values()]
        medians[program] = statistics.median(times)
        table.row(program, medians[program], min(times), max(times))
    floors.at_most("the first hit, ms (median)", medians["sluice search"], 50)
    if work.peer:
        ratio = medians["sluice search"] / medians["recollq"]
        floors.at_most("the time of a search, relative to recollq", ratio, 1)


def milliseconds(command):
    return measure(command, accepted=(0, 1), memory=0).seconds * 1000


def megabytes(path):
    if path.is_dir():
        return int(subprocess.run(["du", "-sb", path], capture_output=True, text=True).stdout.split()[0]) / 1e6
    return path.stat().st_size / 1e6

"""Injects system errors at random calls of the real program. It must end cleanly, and a rerun must complete the work."""

import collections
import random
import re

from harness.program import has, ingest
from tortures import load
from tortures.injection import calls_by_name, fail_at, injected
from tortures.state import broken_promises, compared, state
from tortures.trials import acknowledged, run, short, surviving_orphans

CALLS = """openat write pwrite64 copy_file_range rename renameat renameat2 linkat mkdir mkdirat fsync fdatasync syncfs ftruncate
fchmod chmod pread64""".split()
ERRORS = ("ENOSPC", "EIO", "EDQUOT")
READS = ("pread64",)
SANE = (0, 1, 2)
# A run with status 0 promises that its content and rows are durable. A failed sync breaks that promise.
SYNCS = ("fsync", "fdatasync", "syncfs")
# What the promise covers: the objects, and the files that SQLite writes a commit to.
DURABLE = re.compile(r"/container/(objects\b|catalog\.sqlite(-wal|-journal)?\b)")
# The exit status if the dynamic loader gets the error before the program starts.
NOT_STARTED = 127
LEFT_OUT = re.compile(r"the sink at .* is left out:")
LIMIT = 60


def broke_promise(line, place):
    """Whether a sync that failed lets a run that says 0 promise what it cannot keep.

    SQLite ignores that a checkpoint's sync of the database failed, and is right to: it keeps the log, which was synced
    before, and the next checkpoint copies the pages again.
    """
    match = DURABLE.search(line)
    log = place / "container/catalog.sqlite-wal"
    return bool(match) and not (match[1] == "catalog.sqlite" and log.exists() and log.stat().st_size > 0)


class Faults:
    """Runs with plain files only. Their final state does not depend on the choice between representations."""

    def __init__(self, options, folders, report):
        self.options, self.folders, self.report = options, folders, report
        self.source = folders.folder("source") / "in"
        load.plain_files(self.source, options.files, doubles=False)
        place = folders.folder("undisturbed")
        self.undisturbed = run(self.command(place), place)
        self.expected = state(place / "container")
        place = folders.folder("calls")
        self.statuses, self.unnoticed = collections.Counter(), collections.Counter()
        self.calls, _ = calls_by_name(self.command(place), place, CALLS)

    def command(self, place):
        return ingest(place / "container", self.source, options=["--json", "--no-deliver"])

    def trial(self, seed):
        """Injects an error into one call, or into all calls from there on. Returns the findings."""
        draw = random.Random(seed)
        call, error = draw.choice(sorted(self.calls)), draw.choice(ERRORS)
        error = "EIO" if call in READS else error
        place, when, ended, failed = self.disturbed(draw, call, error)
        status = "hung" if ended.hung else ended.status
        self.statuses[status] += bool(failed)
        if failed and status == 0:
            self.unnoticed[f"{call} of {self.named(failed[0])}"] += 1
        found = [] if ended.status == NOT_STARTED else self.unsound(ended, place, call)
        if status == 0 and call in SYNCS:
            found += [f"status 0, but a sync failed: {self.named(line)}" for line in failed if broke_promise(line, place)]
        # The run could not read a sink, and said so. Other sinks got its content; the rerun adds the deliveries to it.
        found += self.not_completed(place, draw, rerouted=bool(LEFT_OUT.search(ended.errors)))
        self.report.trial(f"{error} at {call}", failed, found, f"{seed}: {call} {when}")
        return found

    def disturbed(self, draw, call, error):
        """Usually a run in which a call failed. If the run had no call with this number, the next run uses an earlier one."""
        number, lasts = draw.randint(1, self.calls[call]), draw.choice(("", "+"))
        while True:
            place = self.folders.folder("fault")
            log = place / "injected"
            prefix = fail_at(call, error, f"{number}{lasts}", log)
            ended = run(self.command(place), place, limit=LIMIT, prefix=prefix)
            failed = injected(log)
            if failed or number == 1:
                return place, f"{number}{lasts}", ended, failed
            number = max(1, number // 3)

    def named(self, line):
        """The last path in a line of strace, without the parts that differ between runs."""
        paths = re.findall(r'[<"](/[^>"]*)', line)
        path = paths[-1] if paths else "something"
        return re.sub(r"[0-9a-f]{8,}|\d{3,}[-\d]*", "…", path.rpartition("container")[2] or "the container")

    def unsound(self, ended, place, call):
        """Checks the end of the run, and the container that it left."""
        found = [f"still runs: {orphan}" for orphan in surviving_orphans()]
        if ended.hung or ended.status not in SANE:
            found.append(short(ended, self.command(place)))
        if ended.status == 2 and not ended.errors.strip() and call != "write":
            found.append("status 2 without a message")
        if ended.status == 0 and len(acknowledged(ended.output)) != len(self.expected.packages):
            found.append("status 0, but not all packages are acknowledged")
        return found + broken_promises(place / "container", acknowledged(ended.output))

    def not_completed(self, place, draw, rerouted):
        again = run(self.command(place), place)
        if again.hung or again.status != self.undisturbed.status:
            return ["the rerun: " + short(again, self.command(place))]
        return compared(self.expected, place / "container", draw, self.options.receipts, True, rerouted)


def torture(options, folders, report):
    if not has("strace"):
        report.note("skipped, because strace is missing")
        return
    faults = Faults(options, folders, report)
    if not faults.calls:
        report.note("skipped, because strace cannot trace here")
        return
    for number in range(options.faults):
        with folders.dropped_unless(found := []):
            found += faults.trial(f"{options.seed}-{number}")
    shares = ", ".join(f"{status} {count}x" for status, count in sorted(faults.statuses.items(), key=str))
    report.note(f"exit statuses of the disturbed runs: {shares}")
    for what, count in sorted(faults.unnoticed.items()):
        report.note(f"status 0 although a call failed: {what}, {count}x")

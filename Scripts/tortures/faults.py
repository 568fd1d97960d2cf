"""Errors of the system at random calls of the real program: it ends sanely, and a rerun without them completes."""

import collections
import random

from harness.program import has, ingest
from tortures import load
from tortures.injection import calls_by_name, fail_at
from tortures.state import broken_promises, differences, state
from tortures.trials import acknowledged, run, short, surviving_orphans

CALLS = """openat write pwrite64 copy_file_range rename renameat renameat2 linkat mkdir mkdirat fsync fdatasync syncfs ftruncate
fchmod chmod""".split()
ERRORS = ("ENOSPC", "EIO", "EDQUOT")
SANE = (0, 1, 2)
# What the loader says where it, before the program, meets the error.
NOT_STARTED = 127
LIMIT = 60


class Faults:
    """Runs of plain files, whose state does not depend on which of several representations could be read."""

    def __init__(self, options, folders, report):
        self.options, self.folders, self.report = options, folders, report
        self.source = folders.folder("source") / "in"
        load.plain_files(self.source, options.files, doubles=False)
        place = folders.folder("undisturbed")
        self.undisturbed = run(self.command(place), place)
        self.expected = state(place / "container")
        place = folders.folder("calls")
        self.statuses = collections.Counter()
        self.calls, _ = calls_by_name(self.command(place), place, CALLS)

    def command(self, place):
        return ingest(place / "container", self.source, options=["--json", "--no-deliver"])

    def trial(self, seed):
        """One fault, for one call or for all from then on."""
        draw = random.Random(seed)
        place = self.folders.folder("fault")
        call, error = draw.choice(sorted(self.calls)), draw.choice(ERRORS)
        when = f"{draw.randint(1, self.calls[call])}{draw.choice(('', '+'))}"
        ended = run(self.command(place), place, limit=LIMIT, prefix=fail_at(call, error, when))
        self.statuses["hung" if ended.hung else ended.status] += 1
        found = [] if ended.status == NOT_STARTED else self.unsound(ended, place)
        found += self.not_completed(place, draw)
        self.report.trial(f"{error} at {call}", ended.status, found, f"{seed}: {call} {when}")

    def unsound(self, ended, place):
        """What is wrong with how it ended, and with what it left."""
        found = [f"still runs: {orphan}" for orphan in surviving_orphans()]
        if ended.hung or ended.status not in SANE:
            found.append(short(ended, self.command(place)))
        if ended.status == 2 and not ended.errors.strip():
            found.append("status 2 without a word")
        if ended.status == 0 and len(acknowledged(ended.output)) != len(self.expected.packages):
            found.append("status 0, but not all packages are acknowledged")
        return found + broken_promises(place / "container", acknowledged(ended.output))

    def not_completed(self, place, draw):
        again = run(self.command(place), place)
        if again.hung or again.status != self.undisturbed.status:
            return ["the rerun: " + short(again, self.command(place))]
        return differences(self.expected, state(place / "container", retried=True), draw, self.options.receipts)


def torture(options, folders, report):
    if not has("strace"):
        report.note("left out, since strace is missing")
        return
    faults = Faults(options, folders, report)
    if not faults.calls:
        report.note("left out, since strace may not trace here")
        return
    for number in range(options.faults):
        faults.trial(f"{options.seed}-{number}")
    shares = ", ".join(f"{status} {count}x" for status, count in sorted(faults.statuses.items(), key=str))
    report.note(f"exit statuses of the disturbed runs: {shares}")

"""Errors of the system at random calls of the real program: it ends sanely, and a rerun without them completes."""

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
        self.statuses, self.unnoticed = collections.Counter(), collections.Counter()
        self.calls, _ = calls_by_name(self.command(place), place, CALLS)

    def command(self, place):
        return ingest(place / "container", self.source, options=["--json", "--no-deliver"])

    def trial(self, seed):
        """One fault, for one call or for all from then on. Returns what was found."""
        draw = random.Random(seed)
        call, error = draw.choice(sorted(self.calls)), draw.choice(ERRORS)
        error = "EIO" if call in READS else error
        place, when, ended, failed = self.disturbed(draw, call, error)
        status = "hung" if ended.hung else ended.status
        self.statuses[status] += bool(failed)
        if failed and status == 0:
            self.unnoticed[f"{call} of {self.named(failed[0])}"] += 1
        found = [] if ended.status == NOT_STARTED else self.unsound(ended, place, call)
        found += self.not_completed(place, draw)
        self.report.trial(f"{error} at {call}", failed, found, f"{seed}: {call} {when}")
        return found

    def disturbed(self, draw, call, error):
        """A run in which a call failed, as a rule: where none came so late in a run, an earlier one fails in the next."""
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
        """The last path in a line of strace, without what differs from run to run."""
        paths = re.findall(r'[<"](/[^>"]*)', line)
        path = paths[-1] if paths else "something"
        return re.sub(r"[0-9a-f]{8,}|\d{3,}[-\d]*", "…", path.rpartition("container")[2] or "the container")


    def unsound(self, ended, place, call):
        """What is wrong with how it ended, and with what it left."""
        found = [f"still runs: {orphan}" for orphan in surviving_orphans()]
        if ended.hung or ended.status not in SANE:
            found.append(short(ended, self.command(place)))
        if ended.status == 2 and not ended.errors.strip() and call != "write":
            found.append("status 2 without a word")
        if ended.status == 0 and len(acknowledged(ended.output)) != len(self.expected.packages):
            found.append("status 0, but not all packages are acknowledged")
        return found + broken_promises(place / "container", acknowledged(ended.output))

    def not_completed(self, place, draw):
        again = run(self.command(place), place)
        if again.hung or again.status != self.undisturbed.status:
            return ["the rerun: " + short(again, self.command(place))]
        return compared(self.expected, place / "container", draw, self.options.receipts, retried=True)


def torture(options, folders, report):
    if not has("strace"):
        report.note("left out, since strace is missing")
        return
    faults = Faults(options, folders, report)
    if not faults.calls:
        report.note("left out, since strace may not trace here")
        return
    for number in range(options.faults):
        with folders.dropped_unless(found := []):
            found += faults.trial(f"{options.seed}-{number}")
    shares = ", ".join(f"{status} {count}x" for status, count in sorted(faults.statuses.items(), key=str))
    report.note(f"exit statuses of the disturbed runs: {shares}")
    for what, count in sorted(faults.unnoticed.items()):
        report.note(f"status 0 although it failed: {what}, {count}x")

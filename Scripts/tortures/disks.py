"""Tests full disks, no free inodes, read-only disks and missing permissions: a clear refusal, and a complete rerun."""

import contextlib
import os
import random
import re
import shutil
import subprocess

from harness.disks import KINDS, CannotMount, leave_bytes, leave_inodes, mounted, own_mounts, remount
from harness.inputs import MIB
from harness.program import PROGRAM, has_option, ingest, packages
from tortures import load
from tortures.state import broken_promises, compared, state
from tortures.trials import acknowledged, run, short, shortened, surviving_orphans

ROOM = 10 * MIB
# This is more than the reserve of the program and the whole input together.
SIZE = 192 * MIB
INODES = 4_000
FREE_INODES = 400
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
WORDS = {
    "full": "space|full|reserve",
    # If the first run has filled the disk, the second one may not even make its folder.
    "reserve": "reserve|free some space",
    "inodes": "inode|more files|df -i",
    "read-only": "read-only",
    "permission": "permi",
    "remedy": "free |make room|name a|mend|run again|remount",
}


class Disks:
    """One input, its state after an undisturbed run, and the cases."""

    def __init__(self, options, folders, report, delivers=False):
        self.options, self.folders, self.report = options, folders, report
        self.draw = random.Random(options.seed)
        self.source = folders.folder("source") / "in"
        # This is more than a batch, and more than the space that is left on a full disk.
        count = max(options.files, 600)
        load.both(self.source, count) if delivers else load.plain_files(self.source, count, doubles=False)
        self.flags = ["--json"] if delivers else ["--json", "--no-deliver"]
        self.greedy = ["--reserve", "0"] if has_option("ingest", "--reserve") else []
        self.suffix = ", with sinks" if delivers else ""
        place = folders.folder("undisturbed")
        self.undisturbed = run(self.command(place / "container"), place)
        self.expected = state(place / "container")

    def command(self, container, source=None, options=()):
        return ingest(container, source or self.source, options=[*self.flags, *options])

    def case(self, name, kind, body, **shape):
        """Runs one case on a new disk. If the disk is not available, the report has the reason."""
        place = self.folders.folder("disk")
        try:
            with mounted(kind, place, SIZE, **shape) as point:
                found = body(point, point / "container", place)
                found += [f"still runs: {orphan}" for orphan in surviving_orphans()]
            self.report.trial(f"{name}, {kind}{self.suffix}", True, found, f"seed {self.options.seed}")
        except CannotMount as reason:
            self.report.note(f"{name}, {kind}: skipped: {reason}")

    def full(self, point, container, place):
        """A full disk: first without a reserve, if the program has that option, then with its reserve."""
        ballast = leave_bytes(point, ROOM)
        found = self.refused(container, place, "full", self.greedy)
        if self.greedy:
            found += self.refused(container, place, "reserve")
        if point_kind(point) == "tmpfs":
            remount(point, f"size={4 * SIZE}")
        else:
            remove(ballast)
        return found + self.completed(container, place)

    def inodes(self, point, container, place):
        ballast = leave_inodes(point, FREE_INODES)
        found = self.refused(container, place, "inodes", self.greedy)
        remove(ballast)
        return found + self.completed(container, place)

    def read_only(self, point, container, place):
        half = self.source / "0000"
        run(self.command(container, half if half.exists() else self.source), place)
        remount(point, "ro")
        found = self.refused(container, place, "read-only")
        found += [f"no container before: {line}" for line in self.refused(point / "new", place, "read-only")]
        remount(point, "rw")
        return found + self.completed(container, place)

    def refused(self, container, place, why, options=()):
        """Checks a refusal: status 2, a message with the reason and the remedy, and no loss of stored packages."""
        command = self.command(container, options=options)
        ended = run(command, place)
        known = acknowledged(ended.output)
        if ended.hung or ended.status != 2:
            return ["expected status 2: " + short(ended, command)] + self.usable(container, place, known)
        found = [
            f"no mention of “{wanted}”: {shortened(ended.errors.strip())}"
            for wanted in (WORDS[why], WORDS["remedy"], re.escape(str(container.parent)))
            if not re.search(wanted, ended.errors, re.IGNORECASE)
        ]
        if why in ("full", "inodes"):
            self.count(container, f"{why}, {point_kind(container.parent)}{self.suffix}", known)
        return found + self.usable(container, place, known)

    def count(self, container, kind, known):
        try:
            listed = len(packages(container)) if (container / "format").exists() else 0
        except RuntimeError:
            return
        in_all = len(self.expected.packages)
        self.report.note(f"{kind}: {listed} of {in_all} packages were stored at its end, {len(known)} of them acknowledged")

    def usable(self, container, place, known):
        if not (container / "format").exists():
            return ["acknowledged, but there is no container"] if known else []
        command = [PROGRAM, "list", "--container", container]
        listed = run(command, place)
        if listed.status == 2 and re.search("read-only", listed.errors, re.IGNORECASE):
            return []
        if listed.status:
            return ["list: " + short(listed, command)]
        return broken_promises(container, known)

    def completed(self, container, place, prefix=(), retried=False):
        again = run(self.command(container), place, prefix=prefix)
        if again.hung or again.status != self.undisturbed.status:
            return ["the rerun: " + short(again, self.command(container))]
        return compared(self.expected, container, self.draw, self.options.receipts, retried)

    def another_user(self):
        """A container of another user, then a source with unreadable files."""
        place = self.folders.folder("permission")
        if run([PROGRAM, "--version"], place, prefix=NOBODY).status:
            self.report.note("permission: skipped: another user cannot run the program in its folder")
            return
        container = place / "container"
        run(self.command(container), place)
        found = self.denied(container, place) + self.completed(container, place)
        self.report.trial("permission, container of another user", True, found, f"seed {self.options.seed}")
        self.report.trial("permission, unreadable sources", True, self.unreadable(place), f"seed {self.options.seed}")

    def denied(self, container, place):
        ended = run(self.command(container), place, prefix=NOBODY)
        is_told = re.search(WORDS["permission"], ended.errors, re.IGNORECASE)
        return [] if ended.status == 2 and is_told else ["expected status 2: " + short(ended, self.command(container))]

    def unreadable(self, place):
        owned = place / "owned"
        owned.mkdir()
        shutil.chown(owned, 65534, 65534)
        hidden = sorted(path for path in self.source.rglob("*") if path.is_file())[::10]
        for path in hidden:
            path.chmod(0)
        ended = run(self.command(owned / "container"), place, prefix=NOBODY)
        found = [] if ended.status == 1 else ["expected status 1: " + short(ended, self.command(owned / "container"))]
        for path in hidden:
            path.chmod(0o644)
        return found + self.completed(owned / "container", place, prefix=NOBODY, retried=True)


def point_kind(point):
    return subprocess.run(["stat", "-f", "-c", "%T", point], capture_output=True, text=True).stdout.strip()


def remove(paths):
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
    # Btrfs frees the space of removed files only at its next commit.
    os.sync()


def torture(options, folders, report):
    disks = Disks(options, folders, report)
    before = facts(disks.source)
    try:
        own_mounts()
    except CannotMount as reason:
        report.note(f"skipped: {reason}")
        return
    kinds = ["tmpfs", "ext4"] if options.short else KINDS
    for kind in kinds:
        disks.case("full disk", kind, disks.full)
        disks.case("read-only", kind, disks.read_only)
    disks.case("full inodes", "ext4", disks.inodes, inodes=INODES)
    disks.case("full inodes", "tmpfs", disks.inodes, inodes=INODES)
    disks.another_user()
    if facts(disks.source) != before:
        report.trial("sources", True, ["a source was changed"], f"seed {options.seed}")
    working = Disks(options, folders, report, delivers=True)
    working.case("full disk", "tmpfs", working.full)


def facts(source):
    """The names, sizes and times of the sources, which must not change."""
    return {
        path: (path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(source.rglob("*"))
        if path.is_file()
    }

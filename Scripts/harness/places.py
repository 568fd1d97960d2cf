"""Folders that nothing was deleted in, for what is measured."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from harness.program import ROOT

# The file whose time says when a place was last removed.
REMOVED = "removed"
# For so many seconds ext4 passes over inodes that were deleted.
REST = 300


@contextlib.contextmanager
def fresh_place(purpose, base=None):
    """A folder for the whole run, removed at its end.

    ext4 passes over inodes that were deleted in the last minutes, which makes creating files beside them several times
    slower. `chattr +T` spreads the folders within over the disk, so each run gets one of its own, and nothing is
    deleted before the end.
    """
    base = pathlib.Path(base or ROOT / ".build" / purpose)
    base.mkdir(parents=True, exist_ok=True)
    top = pathlib.Path(tempfile.mkdtemp(prefix=f"{purpose}-", dir=base))
    top.chmod(0o755)
    subprocess.run(["chattr", "+T", top], stderr=subprocess.DEVNULL)
    # A polite end of the script clears up as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield top
    finally:
        shutil.rmtree(top, ignore_errors=True)
        (base / REMOVED).touch()


def seconds_to_rest(place):
    """How long new files may still be slow beside those that were removed with the place before this one."""
    last = place.parent / REMOVED
    return max(0, last.stat().st_mtime + REST - time.time()) if last.exists() else 0


def free_bytes(folder):
    facts = os.statvfs(folder)
    return facts.f_bavail * facts.f_frsize


class Numbered:
    """New folders in a place, one a run."""

    def __init__(self, place):
        self.place = place
        self.count = 0
        self.made = []

    def folder(self, name):
        self.count += 1
        made = self.place / f"{self.count:04}-{name}"
        made.mkdir(parents=True)
        self.made.append(made)
        return made

    @contextlib.contextmanager
    def dropped_unless(self, found):
        """Removes the folders made within, unless something was put into `found`: those stay to be looked at."""
        before = len(self.made)
        yield
        if not found:
            for folder in self.made[before:]:
                shutil.rmtree(folder, ignore_errors=True)
            del self.made[before:]

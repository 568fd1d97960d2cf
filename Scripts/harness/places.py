"""Working folders in which no file was deleted, for reliable measurements."""

import contextlib
import itertools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from harness.program import ROOT

# The modification time of this file is the time when a working folder was last removed.
REMOVED = "removed"
# ext4 does not reuse a deleted inode for this number of seconds.
REST = 300


@contextlib.contextmanager
def fresh_place(purpose, base=None):
    """A new working folder for the whole run, removed at its end.

    ext4 skips inodes that were deleted in the last minutes, which makes creating files near them several times slower.
    So no file is deleted before the end, and `chattr +T` spreads the folders inside over the disk.
    """
    base = pathlib.Path(base or ROOT / ".build" / purpose).resolve()
    base.mkdir(parents=True, exist_ok=True)
    top = pathlib.Path(tempfile.mkdtemp(prefix=f"{purpose}-", dir=base))
    top.chmod(0o755)
    subprocess.run(["chattr", "+T", top], stderr=subprocess.DEVNULL)
    # SIGTERM removes the folder as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield top
    finally:
        shutil.rmtree(top, ignore_errors=True)
        (base / REMOVED).touch()


def seconds_to_rest(place):
    """The seconds for which new files may still be slow, because the previous working folder was removed recently."""
    last = place.parent / REMOVED
    return max(0, last.stat().st_mtime + REST - time.time()) if last.exists() else 0


def free_bytes(folder):
    facts = os.statvfs(folder)
    return facts.f_bavail * facts.f_frsize


class Numbered:
    """Creates numbered folders in a working folder, one for each run. Several threads may do so."""

    def __init__(self, place):
        self.place = place
        self.numbers = itertools.count(1)
        self.made = []

    def folder(self, name):
        made = self.place / f"{next(self.numbers):04}-{name}"
        made.mkdir(parents=True)
        self.made.append(made)
        return made

    @contextlib.contextmanager
    def dropped_unless(self, found):
        """Removes the folders created in the block, unless `found` has findings. Then they stay for inspection."""
        before = len(self.made)
        yield
        if not found:
            for folder in self.made[before:]:
                shutil.rmtree(folder, ignore_errors=True)
            del self.made[before:]

"""Creates temporary file systems, in memory or in a file with a loop device."""

import contextlib
import ctypes
import os
import shutil
import subprocess

from harness.inputs import GIB, MIB
from harness.program import say

CLONE_NEWNS = 0x00020000
SMALLEST = {"xfs": 300 * MIB, "btrfs": 128 * MIB}
MAKERS = {
    "ext4": ["mkfs.ext4", "-q", "-F", "-m", "0"],
    "ext4 without journal": ["mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal"],
    "xfs": ["mkfs.xfs", "-q", "-f"],
    "btrfs": ["mkfs.btrfs", "-q", "-f"],
}
PACKAGES = {"mkfs.ext4": "e2fsprogs", "mkfs.xfs": "xfsprogs", "mkfs.btrfs": "btrfs-progs"}
KINDS = ["tmpfs", *MAKERS]


class CannotMount(Exception):
    """A file system that is not available here, with the reason."""


def own_mounts():
    """Moves this process into its own mount namespace. Its mounts end with the process in every case."""
    if os.geteuid():
        raise CannotMount("mounting needs root")
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS):
        raise CannotMount(f"the system refuses a mount namespace: {os.strerror(ctypes.get_errno())}")
    call(["mount", "--make-rprivate", "/"])


def call(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        raise CannotMount(f"{command[0]}: {result.stderr.strip()}")


@contextlib.contextmanager
def mounted(kind, folder, size, inodes=None):
    """Mounts a new file system of this kind, with at least this size, on a folder in the given one."""
    point = folder / "disk"
    point.mkdir()
    if kind == "tmpfs":
        limit = f",nr_inodes={inodes}" if inodes else ""
        call(["mount", "-t", "tmpfs", "-o", f"size={size}{limit}", "tmpfs", point])
    else:
        image = made_image(kind, folder, max(size, SMALLEST.get(kind, 0)), inodes)
        call(["mount", "-o", "loop", image, point])
    try:
        yield point
    finally:
        # Lazily, because a process that sends in the background stays for some seconds.
        subprocess.run(["umount", "--lazy", point], check=True)


def new_disks(place, kinds, size=48 * GIB):
    """Mounts new file systems, one after the other, and gives their kinds and folders. The last one is gone at the end.

    Where none can be mounted, it says why, and gives the place itself, without a kind.
    """
    try:
        if "none" in kinds:
            raise CannotMount("--disk none")
        own_mounts()
    except CannotMount as reason:
        say(f"no new file system, because {reason}; the figures depend on what was deleted on this one")
        yield None, place
        return
    for kind in kinds:
        folder = place / kind
        folder.mkdir()
        try:
            with mounted(kind, folder, size) as point:
                say(f"on a new {kind}")
                yield kind, point
        except CannotMount as reason:
            say(f"{kind}: skipped, because {reason}")


def made_image(kind, folder, size, inodes):
    maker = MAKERS[kind]
    if not shutil.which(maker[0]):
        raise CannotMount(f"{maker[0]} is missing: apt-get install {PACKAGES[maker[0]]}")
    image = folder / "image"
    with open(image, "wb") as file:
        file.truncate(size)
    call([*maker, *(["-N", str(inodes)] if inodes else []), image])
    return image


def remount(point, options):
    call(["mount", "-o", f"remount,{options}", point])


def leave_bytes(point, room):
    """Fills a disk with a ballast file until about `room` bytes are free. Returns the file in a list."""
    ballast = point / "ballast"
    with open(ballast, "wb") as file:
        size = free(point) - room
        while size > 0:
            try:
                os.posix_fallocate(file.fileno(), 0, size)
                break
            except OSError:
                size -= MIB
    os.sync()
    return [ballast]


def leave_inodes(point, room):
    """Fills a disk with empty files until about `room` inodes are free. Returns the files."""
    folder = point / "ballast"
    folder.mkdir()
    files = [folder / str(number) for number in range(os.statvfs(point).f_favail - room)]
    for file in files:
        file.touch()
    return files


def free(point):
    facts = os.statvfs(point)
    return facts.f_bavail * facts.f_frsize

"""What is taken in under torture."""

import random
import shutil
import subprocess

from harness.inputs import KIB, MIB, realistic_mix, text, write
from harness.program import ROOT


def plain_files(folder, count, doubles=True):
    """The realistic mix, one file of several MiB, an empty one, and some twice under other names.

    Which of two equal files is the duplicate depends on which could be read first; hence also without any.
    """
    realistic_mix(folder, count, "torture")
    draw = random.Random("doubles")
    for index, path in enumerate(draw.sample(sorted(folder.rglob("*.txt")), max(1, count // 50)) if doubles else []):
        write(folder / "twice" / f"again-{index}{path.suffix}", path.read_bytes())
    write(folder / "large.bin", draw.randbytes(5 * MIB))
    write(folder / "notes.txt", text(draw, 3 * KIB, "notes"))
    write(folder / "empty.txt", b"")


def shares(folder):
    """The samples, each with what its own make.sh adds: broken ones as well, and all bundled sinks have work."""
    shutil.copytree(ROOT / "Samples/shares", folder, symlinks=True)
    shutil.copytree(ROOT / "Samples/plain", folder / "plain", symlinks=True)
    for made in sorted(folder.glob("*.share/make.sh")):
        subprocess.run(["sh", "./make.sh"], cwd=made.parent, check=True, stdout=subprocess.DEVNULL)


def both(folder, count):
    plain_files(folder / "files", count)
    shares(folder / "shares")

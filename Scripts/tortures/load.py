"""The inputs of the torture tests."""

import collections
import json
import os
import random
import shutil
import subprocess

from harness.inputs import KIB, MIB, realistic_mix, text, write
from harness.program import ROOT, ingest


def plain_files(folder, count, doubles=True):
    """The realistic mix, one file of several MiB, an empty one, and some files twice with different names.

    Which of two equal files counts as the duplicate depends on the order of reading. So `doubles` can turn them off.
    """
    realistic_mix(folder, count, "torture")
    draw = random.Random("doubles")
    for index, path in enumerate(draw.sample(sorted(folder.rglob("*.txt")), max(1, count // 50)) if doubles else []):
        write(folder / "twice" / f"again-{index}{path.suffix}", path.read_bytes())
    write(folder / "large.bin", draw.randbytes(5 * MIB))
    write(folder / "notes.txt", text(draw, 3 * KIB, "notes"))
    write(folder / "empty.txt", b"")


def shares(folder):
    """The samples with the files that their make.sh creates. Some are broken, and all bundled sinks get deliveries."""
    shutil.copytree(ROOT / "Samples/shares", folder, symlinks=True)
    shutil.copytree(ROOT / "Samples/plain", folder / "plain", symlinks=True)
    for made in sorted(folder.glob("*.share/make.sh")):
        subprocess.run(["sh", "./make.sh"], cwd=made.parent, check=True, stdout=subprocess.DEVNULL)


def both(folder, count, doubles=True):
    plain_files(folder / "files", count, doubles)
    shares(folder / "shares")


def distinct(folder, count, place):
    """Like `both`, but without packages that share content, so that the result does not depend on the order."""
    both(folder, count, doubles=False)
    command = ingest(place / "container", folder, options=["--json", "--no-deliver"])
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    owners = collections.defaultdict(set)
    for receipt in (json.loads(line).get("receipt", {}) for line in lines):
        for provider in receipt.get("providers", []):
            owners[provider.get("sha256")].add(receipt["source"]["path"])
    owners.pop(None, None)
    for path in set().union(*(paths for paths in owners.values() if len(paths) > 1)):
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)

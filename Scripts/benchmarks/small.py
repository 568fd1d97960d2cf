"""Ingests 10,000 files of 1 to 50 KiB, first as new files, then again unchanged."""

import collections
import sys

from benchmarks import peers
from harness.inputs import realistic_mix
from harness.measuring import best, measure, median, scaled
from harness.program import packages
from harness.tables import Table

FLOORS = {"restic backup": 1.5, "borg create": 1.5, "cp -r, file, openssl dgst": 3.0}
AGAIN_FLOORS = {"restic backup": 1.0}


def run(options, folders, floors):
    count = scaled(options, 10_000)
    source = folders.folder("mix")
    size = realistic_mix(source, count)
    new, again = measured(options.rounds, folders, source, count)
    work = f"{count:,} files of 1 to 50 KiB ({size / 1e6:.0f} MB)"
    table(f"{work}, all new, durable; best of {options.rounds}", new, count, FLOORS, floors, "new")
    table(f"the same files again, unchanged; best of {options.rounds}", again, count, AGAIN_FLOORS, floors, "unchanged")


def measured(rounds, folders, source, count):
    """Runs each program in turn with its own folder, first empty, then with the same files again."""
    new, again = collections.defaultdict(list), collections.defaultdict(list)
    for turn in range(rounds):
        made = [kind(folders.folder(kind.__name__.lower())) for kind in peers.present()]
        for runs, name in (new, "new"), (again, "again"):
            for peer in made if turn % 2 == 0 else reversed(made):
                if name == "again" and isinstance(peer, peers.CopyNameHash):
                    continue
                run = measure(peer.command(source, name), peer.environment)
                runs[peer.name].append(run)
        check(made[0].container, count)
    return new, again


def check(container, count):
    """A figure is valid only if all files were imported."""
    found = sum(package["outcome"] == "accepted" for package in packages(container))
    if found != count:
        sys.exit(f"bench: {found:,} of {count:,} files are accepted in {container}")


def table(title, runs, count, wanted, floors, word):
    shown = Table(
        title, 28, ("seconds", 9), ("median", 9), ("files/s", 10), ("CPU s", 8), ("peak MB", 9), ("ratio", 8),
        ("of medians", 12),
    )  # fmt: skip
    ours = best(runs[peers.Sluice.name])
    for name, of in runs.items():
        theirs = best(of)
        ratio = theirs.seconds / ours.seconds
        ratios = [None, None] if name == peers.Sluice.name else [ratio, median(of) / median(runs[peers.Sluice.name])]
        shown.row(name, theirs.seconds, median(of), count / theirs.seconds, theirs.cpu, theirs.peak, *ratios)
        if name in wanted:
            floors.at_least(f"{count:,} files, {word}: times as fast as {name}", ratio, wanted[name])

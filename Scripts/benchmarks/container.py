"""Measures the group container: its speed relative to the disk, its memory, and both for growing containers."""

from benchmarks import growth, large, memory, small, traffic
from harness.places import Numbered
from harness.program import say

PARTS = {
    "small": small.run,
    "large": large.run,
    "traffic": traffic.run,
    "memory": memory.run,
    "growth": growth.run,
}


def run(options, place, floors):
    if options.quick:
        say("--quick: a tenth of the work; the figures are not meaningful")
    folders = Numbered(place)
    for name, part in PARTS.items():
        if name in (options.only or PARTS):
            part(options, folders, floors)

"""The group container: as fast as the disk allows, in fixed memory, however much is in it."""

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
        say("--quick: a tenth of the work; the figures say little")
    folders = Numbered(place)
    for name, part in PARTS.items():
        if name in (options.only or PARTS):
            part(options, folders, floors)

"""Runs many processes with one container and overlapping inputs, kills some of them, then completes with one run."""

import concurrent.futures
import random
import time

from harness.program import PROGRAM, ingest
from tortures import load
from tortures.state import compared, damaged, objects, state
from tortures.trials import run, short, surviving_orphans

LIMIT = 120
KILLED_SHARE = 0.4


class Crowd:
    """One container, and the input of each process: some of the folders, so that several processes share each folder."""

    def __init__(self, options, folders, report):
        self.options, self.folders, self.report = options, folders, report
        self.source = folders.folder("source") / "in"
        load.distinct(self.source, options.files, folders.folder("distinct"))
        self.parts = [path for folder in ("files", "shares") for path in sorted((self.source / folder).iterdir())]
        place = folders.folder("undisturbed")
        self.undisturbed = run(self.settling(place / "container"), place)
        self.expected = state(place / "container")
        self.container = folders.folder("crowd") / "container"

    def settling(self, container):
        return ingest(container, *self.parts, options=["--quiet"])

    def member(self, number):
        """Runs one process after another until the time is up. Returns the findings, the runs and the kills."""
        draw = random.Random(f"{self.options.seed}-{number}")
        found, runs, kills = [], 0, 0
        deadline = time.monotonic() + self.options.seconds
        while time.monotonic() < deadline:
            place = self.folders.folder(f"member{number}")
            chosen = draw.sample(self.parts, len(self.parts) * 5 // 8)
            flags = ["--quiet"] + (["--no-deliver"] if draw.random() < 0.5 else [])
            kill_after = draw.uniform(0, 1) if draw.random() < KILLED_SHARE else None
            ended = run(ingest(self.container, *chosen, options=flags), place, LIMIT, kill_after)
            runs, kills = runs + 1, kills + ended.killed
            if ended.hung or not (ended.killed or ended.status in (0, 1)):
                found.append(short(ended, ["ingest", *flags]))
        return found, runs, kills

    def settle(self, draw):
        orphans = [f"still runs: {orphan}" for orphan in surviving_orphans()]
        broken = [f"object {name[:12]} does not match its digest" for name in damaged(objects(self.container))]
        place = self.folders.folder("settle")
        ended = run(self.settling(self.container), place, LIMIT)
        if ended.hung or ended.status != self.undisturbed.status:
            return orphans + broken + ["the completing run: " + short(ended, ["ingest", "--quiet"])]
        # A sink that failed to start in the crowd is paused, and its deliveries wait. This command delivers them now.
        waiting = [PROGRAM, "deliver", "--container", self.container]
        ended = run(waiting, self.folders.folder("deliver"), LIMIT)
        if ended.hung or ended.status not in (0, 1):
            return orphans + broken + ["the waiting deliveries: " + short(ended, waiting)]
        return orphans + broken + compared(self.expected, self.container, draw, 5 * self.options.receipts)


def torture(options, folders, report):
    crowd = Crowd(options, folders, report)
    with concurrent.futures.ThreadPoolExecutor(options.processes) as pool:
        members = list(pool.map(crowd.member, range(options.processes)))
    for found, runs, kills in members:
        report.trial("a process", kills, found, f"seed {options.seed}: {runs} runs, {kills} kills")
    runs, kills = sum(member[1] for member in members), sum(member[2] for member in members)
    report.note(f"{options.processes} processes for {options.seconds} s: {runs} runs, {kills} of them killed")
    report.trial("completed by one run", True, crowd.settle(random.Random(options.seed)), f"seed {options.seed}")

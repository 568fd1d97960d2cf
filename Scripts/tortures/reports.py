"""Counts trials and findings."""

import collections
import sys

from harness.tables import Table

SHOWN_LINES = 8
PROGRESS_TRIALS = 50


class Report:
    """The trials by kind: their number, the number of disturbed ones, and the number with findings."""

    def __init__(self):
        self.part = ""
        self.trials = collections.Counter()
        self.disturbed = collections.Counter()
        self.faulty = collections.Counter()
        self.notes = {}

    def trial(self, kind, disturbed, found, moment):
        """Counts a trial. Findings are printed at once, with the seed that repeats the trial."""
        key = (self.part, kind)
        self.trials[key] += 1
        self.disturbed[key] += bool(disturbed)
        self.faulty[key] += bool(found)
        if found:
            print(f"FOUND {self.part}, {kind}, {moment}", flush=True)
            for line in found[:SHOWN_LINES]:
                print(f"    {line}", flush=True)
            if len(found) > SHOWN_LINES:
                print(f"    … and {len(found) - SHOWN_LINES} more", flush=True)
        self.show_progress()

    def show_progress(self):
        count = sum(self.trials.values())
        if sys.stderr.isatty():
            print(f"\r{self.part}: {count} trials ", end="", file=sys.stderr, flush=True)
        elif count % PROGRESS_TRIALS == 0:
            print(f"torture: {count} trials so far", file=sys.stderr, flush=True)

    def note(self, text):
        """Records a fact about the trials, or a skipped part with the reason."""
        self.notes[f"{self.part}: {text}"] = None

    def print(self):
        table = Table("torture", 46, ("trials", 8), ("disturbed", 11), ("found", 7))
        for part, kind in sorted(self.trials):
            key = (part, kind)
            table.row(f"{part}: {kind}", self.trials[key], self.disturbed[key], self.faulty[key])
        total = [sum(counter.values()) for counter in (self.trials, self.disturbed, self.faulty)]
        table.row("total", *total)
        for note in self.notes:
            print(f"note: {note}")

    @property
    def is_clean(self):
        return not sum(self.faulty.values())

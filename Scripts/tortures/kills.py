"""Kills a real ingest at random moments, then runs it again. The result must be that of an undisturbed run."""

import random

from harness.program import has, ingest
from tortures import load
from tortures.injection import calls_by_name, kill_at
from tortures.state import broken_promises, compared, state
from tortures.trials import acknowledged, run, short, surviving_orphans

CALLS = """openat read pread64 write pwrite64 copy_file_range rename renameat renameat2 linkat mkdir mkdirat unlink unlinkat
rmdir chmod fchmod fsync fdatasync syncfs ftruncate flock close newfstatat""".split()
TRIES = 8


class Kills:
    """Runs with one input, with or without sinks, each killed once."""

    def __init__(self, options, folders, report, delivers):
        self.options, self.folders, self.report, self.delivers = options, folders, report, delivers
        self.source = folders.folder("source") / "in"
        load.both(self.source, options.files) if delivers else load.plain_files(self.source, options.files)
        self.flags = ["--json"] if delivers else ["--json", "--no-deliver"]
        self.acknowledged = 0
        self.expect()

    def expect(self):
        """Makes an undisturbed run, and records its state and its calls."""
        place = self.folders.folder("undisturbed")
        self.undisturbed = run(self.command(place), place)
        self.expected = state(place / "container")
        self.calls = {}
        if has("strace"):
            place = self.folders.folder("calls")
            self.calls, own = calls_by_name(self.command(place), place, CALLS)
            self.calls = {call: count for call, count in self.calls.items() if call in own or not self.delivers}

    def trial(self, seed):
        """Kills one run, and counts it by the kind of moment. Returns the findings."""
        draw = random.Random(seed)
        place, kind, moment, ended = self.killed(draw)
        container = place / "container"
        found = [f"still runs after the kill: {orphan}" for orphan in surviving_orphans()]
        if ended.killed:
            self.acknowledged += len(acknowledged(ended.output))
            found += broken_promises(container, acknowledged(ended.output)) + self.killed_again(draw, place)
        elif ended.status != self.undisturbed.status:
            found.append("the run: " + short(ended, self.command(place)))
        again = run(self.command(place), place)
        if again.hung or again.status != self.undisturbed.status:
            found.append("the rerun: " + short(again, self.command(place)))
        else:
            found += compared(self.expected, container, draw, self.options.receipts)
        self.report.trial(f"{kind}{', with sinks' if self.delivers else ''}", ended.killed, found, f"{seed}: {moment}")
        return found

    def killed_again(self, draw, place):
        """Sometimes kills the next one or two runs too, while they clean up."""
        found = []
        for _ in range(draw.choice((0, 0, 1, 2))):
            ended = run(self.command(place), place, kill_after=draw.uniform(0, self.undisturbed.seconds))
            found += [f"still runs after another kill: {orphan}" for orphan in surviving_orphans()]
            found += broken_promises(place / "container", acknowledged(ended.output))
        return found

    def command(self, place):
        return ingest(place / "container", self.source, options=self.flags)

    def killed(self, draw):
        """Usually a killed run. If the run ended before the moment, the next run uses an earlier one."""
        by_time = not self.calls or draw.random() < 0.4
        call = None if by_time else draw.choice(sorted(self.calls))
        moment = draw.uniform(0, self.undisturbed.seconds) if by_time else draw.randint(1, self.calls[call])
        for _ in range(TRIES):
            place = self.folders.folder("kill")
            if by_time:
                ended = run(self.command(place), place, kill_after=moment)
            else:
                ended = run(self.command(place), place, prefix=kill_at(call, moment))
            if ended.killed or moment in (0, 1):
                break
            moment = moment / 3 if by_time else max(1, moment // 3)
        kind = "by time" if by_time else f"at {call}"
        return place, kind, f"after {moment:.3f} s" if by_time else f"at {call} {moment}", ended


def torture(options, folders, report):
    """Makes a third of the kills with running sinks."""
    with_sinks = options.kills // 3
    for delivers, count in ((False, options.kills - with_sinks), (True, with_sinks)):
        if not count:
            continue
        kills = Kills(options, folders, report, delivers)
        for number in range(count):
            seed = f"{options.seed}-{'sinks' if delivers else 'plain'}-{number}"
            with folders.dropped_unless(found := []):
                found += kills.trial(seed)
        company = "with sinks" if delivers else "without deliveries"
        report.note(f"{company}: {kills.acknowledged:,} packages were acknowledged before the kills")

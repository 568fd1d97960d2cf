"""Shares, several at a time, while they and the agent are killed, stopped and ended. All or nothing of each is left."""

import collections
import concurrent.futures
import contextlib
import os
import random

from harness.program import PROGRAM, has
from tortures import service
from tortures.agents import Agents
from tortures.disturbing import drawn
from tortures.injection import ALONE, calls_by_name
from tortures.kills import CALLS
from tortures.promises import Given, Shared, broken, undelivered
from tortures.state import damaged, leftovers, named, objects, unverified
from tortures.trials import command_of, run, short, surviving_orphans

WIDTH = 4
LIMIT = 120
# Beside one share of this many, the last ones, the agent lives, so that its descriptors can be compared.
STEADY = 5
# The times that this agent comes to rest in between.
BATCHES = 20
MORE_CALLS = ["clone3", "connect", "socket"]
SAMPLES = 4


class Shares:
    """One container, its agents, and the service that gets the shares."""

    def __init__(self, options, folders, report):
        self.options, self.folders, self.report = options, folders, report
        self.container = folders.folder("shares") / "container"
        self.source, self.scratch = folders.folder("source"), folders.folder("scratch")
        sinks, settings = folders.folder("sinks"), folders.folder("settings")
        self.service = service.Service(folders.folder("service"))
        service.install(self.service, sinks, settings)
        self.variables = {"SLUICE_SINKS": sinks, "SLUICE_CONFIG": settings, "TMPDIR": self.scratch}
        self.agents = Agents(self.container, folders)
        self.calls, self.agent_calls, self.seconds = {}, {}, 0

    def prepare(self):
        """Makes the container. In another one, undisturbed shares and an agent show their times and calls."""
        place, empty = self.folders.folder("undisturbed"), self.folders.folder("empty")
        container = place / "container"
        for made in (self.container, container):
            run([PROGRAM, "ingest", "--container", made, empty], place)
        samples = [share(Given.drawn(f"sample-{number}", self.source), container) for number in range(SAMPLES)]
        agent = [PROGRAM, "agent", "--exit-when-idle", "--container", container]
        with service.variables(SLUICE_AGENT="off"):
            self.seconds = min(run(sample, place).seconds for sample in samples[1:])
            if has("strace"):
                self.calls, _ = calls_by_name(samples[0], place, CALLS + MORE_CALLS, ALONE)
                self.agent_calls, _ = calls_by_name(agent, place, CALLS + MORE_CALLS, ALONE)
        if not self.calls:
            self.report.note("all moments are by time, because strace is missing or cannot trace here")
            run(samples[0], place)
        ended = run(agent, place)
        found = [] if ended.status == 0 else [short(ended, agent)]
        if len(set(self.service.arrived())) < SAMPLES:
            found.append(f"{SAMPLES} shares, but only these deliveries: {self.service.arrived()}")
        self.report.trial("undisturbed", False, found, f"seed {self.options.seed}")
        self.service.forget()
        return not found

    def one(self, number, is_steady):
        """Makes one share, and disturbs it or the agent beside it."""
        seed = f"{self.options.seed}-{number}"
        draw = random.Random(seed)
        given, disturbance = Given.drawn(seed, self.source), drawn(draw, self.calls, 2 * self.seconds, is_steady)
        if not is_steady:
            self.agents.begin_some(draw, self.agent_calls)

        def meanwhile(process):
            disturbance.carry_out(process, self.agents)

        place, command = self.folders.folder("share"), share(given, self.container)
        ended = run(command, place, LIMIT, prefix=disturbance.prefix, meanwhile=meanwhile)
        return Shared(seed, given, disturbance, ended)

    def several(self, numbers, is_steady=False):
        """Makes these shares, some at a time. Yields them in their order."""
        pool = concurrent.futures.ThreadPoolExecutor(WIDTH)
        try:
            for shared in pool.map(lambda number: self.one(number, is_steady), numbers):
                disturbance, ended = shared.disturbance, shared.ended
                found = [] if shared.is_sane else [short(ended, ["share"])]
                moment = f"{shared.seed}: {disturbance.moment}"
                self.report.trial(disturbance.kind, disturbance.has_hit or ended.status, found, moment)
                self.agents.reap()
                yield shared
        finally:
            pool.shutdown(cancel_futures=True)

    def run(self):
        """Makes all shares. Beside the last ones, one agent lives, and rests from time to time."""
        count = self.options.shares
        first = count - count // STEADY
        shares = list(self.several(range(first)))
        steady = self.agents.begin_alone()
        step = max(WIDTH, (count - first) // BATCHES)
        for begin in range(first, count, step):
            shares += self.several(range(begin, min(count, begin + step)), is_steady=True)
            steady.settle(lambda: undelivered(self.container))
        self.agents.stop()
        self.agents.reap()
        self.report_agents()
        self.report.trial("what they left", True, self.left(shares), f"seed {self.options.seed}")
        self.note(shares)

    def report_agents(self):
        for agent in self.agents.own:
            kind = "an agent" if agent.is_plain else f"an agent: {agent.moment.split()[0]} at a call"
            moment = f"seed {self.options.seed}: {agent.moment}"
            self.report.trial(kind, agent.process.returncode, agent.found(), moment)

    def left(self, shares):
        """Lets an agent make the deliveries that are open, then looks at everything that is left."""
        agent = [PROGRAM, "agent", "--exit-when-idle", "--container", self.container]
        ended = run(agent, self.folders.folder("last"), LIMIT)
        lines = [short(ended, agent)] if ended.hung or ended.status else []
        lines += self.agents.strange + [f"still runs: {orphan}" for orphan in surviving_orphans()]
        lines += [f"has files open below {self.folders.place}: {user}" for user in users(self.folders.place)]
        lines += broken(shares, self.container, self.service.arrived()) + undelivered(self.container)
        strays = [path.name for path in (self.container / "run").iterdir() if path.suffix != ".lock"]
        strays += [path.name for path in self.scratch.iterdir()]
        lines += [f"left over: {path}" for path in leftovers(self.container) + strays if path != "changes"]
        present = objects(self.container)
        lines += [f"object {name[:12]} does not match its digest" for name in damaged(present)]
        lines += [f"object {name[:12]} has no row" for name in sorted(present.keys() - named(self.container))]
        return lines + unverified(self.container)

    def note(self, shares):
        count = sum(shared.is_acknowledged for shared in shares)
        killed = sum(not shared.is_acknowledged and not shared.is_refused for shared in shares)
        statuses = collections.Counter(shared.ended.status for shared in shares)
        self.report.note(
            f"{len(shares):,} shares: {count:,} acknowledged, {killed:,} killed before that; "
            f"{len(self.service.arrived()):,} deliveries, {self.service.checks:,} checks, "
            f"{self.service.present:,} of them of a delivery that had arrived"
        )
        ends = ", ".join(f"{status} {times}x" for status, times in sorted(statuses.items()))
        self.report.note(f"exit statuses: {ends}")
        steady = max(self.agents.own, key=lambda agent: len(agent.rests))
        first, last = steady.growth()
        self.report.note(
            f"{len(self.agents.own)} agents, and {self.agents.adopted} that shares began; "
            f"one rested {len(steady.rests)} times, with {first} descriptors at first and {last} at last"
        )


def share(given, container):
    return [PROGRAM, "share", "--json", "--container", container, *given.arguments]


def users(folder):
    """The processes that have a file below a folder open."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        for descriptor in contents(f"/proc/{process}/fd"):
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{process}/fd/{descriptor}").startswith(f"{folder}/"):
                    found.append(command_of(process))
                    break
    return found


def contents(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []


def torture(options, folders, report):
    shares = Shares(options, folders, report)
    with service.variables(**shares.variables):
        try:
            if shares.prepare():
                shares.run()
        finally:
            shares.agents.stop()

"""One disturbance: a signal for a share, for the agent, or for both, at a random moment or at a counted system call."""

import contextlib
import dataclasses
import math
import os
import signal
import subprocess
import time

from tortures.injection import signal_at
from tortures.trials import children

TARGETS = {"none": 2, "share": 10, "agent": 4, "both": 4}
SIGNALS = {"KILL": 4, "TERM": 3, "STOP": 3}
AT_A_CALL = 0.4
# The most seconds until a stopped process continues.
MOST_REST = 0.5
# The most seconds of a share that is stopped again and again.
LIMIT = 120


@dataclasses.dataclass
class Disturbance:
    """A signal, whom it hits, and when: after some seconds, or in a share at its K-th system call of a name."""

    target: str
    name: str
    seconds: float
    rest: float
    call: str | None = None
    number: int = 0
    has_hit: bool = False

    @property
    def prefix(self):
        return signal_at(self.call, self.number, self.name) if self.call else ()

    @property
    def kind(self):
        if self.target == "none":
            return "undisturbed"
        return f"{self.target}: SIG{self.name} {'at a call' if self.call else 'by time'}"

    @property
    def moment(self):
        by_time = f"after {self.seconds:.3f} s"
        at_call = f"at {self.call} {self.number}"
        moments = {"none": "", "agent": by_time, "share": at_call if self.call else by_time}
        return moments.get(self.target, f"{at_call}, agent {by_time}" if self.call else by_time)

    def carry_out(self, process, agents):
        """Disturbs a share that was just started, or the agent beside it."""
        if self.target == "none":
            return
        if self.target != "share" or not self.call:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(self.seconds)
        hit = list(self.sent(process, agents))
        self.has_hit = bool(hit)
        if self.name == "STOP":
            time.sleep(self.rest if hit else 0)
            for stopped in hit:
                resume(stopped)
            if self.call:
                self.has_hit |= keep_awake(process, self.rest, LIMIT)

    def sent(self, process, agents):
        """Sends the signal, and yields the processes that it reached. What strace sends is left to strace."""
        number = getattr(signal, f"SIG{self.name}")
        if self.target != "agent" and not self.call and process.poll() is None:
            process.send_signal(number)
            yield process.pid
        if self.target != "share" and (agent := agents.signal(number)):
            yield agent


def drawn(draw, calls, seconds, spares_agent):
    """A disturbance within these seconds. If the agent is spared, it is stopped for a while at most."""
    target = chosen(draw, TARGETS)
    name = "STOP" if spares_agent and target in ("agent", "both") else chosen(draw, SIGNALS)
    disturbance = Disturbance(target, name, draw.uniform(0, seconds), draw.uniform(0.01, MOST_REST))
    if calls and target in ("share", "both") and draw.random() < AT_A_CALL:
        disturbance.call, disturbance.number = counted(draw, calls)
    return disturbance


def counted(draw, calls):
    call = draw.choice(sorted(calls))
    return call, draw.randint(1, calls[call])


def chosen(draw, weights):
    return draw.choices(list(weights), weights.values())[0]


def keep_awake(strace, rest, limit=math.inf):
    """Lets a program that strace stops go on after a while, each time, until it ends. Returns whether it was stopped."""
    was_stopped = False
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        try:
            strace.wait(rest)
            break
        except subprocess.TimeoutExpired:
            for child in children(strace.pid):
                if state_of(child) in ("T", "t"):
                    was_stopped = True
                    resume(child)
    return was_stopped


def resume(number):
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, signal.SIGCONT)


def state_of(number):
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return ""

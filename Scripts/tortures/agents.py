"""The agents of one container: those that this process starts, and those that shares start."""

import contextlib
import json
import os
import select
import signal
import subprocess
import threading

from harness.program import PROGRAM
from tortures.disturbing import MOST_REST, SIGNALS, chosen, counted, keep_awake
from tortures.injection import signal_at
from tortures.trials import children, command_of, shortened

LIMIT = 120
TRIES = 10
STARTED = 0.3
# How an agent may end: stopped, beside another one, by a second signal; or by a signal that it was sent.
SANE = {0, 1, 130, -signal.SIGKILL, -signal.SIGTERM}
# The rests of an agent that are compared, and the descriptors by which they may differ.
COMPARED, SLACK = 5, 4


class Agent:
    """An agent that lives until it is stopped, with its end, and with its open descriptors each time that it rests."""

    def __init__(self, container, place, moment="", prefix=(), rest=None):
        self.moment, self.is_plain = moment, not prefix
        self.errors = place / "errors"
        command = [PROGRAM, "agent", "--json", "--container", container]
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen([*prefix, *command], stdout=subprocess.PIPE, stderr=errors)
        self.events, self.rests, self.has_ended, self.is_hung, self.has_missed = [], [], False, False, False
        self.news = threading.Condition()
        self.threads = [threading.Thread(target=self.follow, daemon=True)]
        if rest:
            self.threads.append(threading.Thread(target=keep_awake, args=(self.process, rest), daemon=True))
        for thread in self.threads:
            thread.start()
        with self.news:
            self.news.wait_for(lambda: self.events or self.has_ended, LIMIT)

    def follow(self):
        """Reads its log."""
        for line in self.process.stdout:
            event = json.loads(line)["agent"]["event"] if line.endswith(b"\n") else ""
            if event == "rests" and self.is_plain:
                with contextlib.suppress(OSError):
                    self.rests.append(len(os.listdir(f"/proc/{self.process.pid}/fd")))
            with self.news:
                self.events.append(event)
                self.news.notify_all()
        with self.news:
            self.has_ended = True
            self.news.notify_all()

    def settle(self, is_open):
        """Waits until it rests and no delivery is open, or until it ends. Otherwise it has missed a share."""
        with self.news:
            self.has_missed |= not self.news.wait_for(
                lambda: self.has_ended or self.events[-1:] == ["rests"] and not is_open(), LIMIT
            )

    def wait(self):
        """Waits for its end. One that does not end is killed."""
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.is_hung = True
            self.process.kill()
            self.process.wait()

    def found(self):
        """What was wrong with it, after its end."""
        for thread in self.threads:
            thread.join()
        status = "hung" if self.is_hung else self.process.returncode
        found = [] if status in SANE else [f"an agent ended: {status}: {shortened(self.errors.read_text())}"]
        found += ["an agent missed a share"] if self.has_missed else []
        first, last = self.growth()
        return found + ([f"{last} descriptors at rest, after {first}"] if last > first + SLACK else [])

    def growth(self):
        """The descriptors at rest: the most of the first times after its first work, and the fewest of the last times."""
        known = self.rests[1:]
        width = min(COMPARED, len(known) // 2)
        return (max(known[:width]), min(known[-width:])) if width else (0, 0)


class Agents:
    """All agents of a container. At most one at a time holds its lock."""

    def __init__(self, container, folders):
        self.container, self.folders = container, folders
        self.own, self.strange, self.adopted = [], [], 0
        self.starting = threading.Lock()

    def holder(self):
        """The process of the agent, as the kernel knows it; it may be stopped."""
        try:
            inode = os.stat(self.container / "run/agent.lock").st_ino
        except FileNotFoundError:
            return None
        with open("/proc/locks") as locks:
            for line in locks:
                words = line.split()
                if words[1] == "FLOCK" and words[5].endswith(f":{inode}") and " agent " in command_of(words[4]):
                    return int(words[4])
        return None

    def signal(self, number):
        """Sends the agent a signal. Returns its process, if there is one."""
        process = self.holder()
        with contextlib.suppress(ProcessLookupError):
            if process is not None:
                descriptor = os.pidfd_open(process)
                try:
                    if self.holder() == process:
                        signal.pidfd_send_signal(descriptor, number)
                        return process
                finally:
                    os.close(descriptor)
        return None

    def begin_some(self, draw, calls):
        """Sometimes begins an agent if there is none, half of them with a signal at a counted call."""
        if draw.random() > STARTED:
            return
        if not calls or draw.random() < 0.5:
            self.begin()
        else:
            name, (call, number), rest = chosen(draw, SIGNALS), counted(draw, calls), draw.uniform(0.01, MOST_REST)
            rest = rest if name == "STOP" else None
            self.begin(f"SIG{name} at {call} {number}", signal_at(call, number, name), rest)

    def begin(self, *disturbance):
        """Begins an agent, unless the container has one or is about to get one."""
        if not self.starting.acquire(blocking=False):
            return None
        try:
            if self.holder() is None:
                self.own.append(Agent(self.container, self.folders.folder("agent"), *disturbance))
                return self.own[-1]
        finally:
            self.starting.release()

    def begin_alone(self):
        """Stops the agent and begins another one. The last agent that a share began may come before it."""
        for _ in range(TRIES):
            self.stop()
            agent = self.begin()
            if agent and not agent.has_ended:
                return agent
        raise RuntimeError(f"{PROGRAM} agent does not begin")

    def reap(self):
        """Collects the ends of the processes of other sessions that were left to this one, such as the agents of shares."""
        for child in children():
            with contextlib.suppress(OSError):
                if os.getsid(child) == os.getsid(0):
                    continue
                with open(f"/proc/{child}/comm") as file:
                    name = file.read().strip()
                number, status = os.waitpid(child, os.WNOHANG)
                if number and name == "sluice":
                    self.adopted += 1
                    code = os.waitstatus_to_exitcode(status)
                    self.strange += [] if code in SANE else [f"an agent that a share began ended with {code}"]

    def stop(self):
        """Stops the agent, whoever began it, and waits for its end and for those that this process began."""
        if (holder := self.holder()) is not None:
            with contextlib.suppress(ProcessLookupError):
                descriptor = os.pidfd_open(holder)
                order = [PROGRAM, "agent", "stop", "--container", self.container]
                subprocess.run(order, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                select.select([descriptor], [], [], LIMIT)
                os.close(descriptor)
        for agent in self.own:
            agent.wait()

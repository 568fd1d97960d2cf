"""Runs the program, disturbs it, and records the result."""

import ctypes
import dataclasses
import json
import os
import signal
import subprocess
import time

from harness.program import words

PR_SET_CHILD_SUBREAPER = 36
ORPHANS_LIVE = 10


@dataclasses.dataclass
class Ended:
    """The end of a run: exit status (negative for a signal), seconds, output, and whether it had to be killed."""

    status: int
    seconds: float
    output: str
    errors: str
    hung: bool = False

    @property
    def killed(self):
        return self.status in (-signal.SIGKILL, 128 + signal.SIGKILL)


def adopt_orphans():
    """Makes this process the parent of processes that its children leave behind, so that it can count them."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(command, place, limit=120, kill_after=None, prefix=(), meanwhile=None):
    """Runs a command to its end, or kills it after `kill_after` seconds. A run beyond the limit counts as hung.

    `meanwhile` is called with the process, and may disturb it.
    """
    with open(place / "output", "w+b") as output, open(place / "errors", "w+b") as errors:
        begin = time.monotonic()
        process = subprocess.Popen([str(word) for word in (*prefix, *command)], stdout=output, stderr=errors)
        hung = False
        try:
            if meanwhile:
                meanwhile(process)
            process.wait(limit if kill_after is None else min(kill_after, limit))
        except subprocess.TimeoutExpired:
            hung = kill_after is None
            process.kill()
            process.wait()
        except BaseException:
            process.kill()
            raise
        return Ended(process.returncode, time.monotonic() - begin, text_of(output), text_of(errors), hung)


def text_of(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def surviving_orphans():
    """The processes that killed runs left behind and that do not end within seconds. They are then killed."""
    deadline = time.monotonic() + ORPHANS_LIVE
    while orphans := reaped(children()):
        if time.monotonic() > deadline:
            names = [command_of(orphan) for orphan in orphans]
            for orphan in orphans:
                os.kill(orphan, signal.SIGKILL)
            reaped(orphans)
            return names
        time.sleep(0.01)
    return []


def children(number=None):
    """The processes that a process with one thread started or adopted; without a number, those of this one."""
    number = number or os.getpid()
    try:
        with open(f"/proc/{number}/task/{number}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def reaped(numbers):
    """The processes that still run. Those that have ended are reaped."""
    running = []
    for number in numbers:
        try:
            if os.waitpid(number, os.WNOHANG) == (0, 0):
                running.append(number)
        except ChildProcessError:
            pass
    return running


def command_of(number):
    try:
        with open(f"/proc/{number}/cmdline") as file:
            return file.read().replace("\0", " ").strip()
    except OSError:
        return f"process {number}"


def acknowledged(output):
    """The packages that complete lines of `ingest --json` acknowledged, with the digests of their content."""
    found = {}
    for line in output.split("\n")[:-1]:
        receipt = json.loads(line).get("receipt", {})
        if receipt.get("outcome") in ("accepted", "partial", "duplicate"):
            providers = receipt.get("providers", [])
            found[receipt["id"]] = [provider["sha256"] for provider in providers if "sha256" in provider]
    return found


def short(ended, command):
    """One line about a run, for a report."""
    end = "hung" if ended.hung else f"status {ended.status}"
    return f"{words(command)}: {end} after {ended.seconds:.1f} s: {shortened(ended.errors.strip())}"


def shortened(text, most=500):
    """The beginning and the end of a long text."""
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"

"""Counts the system calls of a run, and disturbs the K-th of them with strace."""

import collections
import re
import subprocess

from harness.program import say

LINE = re.compile(r"^(\d+)<([^>]*)> (\w+)\((.*)$")
SINKS = {"pdf-import", "image-import", "link-capture", "keep"}
MOST = 65_535
QUIET = ["strace", "-f", "-qqq", "--seccomp-bpf"]
# Without the programs that this one starts, such as the agent of a share.
ALONE = ["strace", "-f", "-qqq", "-b", "execve"]


def calls_by_name(command, place, calls, strace=QUIET):
    """For each call, the count of the thread that makes it most often; and the calls that only the program itself makes.

    The `when=` of strace counts for each thread, so a larger number has no effect.
    """
    log = place / "calls"
    strace = [*strace, "-Y", "-y", "-s", "0", "-o", log, "-e", "trace=" + ",".join(calls)]
    status = subprocess.run([*strace, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    if status not in (0, 1):
        say(f"strace does not work here (status {status}); kernel settings or a container may forbid it")
        return {}, set()
    by_thread, strangers = collections.Counter(), set()
    with open(log, errors="replace") as lines:
        for match in filter(None, map(LINE.match, lines)):
            by_thread[match[1], match[3]] += 1
            if match[2] in SINKS:
                strangers.add(match[3])
    most = collections.Counter()
    for (_, call), count in by_thread.items():
        most[call] = min(MOST, max(most[call], count))
    return dict(most), set(most) - strangers


def kill_at(call, number):
    return [*QUIET, "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}"]


def signal_at(call, number, name):
    """Sends the signal at the K-th call of each thread of the program alone."""
    return [*ALONE, "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal={name}:when={number}"]


def fail_at(call, error, when, log):
    """Makes the K-th call of each thread fail (`K`), or all from the K-th on (`K+`). The log lists them."""
    return [*QUIET, "-y", "-o", log, "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={when}"]


def injected(log):
    """The calls that failed on purpose."""
    with open(log, errors="replace") as lines:
        return [line for line in lines if line.rstrip().endswith("(INJECTED)")]

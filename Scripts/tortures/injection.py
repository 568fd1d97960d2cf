"""Which calls a run makes, and strace's way to disturb the K-th of them."""

import collections
import re
import subprocess

from harness.program import say

LINE = re.compile(r"^(\d+)<([^>]*)> (\w+)\((.*)$")
SINKS = {"pdf-import", "image-import", "link-capture", "keep"}
MOST = 65_535
QUIET = ["strace", "-f", "-qqq", "--seccomp-bpf"]


def calls_by_name(command, place, calls):
    """For each call, how often the busiest thread makes it; and which calls only the program itself makes, no sink.

    strace's `when=` counts by thread, so beyond that number nothing is disturbed.
    """
    log = place / "calls"
    strace = [*QUIET, "-Y", "-y", "-s", "0", "-o", log, "-e", "trace=" + ",".join(calls)]
    status = subprocess.run([*strace, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    if status not in (0, 1):
        say(f"strace does not work here (status {status}); kernel settings or a container forbid it")
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


def fail_at(call, error, when, log):
    """Makes calls fail from one thread's K-th on (`K+`), or just that one (`K`); the log says which."""
    return [*QUIET, "-y", "-o", log, "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={when}"]


def injected(log):
    """The calls that were made to fail."""
    with open(log, errors="replace") as lines:
        return [line for line in lines if line.rstrip().endswith("(INJECTED)")]

"""One timed run of a process, and the best of several."""

import dataclasses
import os
import subprocess
import sys
import tempfile
import time

from harness.program import words


@dataclasses.dataclass
class Run:
    """Seconds of the wall clock and of the processors, and the peak memory in MB; of children as well."""

    seconds: float
    cpu: float
    peak: float
    status: int


def measure(command, environment=None, accepted=(0,), prepare=None):
    """Runs a command after a sync of all disks; one that fails ends the program."""
    os.sync()
    with tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(
            [str(word) for word in command],
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=os.environ | (environment or {}),
            preexec_fn=prepare,
        )
        _, wait_status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(wait_status)
        if process.returncode not in accepted:
            errors.seek(0)
            sys.exit(f"{words(command)}: status {process.returncode}: {errors.read(4000).decode(errors='replace')}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode)


def best(runs):
    """The quickest run, with the highest peak of all: what disturbs a run only ever makes it longer."""
    return dataclasses.replace(min(runs, key=lambda run: run.seconds), peak=max(run.peak for run in runs))


def scaled(options, count):
    """A tenth of it where it shall be quick."""
    return max(1, count // 10) if options.quick else count

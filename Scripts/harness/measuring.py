"""One timed run of a process, and the best of several."""

import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile

from harness.program import words

LAUNCH = pathlib.Path(__file__).with_name("launch.py")


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
    answers, answer = os.pipe()
    with tempfile.TemporaryFile() as errors, open(answers) as answers:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", LAUNCH, str(answer), *map(str, command)],
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=os.environ | (environment or {}),
            pass_fds=[answer],
            preexec_fn=prepare,
        )
        os.close(answer)
        seconds, cpu, peak, status = map(float, answers.read().split() or (0, 0, 0, 127))
        process.wait()
        if status not in accepted:
            errors.seek(0)
            sys.exit(f"{words(command)}: status {status:.0f}: {errors.read(4000).decode(errors='replace')}")
    return Run(seconds, cpu, peak / 1024, int(status))


def best(runs):
    """The quickest run, with the highest peak of all: what disturbs a run only ever makes it longer."""
    return dataclasses.replace(min(runs, key=lambda run: run.seconds), peak=max(run.peak for run in runs))


def scaled(options, count):
    """A tenth of it where it shall be quick."""
    return max(1, count // 10) if options.quick else count

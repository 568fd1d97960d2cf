"""Measures one run of a process, and finds the best of several."""

import dataclasses
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from harness.inputs import MIB
from harness.program import words

LAUNCH = pathlib.Path(__file__).with_name("launch.py")


@dataclasses.dataclass
class Run:
    """The wall-clock seconds, the processor seconds and the peak memory in MB, including child processes."""

    seconds: float
    cpu: float
    peak: float
    status: int


def measure(command, environment=None, accepted=(0,), prepare=None, memory=512 * MIB):
    """Runs a command after a sync of all disks. If the command fails, the script ends.

    `memory` is the size of the page cache that the command may fill, in bytes.
    """
    os.sync()
    touch_memory(memory)
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


def touch_memory(count):
    """Uses and frees this amount of memory once, in bytes.

    On a virtual machine, the first use of a page is several times slower than a copy. Otherwise the first run would be
    slower than the later ones.
    """
    facts = pathlib.Path("/proc/meminfo").read_text()
    available = int(facts.split("MemAvailable:")[1].split()[0]) * 1024
    if 0 < 2 * count < available:
        code = "import mmap, sys; mmap.mmap(-1, int(sys.argv[1]), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE)"
        subprocess.run([sys.executable, "-I", "-S", "-c", code, str(count)], check=True)


def best(runs):
    """The fastest run, because a disturbance can only make a run longer. Its peak is the highest peak of all runs."""
    return dataclasses.replace(min(runs, key=lambda run: run.seconds), peak=max(run.peak for run in runs))


def median(runs):
    """The seconds of the run in the middle, or the mean of the two in the middle."""
    return statistics.median(run.seconds for run in runs)


def scaled(options, count):
    """The count, or a tenth of it with --quick."""
    return max(1, count // 10) if options.quick else count

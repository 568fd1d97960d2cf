"""Measures the two processes: how long a share takes, how much memory it needs, and what an idle agent costs."""

import concurrent.futures
import os
import pathlib
import statistics
import subprocess
import time

from harness.measuring import measure, scaled
from harness.places import Numbered
from harness.program import PROGRAM, ingest
from harness.tables import Table

SHARES = 40
CROWD = 1_000
WIDTH = 16
BIG = 4 << 30
PACKAGES = 10_000
# The seconds after the last work, and those for which an idle agent is watched.
CALM, WATCHED = 10, 60
# The most seconds for the deliveries of an agent.
PATIENCE = 600
LINK = "https://example.org/rivers"


def run(options, place, floors):
    folders = Numbered(place)
    empty = built(folders.folder("empty"))
    container = folders.folder("shares") / "container"
    subprocess.run([PROGRAM, "ingest", "--container", container, "--text", "first"], check=True, stdout=subprocess.DEVNULL)
    alone = one(options, folders, floors, container, empty)
    beside(options, folders, floors, container, alone)
    memory(options, folders, floors, container)
    crowd(options, floors, container, empty)
    agent(options, folders, floors)


def built(folder):
    """A program that does nothing but load Foundation, which the peers of a share begin with."""
    source = folder / "empty.swift"
    source.write_text("import Foundation\nprecondition(ProcessInfo.processInfo.processIdentifier > 0)\n")
    subprocess.run(["swiftc", "-O", source, "-o", folder / "empty"], check=True)
    return folder / "empty"


def share(container, number):
    return [PROGRAM, "share", "--container", container, f"{LINK}/{number}"]


def one(options, folders, floors, container, empty):
    count = scaled(options, SHARES)
    target = folders.folder("synced") / "f"
    commands = {
        "sluice share URL": lambda number: share(container, number),
        "sluice --version": lambda _: [PROGRAM, "--version"],
        "an empty program with Foundation": lambda _: [empty],
        "sh -c 'cat > f; sync f'": lambda _: ["sh", "-c", 'cat > "$0"; sync "$0"', target],
    }
    times = {name: [] for name in commands}
    # In turns, so that a disturbance meets all.
    for number in range(count):
        for name, command in commands.items():
            times[name].append(1_000 * seconds(command(f"one-{number}")))
    table = Table(f"ms of one process, {count} of each in turns", 34, ("median", 10), ("best", 10))
    for name, found in times.items():
        table.row(name, statistics.median(found), min(found))
    middle = [statistics.median(found) for found in times.values()]
    floors.at_most("one share of a link, relative to an empty program and a sync", middle[0] / (middle[2] + middle[3]), 1.5)
    return middle[0]


def beside(options, folders, floors, container, alone):
    """Shares while another process writes a large file to the same file system, and syncs it at its end."""
    size = scaled(options, BIG)
    target = folders.folder("written") / "f"
    writer = subprocess.Popen(
        ["dd", "if=/dev/zero", f"of={target}", "bs=1M", f"count={size >> 20}", "conv=fdatasync"], stderr=subprocess.DEVNULL
    )
    found = []
    while writer.poll() is None:
        found.append(1_000 * seconds(share(container, f"beside-{len(found)}")))
    target.unlink()
    table = Table(f"ms of one share while {size >> 20:,} MiB are written", 34, ("shares", 10), ("median", 10), ("most", 10))
    table.row("sluice share URL", len(found), statistics.median(found), max(found))
    floors.at_most("a share beside a large writer, relative to one alone", statistics.median(found) / alone, 3)


def seconds(command):
    began = time.perf_counter()
    subprocess.run(command, check=True, input=LINK.encode(), stdout=subprocess.DEVNULL, env=quiet())
    return time.perf_counter() - began


def quiet():
    """Without an agent, which would work beside what is measured."""
    return {**os.environ, "SLUICE_AGENT": "off"}


def memory(options, folders, floors, container):
    big = folders.folder("big") / "big.bin"
    size = scaled(options, BIG)
    with open("/dev/urandom", "rb") as source, open(big, "wb") as file:
        for _ in range(size >> 20):
            file.write(source.read(1 << 20))
    table = Table("a share of", 34, ("seconds", 10), ("peak MB", 10))
    for name, what, floor in (("a link", f"{LINK}/memory", 24), (f"a file of {size >> 20:,} MiB", big, 32)):
        found = measure([PROGRAM, "share", "--container", container, what], quiet())
        table.row(name, found.seconds, found.peak)
        floors.at_most(f"peak memory of a share of {name}, MiB", found.peak, floor)


def crowd(options, floors, container, empty):
    count = scaled(options, CROWD)
    times = {}
    for name, command in (("empty", lambda _: [empty]), ("share", lambda number: share(container, f"crowd-{number}"))):
        with concurrent.futures.ThreadPoolExecutor(WIDTH) as pool:
            began = time.perf_counter()
            list(pool.map(lambda number: seconds(command(number)), range(count)))
            times[name] = time.perf_counter() - began
    table = Table(f"{count:,} processes, {WIDTH} at a time", 34, ("seconds", 10), ("a second", 10))
    for name, label in (("share", "sluice share URL"), ("empty", "an empty program with Foundation")):
        table.row(label, times[name], count / times[name])
    floors.at_most(f"shares, {WIDTH} at a time, relative to empty programs", times["share"] / times["empty"], 3)


def agent(options, folders, floors):
    """What an agent costs while nothing is to be done, in a container with many packages."""
    source, container = folders.folder("texts"), folders.folder("agent") / "container"
    count = scaled(options, PACKAGES)
    for number in range(count):
        (source / f"{number}.txt").write_text(f"note {number}\n")
    subprocess.run([*ingest(container, source, options=["--no-deliver"])], check=True, stdout=subprocess.DEVNULL)
    process = subprocess.Popen([PROGRAM, "agent", "--container", container], stdout=subprocess.DEVNULL)
    try:
        began, peak = time.perf_counter(), 0
        while is_open(container):
            # At rest, its process is another program, which has a peak of its own.
            peak = max(peak, kilobytes(process.pid, "VmHWM"))
            if time.perf_counter() - began > PATIENCE:
                raise RuntimeError(f"deliveries are still open after {PATIENCE} s")
            time.sleep(1)
        delivered = time.perf_counter() - began
        time.sleep(CALM)
        before = switches(process.pid)
        time.sleep(WATCHED)
        after = switches(process.pid)
        now = kilobytes(process.pid, "VmRSS")
    finally:
        process.terminate()
        process.wait()
    table = Table(f"an agent over {count:,} packages", 34, ("", 10))
    table.row("seconds of its deliveries", delivered)
    table.row(f"context switches in {WATCHED} s at rest", after - before)
    table.row("MB at rest", now / 1024)
    table.row("MB at its peak", peak / 1024)
    floors.at_most(f"context switches of an idle agent in {WATCHED} s", after - before, 0)
    floors.at_most("memory of an agent at rest, MiB", now / 1024, 32)


def is_open(container):
    return subprocess.run([PROGRAM, "status", "--container", container], stdout=subprocess.DEVNULL).returncode == 1


def switches(process):
    """The context switches of all threads of a process, voluntary and forced."""
    total = 0
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        lines = (task / "status").read_text().splitlines()
        total += sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return total


def kilobytes(process, name):
    lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))

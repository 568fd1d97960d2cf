"""Counts instructions, allocations and system calls for each small file. They do not depend on the machine, or hardly."""

import collections
import random
import re
import shutil
import subprocess
import sys

from harness.inputs import KIB, png, text
from harness.program import PROGRAM, has
from harness.tables import Table

# The difference between the two leaves out the start of the program and the making of the container.
FEW, MANY = 200, 1_200
ALLOCATORS = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"}
# A tenth more than was measured with Swift 6.3 on x86-64.
INSTRUCTIONS, ALLOCATIONS, CALLS = 710_000, 315, 17


def run(options, place, floors):
    """Ingests words and small pictures, half each, under Valgrind and strace."""
    if not all([has("valgrind"), has("strace")]):
        return
    folder = place / "counts"
    folder.mkdir()
    counted = {}
    for count in (FEW, MANY):
        source = folder / f"source-{count}"
        source.mkdir()
        write_files(source, count)
        instructions, allocations = executed(folder, ingest(folder / f"box-{count}-1", source))
        calls = called(folder, ingest(folder / f"box-{count}-2", source))
        counted[count] = collections.Counter(calls, **{"instructions": instructions, "allocations": allocations})
    each = {name: (counted[MANY][name] - counted[FEW][name]) / (MANY - FEW) for name in counted[MANY]}
    instructions, allocations = each.pop("instructions"), each.pop("allocations")
    table = Table(f"one of {MANY:,} small files, durable, without sinks", 40, ("count", 12))
    table.row("instructions", instructions)
    table.row("allocations", allocations)
    for name, value in sorted(each.items(), key=lambda item: -item[1]):
        if value >= 0.05:
            table.row(f"calls of {name}", value)
    table.row("all system calls", sum(each.values()))
    floors.at_most("a small file: instructions, without those of the kernel", instructions, INSTRUCTIONS)
    floors.at_most("a small file: allocations", allocations, ALLOCATIONS)
    floors.at_most("a small file: system calls", sum(each.values()), CALLS)
    shutil.rmtree(folder)


def ingest(container, source):
    return [PROGRAM, "ingest", "--no-deliver", "--container", container, source]


def write_files(source, count):
    draw = random.Random("counts")
    for number in range(count):
        if number % 2:
            (source / f"{number}.txt").write_bytes(text(draw, draw.randint(2 * KIB, 8 * KIB), str(number)))
        else:
            (source / f"{number}.png").write_bytes(png(draw))


def executed(folder, command):
    """The instructions of a command, and its calls of the allocator."""
    out = folder / "callgrind"
    valgrind = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}"]
    called_with_success([*valgrind, *command])
    lines = out.read_text(errors="replace").splitlines()
    names, callee, allocations, instructions = {}, None, 0, 0
    for line in lines:
        if match := re.match(r"c?fn=\((\d+)\)(?: (.*))?$", line):
            if match[2]:
                names[match[1]] = match[2].split("'")[0]
            callee = names.get(match[1]) if line.startswith("cfn") else None
        elif line.startswith("calls=") and callee in ALLOCATORS:
            allocations += int(line[6:].split()[0])
        elif line.startswith("summary:"):
            instructions = int(line.split()[1])
    return instructions, allocations


def called(folder, command):
    """The system calls of a command by their names. Those in which a thread waits for another one are left out."""
    out = folder / "strace"
    called_with_success(["strace", "-f", "-c", "-o", out, *command])
    rows = [line.split() for line in out.read_text().splitlines()]
    return {row[-1]: int(row[3]) for row in rows if len(row) >= 5 and row[3].isdigit() and row[-1] not in {"total", "futex", "sched_yield"}}


def called_with_success(command):
    result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if result.returncode:
        sys.exit(f"{command[0]}: status {result.returncode}: {result.stderr[-2000:].decode(errors='replace')}")

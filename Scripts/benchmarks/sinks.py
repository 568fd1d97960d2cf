"""What a delivery costs that nothing is done for, and what a sink that stalls costs the others."""

import json
import os
import shutil
import signal
import subprocess
import time

from harness.inputs import tiny_texts
from harness.measuring import measure, scaled
from harness.places import Numbered
from harness.program import PROGRAM, ingest, say
from harness.tables import Table

SINKS = 8
STALL = 600


def run(options, place, floors):
    folders = Numbered(place)
    overhead(options, folders, floors)
    stalling(options, folders, floors)


def overhead(options, folders, floors):
    """All attempts and outcomes are on the disk when it ends; start and end of all processes are in it."""
    count = scaled(options, 10_000)
    table = Table(
        f"{count:,} deliveries to a sink that does nothing, best of {options.rounds}",
        34,
        ("ms each", 10),
        ("processor", 10),
        ("MB", 6),
    )
    source = folders.folder("notes")
    tiny_texts(source, 0, count)
    for name, manifest, flags in (
        ("without content", {"content": "none"}, []),
        ("with content", {}, []),
        ("with content, no sandbox", {}, ["--no-sandbox"]),
    ):
        sinks = folders.folder("sinks")
        install(sinks, "keep", "keep", ["keep"], role="primary", **manifest)
        runs = []
        for _ in range(options.rounds):
            container = filled(folders, source, sinks)
            command = [PROGRAM, "deliver", *flags, "--container", container]
            runs.append(measure(command, environment={"SLUICE_SINKS": str(sinks)}))
        best = min(runs, key=lambda run: run.seconds)
        each = best.seconds / count * 1000
        table.row(name, each, best.cpu / count * 1000, best.peak)
        if not flags:
            floors.at_most(f"a delivery {name}, ms", each, 0.3)


def stalling(options, folders, floors):
    """The rate of seven sinks alone, beside an eighth that works, and beside one that hangs at its first delivery."""
    count = scaled(options, 2_000)
    table = Table(
        f"{SINKS - 1} sinks, {count:,} deliveries each, best of {options.rounds}", 34, ("a second", 10), ("ratio", 8)
    )
    source = folders.folder("notes")
    tiny_texts(source, 0, count)
    best = {}
    # In turn, so that whatever disturbs the machine disturbs all three.
    for _ in range(options.rounds):
        for name, eighth in (("alone", None), ("beside one that works", "good"), ("beside one that stalls", "hang")):
            sinks = folders.folder("sinks")
            for number in range(1, SINKS):
                install(sinks, f"idle-{number}", "mock", ["mock", "--id", f"idle-{number}"], content="none")
            if eighth:
                install(sinks, "eighth", "mock", ["mock", eighth, "--id", "eighth"], content="none")
            container = filled(folders, source, sinks)
            rate = (SINKS - 1) * count / seconds_of_seven(container, sinks, count)
            best[name] = max(rate, best.get(name, 0))
    for name, rate in best.items():
        table.row(name, rate, rate / best["alone"])
    floors.at_least("seven sinks beside one that stalls, of alone", best["beside one that stalls"] / best["alone"], 0.95)


def seconds_of_seven(container, sinks, count):
    """Until the last delivery of the seven is told; the run is ended then."""
    left = (SINKS - 1) * count
    begin = time.perf_counter()
    process = subprocess.Popen(
        [PROGRAM, "deliver", "--json", "--container", container],
        env=os.environ | {"SLUICE_SINKS": str(sinks)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    for line in process.stdout:
        record = json.loads(line).get("delivery")
        if record and record["sink"].startswith("idle-"):
            left -= 1
        if not left:
            break
    elapsed = time.perf_counter() - begin
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    if left:
        say(f"{left} deliveries never came")
        raise SystemExit(1)
    return elapsed


def filled(folders, source, sinks):
    """A container with all deliveries still to be made."""
    container = folders.folder("full") / "container"
    command = ingest(container, source, options=["--quiet", "--no-deliver"])
    measure(command, environment={"SLUICE_SINKS": str(sinks)}, memory=0)
    return container


def install(sinks, name, program, command, role="also", **more):
    folder = sinks / name
    folder.mkdir(parents=True)
    manifest = {
        "id": name,
        "version": "1",
        "protocol": 1,
        "command": command,
        "accepts": [{"type": "*/*", "priority": 1}],
        "role": role,
        "limits": {"stall_s": STALL},
    } | more
    (folder / "sink.json").write_text(json.dumps(manifest))
    shutil.copy2(PROGRAM.with_name(program), folder / program)

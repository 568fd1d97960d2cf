"""Measures the overhead of a delivery, the effect of a stalled sink on the other sinks, and the imports."""

import json
import os
import shutil
import signal
import subprocess
import time

from benchmarks import imports
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
    imports.run(options, folders, floors)


def overhead(options, folders, floors):
    """Measures complete runs: the start and end of all processes, with all attempts and outcomes on disk."""
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
        # The exact type, because a bundled sink would get the texts otherwise.
        install(sinks, "keep", "keep", ["keep"], role="primary", accepts=[{"type": "text/plain"}], **manifest)
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
    """Measures seven sinks alone, then with an eighth that works, and with one that hangs at its first delivery."""
    count = scaled(options, 2_000)
    table = Table(
        f"{SINKS - 1} sinks, {count:,} deliveries each, best of {options.rounds}", 34, ("a second", 10), ("ratio", 8)
    )
    source = folders.folder("notes")
    tiny_texts(source, 0, count)
    best = {}
    # The three run in turn, so that a disturbance of the machine affects all of them.
    for _ in range(options.rounds):
        for name, eighth in (("alone", None), ("with one that works", "good"), ("with one that stalls", "hang")):
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
    floors.at_least("seven sinks with one that stalls, relative to alone", best["with one that stalls"] / best["alone"], 0.95)


def seconds_of_seven(container, sinks, count):
    """The seconds until the last delivery of the seven sinks is reported; the run is then killed."""
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
        say(f"{left} deliveries are missing")
        raise SystemExit(1)
    return elapsed


def filled(folders, source, sinks):
    """A container with all deliveries pending."""
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

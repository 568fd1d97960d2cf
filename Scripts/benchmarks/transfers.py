"""Compares what sinks send and fetch with curl and rclone, on the loopback: a large file, many small ones, and web pages."""

import collections
import contextlib
import os
import random
import sqlite3
import statistics
import sys
import time

from benchmarks.large import MOST_ROUNDS, empty
from benchmarks.senders import Setup, curl, curl_all, rclone_environment
from benchmarks.share import kilobytes
from harness.inputs import GIB, KIB, files_below, random_file, text
from harness.measuring import measure, scaled
from harness.places import Numbered, free_bytes
from harness.program import PROGRAM, has, json_lines, packages, say
from harness.servers import has_apache, static, webdav
from harness.tables import Table

BIG = 8 * GIB
FILES, FILE = 2_000, 20 * KIB
PAGES = 1_000
SLUICE = "sluice deliver"


def run(options, place, floors):
    if not all([has_apache(), has("curl")]):
        return
    folders = Numbered(place)
    for name, part in PARTS.items():
        if name in (options.only or PARTS):
            part(options, folders, floors)


def big(options, folders, floors):
    """Sends one large file. Both programs read it from the container, and a sync follows both, as the server makes none."""
    size, place = scaled(options, BIG), folders.folder("big")
    if free_bytes(place) < 4 * size:
        say(f"one large upload: skipped, because {place} needs {4 * size / GIB:.0f} GiB of free space")
        return
    source = place / "big.bin"
    random_file(source, size)
    times, peaks = big_measured(min(options.rounds, MOST_ROUNDS), folders, source)
    source.unlink()
    peers = {SLUICE: "curl -T", "its transfer alone": "curl -T", f"{SLUICE}, sync": "curl -T, sync"}
    work = f"{size / GIB:.3g} GiB to WebDAV"
    show(f"{work}, {len(peaks)} rounds", times, peers)
    floors.at_most(f"{work}, relative to curl -T", ratio(times, f"{SLUICE}, sync", "curl -T, sync"), 1.1)
    floors.at_most(f"{work}: peak memory of the transfer process, MiB", max(peaks), 32)


def big_measured(rounds, folders, source):
    setup, times, peaks = Setup(folders), collections.defaultdict(list), []
    size = source.stat().st_size
    with webdav(folders.folder("webdav")) as server:
        setup.add_account(server)
        for turn in range(rounds):
            container = setup.filled("upload", source)
            forget(source)
            setup.login(server, container)
            setup.set("upload", account="cloud", config={"service": "webdav"})
            content = max(files_below(container / "objects"), key=os.path.getsize)
            commands = {SLUICE: setup.deliver("upload", container)}
            commands["curl -T"] = [*curl(server), "-T", content, f"{server['url']}big.bin"]
            for name, command in in_turn(commands, turn):
                times[name].append(measure(command, setup.environment, memory=size).seconds)
                if name == SLUICE:
                    seconds, peak = transfer(container)
                    times["its transfer alone"].append(seconds)
                    peaks.append(peak)
                times[f"{name}, sync"].append(times[name][-1] + seconds_of_sync())
                check([os.path.getsize(path) for path in files_below(server["folder"])].count(size), 1, f"files of {name}")
                # Only large files are removed, so this slows no new file.
                empty(server["folder"])
            empty(container)
    return times, peaks


def many(options, folders, floors):
    """Sends small files, with each program into a folder of its own on the server, so that nothing is removed.

    rclone asks for the file after each upload, and before version 1.63 it always waits 10 ms between requests. curl does
    nothing but send, and is for information.
    """
    if not has("rclone"):
        return
    count, source, draw = scaled(options, FILES), folders.folder("many"), random.Random("many")
    for number in range(count):
        (source / f"{number:05}.bin").write_bytes(draw.randbytes(FILE))
    setup, times, rounds = Setup(folders), collections.defaultdict(list), min(options.rounds, MOST_ROUNDS)
    with webdav(folders.folder("webdav")) as server:
        setup.add_account(server)
        rclone = rclone_environment(server)
        for turn in range(rounds):
            container = setup.filled("upload", source)
            setup.login(server, container)
            setup.set("upload", account="cloud", config={"service": "webdav", "folder": f"sluice-{turn}"})
            commands = {SLUICE: (f"sluice-{turn}", setup.deliver("upload", container))}
            for width in (1, 4):
                target, words = f"rclone-{width}-{turn}", ["--transfers", str(width), "--checkers", str(width)]
                commands[f"rclone copy --transfers {width}"] = target, ["rclone", "copy", *words, source, f"cloud:{target}"]
            commands["curl -K, 1 connection"] = f"curl-{turn}", curl_all(server, source, f"curl-{turn}", folders.folder("curl"))
            for name, (target, command) in in_turn(commands, turn):
                times[name].append(measure(command, setup.environment | rclone).seconds)
                sizes = [path.stat().st_size for path in (server["folder"] / target).glob("*.bin")]
                check(sizes.count(FILE), count, f"files of {name}")
    one, work = "rclone copy --transfers 1", f"{count:,} files of {FILE // KIB} KiB to WebDAV"
    show(f"{work}, {rounds} rounds", times, {name: one for name in times if name != one})
    floors.at_most(f"{work}, relative to rclone copy", ratio(times, SLUICE, one), 1)


def downloads(options, folders, floors):
    """Fetches small web pages. Sluice also writes its catalog and what it finds in the pages; a sync follows all programs."""
    count, setup, times = scaled(options, PAGES), Setup(folders), collections.defaultdict(list)
    server = folders.folder("server")
    write_pages(server / "pages", count)
    with static(server) as url:
        links = folders.folder("links") / "links"
        links.write_text("".join(f"{url}/{number}.html\n" for number in range(1, count + 1)))
        for turn in range(options.rounds):
            container = setup.filled("link-capture", "--files-from", links)
            setup.set("link-capture", hosts=[url], config={"download": True})
            commands = {SLUICE: (None, setup.deliver("link-capture", container))}
            for name, words in (("curl --parallel", []), ("curl --parallel-max 4", ["--parallel-max", "4"])):
                out = folders.folder("out")
                fetch = ["curl", "-sS", "--fail", "--parallel", *words, "-o", f"{out}/#1.html", f"{url}/[1-{count}].html"]
                commands[name] = out, fetch
            for name, (out, command) in in_turn(commands, turn):
                times[name].append(measure(command, setup.environment).seconds)
                times[f"{name}, sync"].append(times[name][-1] + seconds_of_sync())
                check(len(files_below(out)) if out else captured(container), count, f"pages of {name}")
    peers = {name: "curl --parallel, sync" if "sync" in name else "curl --parallel" for name in times}
    show(f"{count:,} web pages, {options.rounds} rounds", times, peers)
    value = ratio(times, f"{SLUICE}, sync", "curl --parallel, sync")
    floors.at_most(f"{count:,} web pages, relative to curl --parallel", value, 1.3)


PARTS = {"big": big, "many": many, "downloads": downloads}


def write_pages(folder, count):
    """Writes different web pages of 2 to 6 KiB: `1.html` and so on."""
    folder.mkdir()
    draw = random.Random("pages")
    for number in range(1, count + 1):
        words = text(draw, draw.randint(2 * KIB, 6 * KIB), f"page {number}").decode()
        page = f"<!DOCTYPE html>\n<html><head><title>Page {number}</title></head><body><p>{words}</p></body></html>\n"
        (folder / f"{number}.html").write_text(page)


def transfer(container):
    """The seconds of the only transfer, and the peak memory of its process in MiB. The process stays for 10 seconds."""
    with contextlib.closing(sqlite3.connect(f"file:{container}/transfers.sqlite?mode=ro", uri=True)) as record:
        steps = {kind: (time, process) for kind, time, process in record.execute("SELECT kind, time, process FROM step")}
    seconds = (steps["finished"][0] - steps["started"][0]) / 1_000
    return seconds, kilobytes(steps["finished"][1], "VmHWM") / 1024


def captured(container):
    """The number of packages with a downloaded page."""
    ids = [package["id"] for package in packages(container)]
    files = json_lines([PROGRAM, "path", "--json", "--container", container, *ids])
    return len({line["file"]["id"] for line in files if line["file"]["name"] == "page.html"})


def forget(path):
    """Frees the page cache of a file for what is measured."""
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def in_turn(commands, turn):
    return list(commands.items()) if turn % 2 == 0 else reversed(commands.items())


def seconds_of_sync():
    began = time.perf_counter()
    os.sync()
    return time.perf_counter() - began


def check(found, count, what):
    """A figure is valid only if everything has arrived."""
    if found != count:
        sys.exit(f"bench: {found:,} of {count:,} {what} have arrived")


def ratio(times, name, peer, of=min):
    return of(times[name]) / of(times[peer])


def show(title, times, peers):
    table = Table(f"seconds of {title}", 34, ("best", 9), ("ratio", 8), ("median", 9), ("ratio", 8))
    for name, found in times.items():
        ratios = [ratio(times, name, peers[name], of) if name in peers else None for of in (min, statistics.median)]
        table.row(name, min(found), ratios[0], statistics.median(found), ratios[1])

"""Counts with strace how often each byte is read and written during ingestion, and the syncs."""

from benchmarks.peers import Sluice
from harness.inputs import GIB, MIB, random_file, realistic_mix
from harness.measuring import scaled
from harness.program import has, say
from harness.tables import Table
from harness.traces import Traffic, trace


def run(options, folders, floors):
    if not has("strace"):
        return
    count = scaled(options, 10_000)
    mix = folders.folder("mix")
    size = realistic_mix(mix, count, "traffic")
    large = folders.folder("large") / "large.bin"
    random_file(large, 128 * MIB if options.quick else GIB)
    subjects = [
        (f"{count:,} files", mix, size, count),
        (f"one of {large.stat().st_size // MIB:,} MiB", large, large.stat().st_size, 1),
    ]
    results = [(name, counted(source, folders), size, files) for name, source, size, files in subjects]
    bytes_table(results, floors)
    syncs_table(results)


def counted(source, folders):
    sluice = Sluice(folders.folder("traffic"))
    traffic = Traffic(sluice.container, source)
    status, calls = trace(sluice.command(source, None), sluice.container.parent)
    for call in calls:
        traffic.add(*call)
    if status:
        say(f"traffic of {source}: status {status}")
    for note in sorted(traffic.notes):
        say(note)
    return traffic


def bytes_table(results, floors):
    columns = (("source read", 13), ("staged written", 16), ("staged read", 13), ("names written", 15), ("catalog written", 17), ("catalog read", 14))
    table = Table("bytes a byte stored", 20, *columns)
    for name, traffic, size, _ in results:
        read, written = traffic.read, traffic.written
        cells = (read["source"], written["staged"], read["staged"], written["names"], written["catalog"], read["catalog"])
        table.row(name, *(f"{cell / size:.3f}" for cell in cells))
        floors.at_most(f"{name}: bytes read from the source a byte stored", read["source"] / size, 1.0)
        floors.at_most(f"{name}: bytes written to objects a byte stored", written["staged"] / size, 1.0)


def syncs_table(results):
    table = Table("syncs", 40, ("calls", 8), ("a 1,000 files", 15))
    for name, traffic, _, files in results:
        for call, calls in sorted(traffic.syncs.items()):
            table.row(f"{name}: {call}", calls, calls * 1000 / files if files > 1 else None)

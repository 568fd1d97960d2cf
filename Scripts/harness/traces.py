"""Reads the output of strace: bytes and syncs by path."""

import collections
import re
import subprocess

READS = {"read", "pread64", "readv", "preadv", "preadv2"}
WRITES = {"write", "pwrite64", "writev", "pwritev", "pwritev2"}
COPIES = {"copy_file_range", "sendfile", "splice"}
SYNCS = {"syncfs", "fsync", "fdatasync", "sync_file_range", "sync"}
OTHERS = {"mmap", "io_uring_setup"}
FINISHED = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+|\?)")
UNFINISHED = re.compile(r"^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$")
RESUMED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>(.*)$")
DESCRIPTOR = re.compile(r"\d+<([^>]*)>")


def trace(command, place, calls=READS | WRITES | COPIES | SYNCS | OTHERS):
    """Runs a command with strace. Returns its exit status and its calls: name, arguments, result."""
    log = place / "trace"
    strace = ["strace", "-f", "-y", "-qq", "-s", "0", "--seccomp-bpf", "-o", log, "-e", "trace=" + ",".join(sorted(calls))]
    status = subprocess.run(strace + list(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    return status, parsed(log)


def parsed(log):
    """The completed calls. A call that another thread interrupted is joined from its two lines."""
    open_calls = {}
    with open(log, errors="replace") as lines:
        for line in lines:
            if match := UNFINISHED.match(line):
                open_calls[match[1]] = line.removesuffix(" <unfinished ...>\n")
                continue
            if match := RESUMED.match(line):
                line = open_calls.pop(match[1], "") + match[3]
            if (match := FINISHED.match(line)) and match[4] != "?":
                yield match[2], match[3], int(match[4])


class Traffic:
    """The bytes by kind of path (`source`, `staged`, `names`, `catalog`), and the syncs."""

    def __init__(self, container, source):
        self.container, self.source = str(container.resolve()), str(source.resolve())
        self.read = collections.Counter()
        self.written = collections.Counter()
        self.syncs = collections.Counter()
        self.notes = set()

    def kind(self, path):
        if path.startswith(self.source):
            return "source"
        # The record of the objects' names, which a writer keeps in case it dies.
        if path.startswith(f"{self.container}/tmp") and path.endswith(("/names", "/names.old")):
            return "names"
        if path.startswith((f"{self.container}/tmp", f"{self.container}/objects")):
            return "staged"
        if path.startswith(f"{self.container}/catalog"):
            return "catalog"
        return "container" if path.startswith(self.container) else None

    def add(self, call, arguments, result):
        kinds = [self.kind(path) for path in DESCRIPTOR.findall(arguments)]
        if call in SYNCS:
            self.syncs[f"{call} {'' if call in ('syncfs', 'sync') else kinds[0] or 'other'}".strip()] += 1
        elif call == "io_uring_setup":
            self.notes.add("the program uses io_uring, whose reads and writes are not counted")
        elif call == "mmap":
            if "source" in kinds:
                self.notes.add("the program maps sources into memory; these reads are not counted")
        elif result > 0 and kinds:
            self.add_bytes(call, kinds, result)

    def add_bytes(self, call, kinds, count):
        if call in READS:
            self.read[kinds[0]] += count
        elif call in WRITES:
            self.written[kinds[0]] += count
        elif len(kinds) == 2:
            target, source = kinds if call == "sendfile" else reversed(kinds)
            self.read[source] += count
            self.written[target] += count

"""What the program promised about each share, compared with the container and with what the service got."""

import collections
import contextlib
import dataclasses
import hashlib
import random
import signal
import sqlite3

from harness.inputs import KIB, text, write
from tortures.disturbing import Disturbance

INTERRUPTED = 16
KILLED_TWICE = 130
# How a share may end if it got the signal. Before the program listens, the signal ends it like any other program.
ENDS = {
    "KILL": {0, -signal.SIGKILL},
    "TERM": {0, INTERRUPTED, KILLED_TWICE, -signal.SIGTERM},
    "STOP": {0},
}
KINDS = ("text", "link", "file", "bytes", "several")


@dataclasses.dataclass
class Given:
    """What one share is given: the arguments, and the digest of each content. No other share has the same content."""

    arguments: list
    digests: list

    @classmethod
    def drawn(cls, seed, folder):
        draw = random.Random(f"content {seed}")
        kind, link = draw.choice(KINDS), f"https://example.org/{seed}"
        words = text(draw, draw.randint(100, 20 * KIB), seed)
        if kind == "text":
            return cls(["--text", words.decode()], [digest(words)])
        if kind == "link":
            return cls([link, "--title", f"link {seed}"], [digest(link.encode())])
        content = words if kind == "file" else seed.encode() + draw.randbytes(draw.randint(1, 200 * KIB))
        path = folder / f"{seed}{'.txt' if kind == 'file' else '.bin'}"
        write(path, content)
        if kind == "several":
            return cls([path, link], [digest(content), digest(link.encode())])
        return cls([path], [digest(content)])


@dataclasses.dataclass
class Shared:
    """One share, and how it ended."""

    seed: str
    given: Given
    disturbance: Disturbance
    ended: object

    @property
    def is_acknowledged(self):
        """A whole receipt says that the share is durable, as the status 0 does."""
        return self.ended.status == 0 or self.ended.output.endswith("}\n")

    @property
    def is_refused(self):
        """Whether nothing of it may be left. A share that was killed may be durable, or not."""
        return not self.is_acknowledged and self.ended.status not in (-signal.SIGKILL, KILLED_TWICE)

    @property
    def is_sane(self):
        is_hit = self.disturbance.target in ("share", "both")
        return not self.ended.hung and self.ended.status in (ENDS[self.disturbance.name] if is_hit else {0})

    def __str__(self):
        status = "hung" if self.ended.hung else f"status {self.ended.status}"
        return f"{self.seed} ({self.disturbance.kind} {self.disturbance.moment}, {status})"


def digest(content):
    return hashlib.sha256(content).hexdigest()


def rows(container, query):
    with contextlib.closing(sqlite3.connect(f"file:{container}/catalog.sqlite?mode=ro", uri=True)) as catalog:
        return catalog.execute(query).fetchall()


def stored(container):
    """The digests of each package."""
    found = collections.defaultdict(list)
    query = "SELECT package, hex(sha256) FROM provider LEFT JOIN object ON object.seq = provider.object"
    for package, name in rows(container, query):
        found[package].append(name.lower())
    return dict(found)


def undelivered(container):
    query = "SELECT outcome, attempts, why FROM delivery WHERE outcome != 'delivered'"
    return [f"a delivery is {outcome} after {tries} attempts: {why}" for outcome, tries, why in rows(container, query)]


def broken(shares, container, arrived):
    """The promises that were broken: of each share all or nothing is stored, once, and delivered once."""
    packages = stored(container)
    owners = collections.defaultdict(list)
    for package, digests in packages.items():
        for name in digests:
            owners[name].append(package)
    keys = collections.Counter(key for key, _ in arrived)
    deliveries = collections.Counter(name for _, name in arrived)
    lines, known = [], set()
    for share in shares:
        known.update(share.given.digests)
        found = sorted({package for name in share.given.digests for package in owners[name]})
        if [sorted(packages[package]) for package in found] not in ([], [sorted(share.given.digests)]):
            lines.append(f"{share}: stored in part, or more than once: packages {found}")
        if share.is_acknowledged and not found:
            lines.append(f"{share}: acknowledged, but not stored")
        if share.is_refused and found:
            lines.append(f"{share}: stored: {share.ended.errors.strip()}")
        for name in share.given.digests:
            if (times := deliveries[name]) != bool(found):
                lines.append(f"{share}: {len(found)} packages, delivered {times} times: {name[:12]}")
    lines += [f"the service got the key {key} {count} times" for key, count in keys.items() if count > 1]
    lines += [f"stored, but never shared: {name[:12]}" for name in sorted(owners.keys() - known)]
    return lines + [f"delivered, but never shared: {name[:12]}" for name in sorted(deliveries.keys() - known)]

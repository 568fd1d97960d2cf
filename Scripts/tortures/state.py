"""The state of a container, without the parts that may differ between two runs with the same result."""

import collections
import contextlib
import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import sqlite3
import subprocess

from harness.program import PROGRAM, has_command, json_lines, packages

# Identifiers, times and numbers of attempts may differ; all other values must be equal.
VARIABLE = {"id", "received", "attempts", "duplicate_of", "supersedes", "started", "ended", "settled", "at", "seconds"}
MOST_SAID = 500


@dataclasses.dataclass(eq=False)
class State:
    """The objects with the digests of their bytes, `list --json`, leftover files, and receipts on demand."""

    container: pathlib.Path
    objects: dict
    packages: list
    listed: collections.Counter
    leftovers: list

    @functools.cache
    def receipt(self, line):
        """The receipt of the package with this line in the list."""
        identifier = next(package["id"] for package in self.packages if canonical(package) == line)
        (shown,) = json_lines([PROGRAM, "show", "--json", identifier, "--container", self.container])
        return canonical(shown)


def state(container, retried=False):
    """The state of a container that no process uses.

    If failed packages were tried again, the list still has the superseded failures. With `retried`, they are left out.
    """
    found = packages(container)
    if retried:
        found = [package for package in found if not is_superseded_failure(package)]
    listed = collections.Counter(map(canonical, found))
    return State(container, objects(container), found, listed, leftovers(container))


def is_superseded_failure(package):
    return package["outcome"] == "failed" and "superseded_by" in package


def canonical(value):
    return json.dumps(without_variable(value), sort_keys=True)


def without_variable(value):
    if isinstance(value, dict):
        return {key: without_variable(inner) for key, inner in value.items() if key not in VARIABLE}
    if isinstance(value, list):
        return [without_variable(inner) for inner in value]
    return value


def objects(container):
    found = {}
    for folder, _, names in os.walk(container / "objects"):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                found[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def named(container):
    """The names of the objects that have a row. A run may leave others, which a later run removes after a kill."""
    with contextlib.closing(sqlite3.connect(f"file:{container}/catalog.sqlite?mode=ro", uri=True)) as catalog:
        return {digest.hex() for (digest,) in catalog.execute("SELECT sha256 FROM object")}


def leftovers(container):
    roots = (container / "tmp", container / "work")
    return sorted(str(path.relative_to(container)) for root in roots for path in root.rglob("*"))


def damaged(found):
    return sorted(name for name, digest in found.items() if name != digest)


def differences(expected, found, draw, receipts, rerouted=False):
    """The differences between two states as text: missing, additional and changed entries; empty if there are none.

    It compares a random sample of `receipts` receipts. With `rerouted`, they may have deliveries to additional sinks.
    """
    lines = [f"object {name[:12]} does not match its digest" for name in damaged(found.objects)]
    needed = expected.objects.keys() & named(expected.container)
    lines += [f"object {name[:12]} is lost" for name in sorted(needed - found.objects.keys())]
    lines += [f"object {name[:12]} is not needed" for name in sorted(found.objects.keys() - expected.objects.keys())]
    lines += [f"not listed ({count}x): {line}" for line, count in (expected.listed - found.listed).items()]
    lines += [f"listed in addition ({count}x): {line}" for line, count in (found.listed - expected.listed).items()]
    common = sorted(expected.listed.keys() & found.listed.keys())
    for line in draw.sample(common, min(receipts, len(common))):
        right, seen = expected.receipt(line), found.receipt(line)
        if seen != right and not (rerouted and without_additional_sinks(seen, right) == right):
            lines.append(f"wrong receipt: {seen}\n        instead of: {right}")
    return lines + [f"left over: {path}" for path in found.leftovers] + unverified(found.container)


def without_additional_sinks(receipt, expected):
    """The receipt without the deliveries to sinks that the expected one does not name."""
    shown, right = json.loads(receipt), json.loads(expected)
    for provider, other in zip(shown["receipt"]["providers"], right["receipt"]["providers"]):
        sinks = {delivery["sink"] for delivery in other["deliveries"]}
        provider["deliveries"] = [delivery for delivery in provider["deliveries"] if delivery["sink"] in sinks]
    return canonical(shown)


def compared(expected, container, draw, receipts, retried=False, rerouted=False):
    """The differences of a container's state. A failing command counts as a difference."""
    try:
        return differences(expected, state(container, retried), draw, receipts, rerouted)
    except RuntimeError as failure:
        return [str(failure)[:MOST_SAID]]


def unverified(container):
    """The findings of the program's own `verify`."""
    if not has_command("verify"):
        return []
    result = subprocess.run([PROGRAM, "verify", "--container", container], capture_output=True, text=True)
    return [f"verify: status {result.returncode}: {result.stdout}{result.stderr}"] if result.returncode else []


def broken_promises(container, acknowledged):
    """Checks the promises that hold at any moment: complete objects, and the content of each acknowledged package.

    The check comes directly after a crash, before any other run.
    """
    if not (container / "format").exists():
        return [f"acknowledged, but there is no container: {sorted(acknowledged)}"] if acknowledged else []
    present = objects(container)
    lines = [f"object {name[:12]} does not match its digest" for name in damaged(present)]
    try:
        listed = {package["id"] for package in packages(container)}
    except RuntimeError as failure:
        return lines + [str(failure)[:MOST_SAID]]
    for identifier, digests in acknowledged.items():
        if identifier not in listed:
            lines.append(f"acknowledged, but not listed: {identifier}")
        lines += [f"acknowledged, but its object is missing: {digest}" for digest in digests if digest not in present]
    return lines

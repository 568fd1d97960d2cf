"""Where the program is, and how it is called."""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(os.environ.get("SLUICE") or ROOT / ".build/release/sluice")


def say(text):
    """A word to the person, beside the tables."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {text}", file=sys.stderr, flush=True)


def require_program():
    if not PROGRAM.exists():
        sys.exit(f"{PROGRAM} is not there: make release, or name a program in $SLUICE")


def ingest(container, *paths, options=()):
    return [PROGRAM, "ingest", *options, "--container", container, "--", *paths]


def json_lines(command):
    """The objects that a command prints, a line each; what it says beside is passed on where it fails."""
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{words(command)}: status {result.returncode}: {result.stderr.strip()}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def packages(container):
    return [line["package"] for line in json_lines([PROGRAM, "list", "--json", "--container", container])]


@functools.cache
def has_command(name):
    """Whether the program has such a command yet."""
    shown = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout
    return any(line.split()[:1] == [name] for line in shown.splitlines())


@functools.cache
def has_option(command, option):
    """Whether a command has such an option yet."""
    return option in subprocess.run([PROGRAM, "help", command], capture_output=True, text=True).stdout.split()


def words(command):
    return " ".join(str(word) for word in command)


def has(tool, package=None):
    """Whether a tool is there; says what to install where it is not."""
    if shutil.which(tool):
        return True
    say(f"{tool} is missing, so it is left out: apt-get install {package or tool}")
    return False

"""The program under test, and ways to run it."""

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
    """Prints a message for the user to standard error."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {text}", file=sys.stderr, flush=True)


def require_program():
    if not PROGRAM.exists():
        sys.exit(f"{PROGRAM} does not exist: run make release, or set $SLUICE to a program")


def ingest(container, *paths, options=()):
    return [PROGRAM, "ingest", *options, "--container", container, "--", *paths]


def json_lines(command):
    """The JSON objects that a command prints, one on each line. If it fails, the error has its messages."""
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{words(command)}: status {result.returncode}: {result.stderr.strip()}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def packages(container):
    return [line["package"] for line in json_lines([PROGRAM, "list", "--json", "--container", container])]


@functools.cache
def has_command(name):
    """Whether the program has this command."""
    shown = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout
    return any(line.split()[:1] == [name] for line in shown.splitlines())


@functools.cache
def has_option(command, option):
    """Whether a command has this option."""
    return option in subprocess.run([PROGRAM, "help", command], capture_output=True, text=True).stdout.split()


def words(command):
    return " ".join(str(word) for word in command)


def has(tool, package=None):
    """Whether a tool is installed. If not, prints the package to install."""
    if shutil.which(tool):
        return True
    say(f"{tool} is missing; skipping its part. To install it: apt-get install {package or tool}")
    return False

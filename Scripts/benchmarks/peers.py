"""The programs for comparison, with their preparation before the measurement."""

import os
import subprocess

from harness.program import has, ingest

BORG = {"BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK": "yes", "BORG_RELOCATED_REPO_ACCESS_IS_OK": "yes"}
# Copies with `cp -r`, then identifies the copies with `file`, then hashes them with `openssl`.
COPY_NAME_HASH = """
cp -r "$1" "$2" && find "$2" -type f -fprint "$3" -fprint0 "$4" &&
file --mime-type -f "$3" > /dev/null && xargs -0 openssl dgst -sha256 < "$4" > /dev/null
"""


class Sluice:
    """`sluice ingest` without deliveries into an existing container. All data is durable at its end."""

    name = "sluice ingest"

    def __init__(self, folder):
        self.container = folder / "container"
        self.environment = {}
        nothing = folder / "nothing"
        nothing.mkdir()
        subprocess.run(self.command(nothing, None), check=True, stdout=subprocess.DEVNULL)

    def command(self, source, _):
        return ingest(self.container, source, options=["--quiet", "--no-deliver"])


class Restic:
    """`restic backup` into a new repository, without a cache."""

    name = "restic backup"

    def __init__(self, folder):
        self.repository = folder / "repository"
        self.environment = {"RESTIC_PASSWORD": "bench"}
        subprocess.run(self.restic("init"), check=True, env=environ(self), stdout=subprocess.DEVNULL)

    def restic(self, *words):
        return ["restic", "--no-cache", "-q", "-r", self.repository, *words]

    def command(self, source, _):
        return self.restic("backup", source)


class Borg:
    """`borg create` into a new repository without encryption. Borg keeps all its files in the folder."""

    name = "borg create"

    def __init__(self, folder):
        self.repository = folder / "repository"
        self.environment = BORG | {"BORG_BASE_DIR": str(folder / "base")}
        subprocess.run(["borg", "init", "-e", "none", self.repository], check=True, env=environ(self))

    def command(self, source, turn):
        return ["borg", "create", f"{self.repository}::{turn}", source]


class CopyNameHash:
    """`cp -r`, then `file` and `openssl dgst` for the copies, without a sync."""

    name = "cp -r, file, openssl dgst"

    def __init__(self, folder):
        self.folder = folder
        self.environment = {}

    def command(self, source, _):
        names = [self.folder / name for name in ("copy", "list", "list0")]
        return ["sh", "-c", COPY_NAME_HASH, "sh", source, *names]


def environ(peer):
    return os.environ | peer.environment


def present():
    """The installed programs, with Sluice first."""
    found = [Sluice]
    found += [Restic] if has("restic") else []
    found += [Borg] if has("borg", "borgbackup") else []
    found += [CopyNameHash] if all([has("file"), has("openssl")]) else []
    return found

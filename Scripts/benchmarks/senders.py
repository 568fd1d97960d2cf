"""The programs that send to a WebDAV folder, with their preparation before the measurement: Sluice, curl and rclone."""

import json
import os
import subprocess

from harness.measuring import measure
from harness.program import PROGRAM, json_lines


class Setup:
    """Settings in which all sinks are off at first, and a keychain of its own. No agent works beside what is measured."""

    def __init__(self, folders):
        self.folders, home = folders, folders.folder("home")
        self.environment = {"SLUICE_CONFIG": str(home / "config"), "XDG_DATA_HOME": str(home / "data")}
        self.environment |= {"SLUICE_KEYCHAIN": "file", "SLUICE_AGENT": "off"}
        self.sinks = home / "config/sinks"
        self.sinks.mkdir(parents=True)
        for line in json_lines([PROGRAM, "sinks", "list", "--json"]):
            self.set(line["sink"]["id"], enabled=False)

    def set(self, sink, **settings):
        (self.sinks / f"{sink}.json").write_text(json.dumps(settings))

    def filled(self, sink, *inputs):
        """A container with these inputs, which the sink has not had."""
        self.set(sink, enabled=False)
        container = self.folders.folder("full") / "container"
        measure([PROGRAM, "ingest", "--quiet", "--no-deliver", "--container", container, *inputs], self.environment, memory=0)
        return container

    def deliver(self, sink, container):
        return [PROGRAM, "deliver", "--backfill", sink, "--container", container]

    def add_account(self, server):
        self.call("account", "add", "cloud", "--kind", "password", "--plain-http", "--url", server["url"].rstrip("/"))

    def login(self, server, container):
        words = ["account", "login", "cloud", "--user", server["user"], "--container", container]
        self.call(*words, secret=f"{server['password']}\n")

    def call(self, *words, secret=""):
        environment = os.environ | self.environment
        subprocess.run([PROGRAM, *words], input=secret, text=True, check=True, env=environment, stdout=subprocess.DEVNULL)


def curl(server):
    return ["curl", "-sS", "--fail", "-u", f"{server['user']}:{server['password']}"]


def curl_all(server, source, target, folder):
    """Sends all files of a folder over one connection."""
    (server["folder"] / target).mkdir()
    lines = [f'upload-file = "{source}/{name}"\nurl = "{server["url"]}{target}/{name}"\n' for name in sorted(os.listdir(source))]
    (folder / "files").write_text("".join(lines))
    return [*curl(server), "-K", folder / "files"]


def rclone_environment(server):
    """The service `cloud`, without a pause between requests."""
    hidden = subprocess.run(["rclone", "obscure", server["password"]], capture_output=True, text=True, check=True).stdout.strip()
    login = {"URL": server["url"], "USER": server["user"], "PASS": hidden}
    options = {"TYPE": "webdav", "VENDOR": "other", "PACER_MIN_SLEEP": "0s", **login}
    return {f"RCLONE_CONFIG_CLOUD_{key}": value for key, value in options.items()}

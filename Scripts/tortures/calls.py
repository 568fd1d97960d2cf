"""SIGKILL at every counted system call of a command that sends, and of the process that makes its transfers.

The service knows idempotency keys. It gets each content once, and only with the token of the person whose content it is.
"""

import json
import os
import random
import shutil
import subprocess
import time

from harness.program import PROGRAM, has
from tortures.injection import ALONE, calls_by_name
from tortures.logins import ROOT, LinkService
from tortures.trials import children, reaped

CALLS = """openat read pread64 write pwrite64 copy_file_range rename renameat2 linkat mkdir mkdirat unlink unlinkat fsync fdatasync
ftruncate flock fcntl close socket connect bind listen accept4 sendto sendmsg recvmsg recvfrom epoll_ctl clone3 inotify_add_watch
newfstatat""".split()
# In the short run, so many calls of each name are drawn.
DRAWN = 1
# The longest time of one command, and until a transfer process serves, in seconds.
LIMIT, PATIENCE = 60, 10
PEOPLE = ("ada", "eve")
# Hands each delivery over to a transfer.
RELAY = """#!/usr/bin/env python3
import json, sys
for line in sys.stdin:
    kind, body = next(iter(json.loads(line).items()))
    if kind == "hello": answer = {"hello": {"protocol": 1, "id": "relay", "version": "1", "features": ["transfer"]}}
    elif kind == "configure": answer = {"ready": {}}
    elif kind == "goodbye": break
    elif "transfer" in body:
        done = {"done": {"id": body["id"], "status": "delivered"}}
        fail = {"fail": {"id": body["id"], "class": "auth", "why": "no login"}}
        answer = done if body["transfer"]["status"] < 300 else fail
    else:
        answer = {"transfer": {"id": body["id"], "method": "POST", "url": "/relay-" + body["parts"][0]["name"], "account": True,
                               "headers": {"Idempotency-Key": body["key"] + body["id"]}, "body": {"part": 0}}}
    print(json.dumps(answer), flush=True)
"""


class Scene:
    """A container with two sinks that send: one with short requests, and one with transfers."""

    def __init__(self, place, service):
        self.place, self.service = place, service
        self.template, self.settings = place / "template", place / "config"
        shutil.copytree(ROOT / "Plugins/examples/send-file", place / "sinks/send-file")
        relay = place / "sinks/relay"
        relay.mkdir()
        (relay / "relay").write_text(RELAY)
        (relay / "relay").chmod(0o755)
        manifest = {"id": "relay", "version": "1", "protocol": 1, "command": ["relay"], "accepts": [{"type": "*/*"}], "role": "also",
                    "needs": {"requests": True}, "idempotent": True}
        (relay / "sink.json").write_text(json.dumps(manifest))
        (self.settings / "sinks").mkdir(parents=True)
        for sink in ("link-capture", "text-note", "keep"):
            (self.settings / f"sinks/{sink}.json").write_text('{"enabled": false}')
        for sink in ("send-file", "relay"):
            (self.settings / f"sinks/{sink}.json").write_text('{"account": "notes"}')
        self.variables = {**os.environ, "SLUICE_SINKS": str(place / "sinks"), "SLUICE_CONFIG": str(self.settings),
                          "SLUICE_AGENT": "off", "SLUICE_KEYCHAIN": "file", "XDG_DATA_HOME": str(place / "data"),
                          "XDG_RUNTIME_DIR": str(place), "DBUS_SESSION_BUS_ADDRESS": ""}
        service.control(tokens={f"token-of-{person}": person for person in PEOPLE})
        # A login needs a container.
        empty = place / "empty"
        empty.mkdir()
        self.must("ingest", "--no-deliver", empty, container=self.template)
        self.must("account", "add", "notes", "--kind", "token", "--plain-http", "--url", service.address + "/files", "--who-url",
                  service.address + "/me", "--who-field", "account/login")

    def command(self, *words, container):
        return [str(word) for word in (PROGRAM, *words, "--container", container)]

    def run(self, command, lines="", prefix=()):
        return subprocess.run([*prefix, *command], env=self.variables, input=lines, capture_output=True, text=True, timeout=LIMIT)

    def must(self, *words, container=None, lines=""):
        ended = self.run(self.command(*words, container=container) if container else [str(PROGRAM), *words], lines)
        if ended.returncode:
            raise RuntimeError(f"{words}: status {ended.returncode}: {ended.stderr.strip()}")
        return ended.stdout

    def login(self, person, container):
        self.must("account", "login", "notes", container=container, lines=f"token-of-{person}\n")

    def ingest(self, container, name, person):
        """The command that takes a new content in, as a person."""
        folder = self.place / "in"
        folder.mkdir(exist_ok=True)
        file = folder / f"{name}-{person}.txt"
        file.write_text(f"The content {name} of {person}.\n")
        return self.command("ingest", file, container=container)

    def container(self, place):
        """A new container in which the first person is logged in."""
        container = place / "container"
        shutil.copytree(self.template, container)
        self.login("ada", container)
        return container

    def calls(self, target):
        """The calls of the command, or of a transfer process beside it, by name."""
        place = self.place / f"calls-{target}"
        place.mkdir()
        container = self.container(place)
        command = self.ingest(container, f"count-{target}", "ada")
        os.environ.update({name: self.variables[name] for name in self.variables})
        if target == "command":
            return calls_by_name(command, place, CALLS, strace=ALONE)[0]
        # The process ends by itself, some seconds after its last connection.
        (container / "run").mkdir(exist_ok=True)
        with subprocess.Popen(command, env=self.variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=lambda: time.sleep(0.7)) as late:
            counted = calls_by_name(transfers(container), place, CALLS, strace=ALONE)[0]
            late.wait()
        return counted


def transfers(container):
    return [str(PROGRAM.parent / "sluice-transfer"), str(container), str(container / "run")]


class Trial:
    """One kill: of the command, or of the transfer process that serves it."""

    def __init__(self, scene, folders, number, target, call, at):
        self.scene, self.target, self.call, self.at = scene, target, call, at
        self.name, self.place = f"{number}-{target}-{call}-{at}", folders.folder("trial")
        self.container = scene.container(self.place)

    def carry_out(self, draw):
        """Kills, goes on as people would, and returns whether the kill has hit and what is wrong."""
        scene = self.scene
        before = len(scene.service.control()["files"])
        injection = [*ALONE, "-o", "/dev/null", "-e", f"trace={self.call}", "-e", f"inject={self.call}:signal=KILL:when={self.at}"]
        command = scene.ingest(self.container, self.name, "ada")
        process = None
        if self.target == "transfers":
            process = subprocess.Popen([*injection, *transfers(self.container)], env=scene.variables, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait_until(lambda: is_served(self.container) or process.poll() is not None)
            injection = []
        first = scene.run(command, prefix=injection)
        has_hit = (process.poll() if process else first.returncode) not in (None, 0)
        people = ["ada"]
        if draw.random() < 0.5:
            # Another person logs in, and shares something. What is the first one's waits.
            scene.login("eve", self.container)
            scene.run(scene.ingest(self.container, self.name, "eve"))
            scene.run(scene.command("deliver", container=self.container))
            scene.login("ada", self.container)
            people.append("eve")
        again = scene.run(command)
        last = scene.run(scene.command("deliver", "--wait", container=self.container))
        if process:
            process.kill()
        found = [f"the last command: status {last.returncode}: {last.stdout}{last.stderr}"] if last.returncode else []
        # What has failed in between is tried again a little later.
        if again.returncode not in (0, 1) or again.returncode and " pending" not in again.stdout:
            found.append(f"the rerun: status {again.returncode}: {again.stdout}{again.stderr}")
        found += self.wrong(scene.service.control()["files"][before:], people) + self.left()
        end_transfers(self.container)
        return has_hit, found

    def wrong(self, files, people):
        """What is wrong with the requests that the service has taken."""
        found = []
        for person in people:
            for sink, count in (("relay", 1), ("send-file", 1)):
                own = [file for file in files if file[2].endswith(f"{self.name}-{person}.txt") and file[2].startswith("relay-") == (sink == "relay")]
                if len(own) != count:
                    found.append(f"{sink}: the content of {person} arrived {len(own)} times")
                found += [f"{sink}: the content of {person} came with the token of {file[0]}" for file in own if file[0] != person]
        return found

    def left(self):
        """What a settled container must not have."""
        names = [path for folder in ("tmp", "work", "transfers") for path in (self.container / folder).glob("*")]
        found = [f"left in the container: {path.relative_to(self.container)}" for path in names if path.is_file()]
        listed = self.scene.must("transfers", "--json", container=self.container)
        return found + ([f"transfers are open: {listed.strip()}"] if listed.strip() else [])


def is_served(container):
    """Whether a transfer process has its socket."""
    return (container / "run/transfer.socket").exists()


def end_transfers(container):
    """Ends the transfer process of a trial, which would stay for some seconds."""
    subprocess.run(["pkill", "-9", "-f", f"sluice-transfer {container}"], check=False)
    reaped(children())


def wait_until(is_reached):
    end = time.monotonic() + PATIENCE
    while not is_reached() and time.monotonic() < end:
        time.sleep(0.005)


def torture(options, folders, report):
    if not has("strace"):
        return
    service = LinkService()
    try:
        kill(options, folders, report, service)
    finally:
        service.end()


def kill(options, folders, report, service):
    scene, draw = Scene(folders.folder("calls"), service), random.Random(f"{options.seed}-calls")
    number = 0
    for target in ("command", "transfers"):
        counts = scene.calls(target)
        moments = [(call, at) for call in sorted(counts) for at in range(1, counts[call] + 1)]
        if options.short:
            moments = [draw.choice([each for each in moments if each[0] == call]) for call in sorted(counts)][:: max(1, len(counts) // 6)]
        for call, at in moments:
            number += 1
            try:
                has_hit, found = Trial(scene, folders, number, target, call, at).carry_out(draw)
            except RuntimeError as failure:
                has_hit, found = True, [str(failure)]
            report.trial(target, has_hit, found, f"seed {options.seed}, {call} {at}")
        report.note(f"{target}: {len(moments)} of {sum(counts.values())} calls")

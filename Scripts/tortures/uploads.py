"""A large upload whose starter, agent, transfer process, server and network die. It arrives once, and little is sent twice."""

import collections
import contextlib
import hashlib
import json
import os
import pathlib
import random
import re
import select
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.parse

from harness.inputs import MIB
from harness.networks import Network, Relay
from harness.program import PROGRAM, json_lines
from tortures.trials import reaped, surviving_orphans

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ("transfer", "server", "network", "starter", "agent")
# What may go over the wire, as a multiple of the content. With S3, an interruption may cost a part besides.
MOST, PART = 1.1, 8 * MIB
# The test server for S3 has whole contents in memory. If it dies, it forgets them, so it is not killed.
MOST_S3_MEGABYTES = 300
# The least time between two cuts, in seconds. The relay is that slow.
STRETCH = 1.5
# Without a transfer process for this time, the user runs the next command, in seconds.
USER_RESTS = 5
# The longest time without a byte, or for an end, in seconds.
PATIENCE = 200
# The longest time from the return of the network to the next byte, in seconds.
RETURN = 2.5


class Server:
    """A server of the tests, and what it has got."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.start()

    def start(self):
        command = [sys.executable, ROOT / f"Tests/sluiceTests/Uploads/Servers/{self.name}.py", self.folder]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if not (text := self.process.stdout.readline()):
            raise SystemExit("torture: the servers of the tests need Python's tuspyserver and moto; .ci/run says how")
        self.line = json.loads(text)
        self.url = urllib.parse.urlsplit(self.line["url"])
        self.target = self.url.hostname, self.url.port

    def kill(self):
        self.process.kill()
        self.process.wait()
        # Other servers of tus take the size of a file for its offset. This one notes it at the end of a request only.
        for path in self.folder.glob("uploads/*.info"):
            facts = json.loads(path.read_text())
            path.write_text(json.dumps({**facts, "offset": path.with_suffix("").stat().st_size}))

    def end(self):
        self.process.stdin.close()
        self.process.wait()

    def account(self, address):
        """The options of `account add`, the user and the secret."""
        if self.name == "tus":
            return ["--kind", "password", "--url", f"http://{address}{self.url.path}"], "ada", "swordfish"
        return ["--kind", "s3", "--url", f"http://{address}/{self.line['bucket']}"], self.line["key"], self.line["secret"]

    def sizes(self):
        """The sizes of all uploads, also of those that have not ended."""
        return [path.stat().st_size for path in self.folder.glob("uploads/*") if path.is_file() and not path.suffix]

    def finished(self):
        """The digest of each content that has arrived."""
        if self.name == "tus":
            return [digest(open(path, "rb")) for path in (self.folder / "finished").iterdir()]
        names = re.findall(rb"<Key>(.*?)</Key>", self.curl("?list-type=2").read())
        return [digest(self.curl("/" + name.decode())) for name in names]

    def curl(self, path):
        command = ["curl", "-s", "--noproxy", "*", "--user", f"{self.line['key']}:{self.line['secret']}", "--aws-sigv4",
                   f"aws:amz:{self.line['region']}:s3", "-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD"]
        command.append(f"{self.line['url']}/{self.line['bucket']}{path}")
        return subprocess.Popen(command, stdout=subprocess.PIPE).stdout


class Stuck(Exception):
    """The upload does not go on."""


class Upload:
    """A container, one upload, and what disturbs it."""

    def __init__(self, service, size, cuts, options, place, network):
        self.size, self.is_short, self.place, self.network = size, options.short, place, network
        self.container, self.draw = place / "container", random.Random(f"{options.seed}-uploads-{service}")
        self.disturbed, self.returns, self.found, self.commands = collections.Counter(), [], [], []
        self.starter = self.agent = None
        kinds = [kind for kind in KINDS if service == "tus" or kind != "server"]
        self.kinds = [kinds[number % len(kinds)] for number in range(cuts)]
        self.draw.shuffle(self.kinds)
        for folder in "config/sinks", "empty", "runtime":
            (place / folder).mkdir(0o700, parents=True)
        with open(place / "content.bin", "wb") as file:
            for _ in range(size // MIB):
                file.write(self.draw.randbytes(MIB))
        for line in json_lines([PROGRAM, "sinks", "list", "--json"]):
            (place / f"config/sinks/{line['sink']['id']}.json").write_text('{"enabled": false}')
        (place / "config/sinks/upload.json").write_text(json.dumps({"account": "cloud", "config": {"service": service}}))
        self.variables = {**os.environ, "SLUICE_CONFIG": str(place / "config"), "SLUICE_KEYCHAIN": "file",
                          "XDG_DATA_HOME": str(place / "data"), "XDG_RUNTIME_DIR": str(place / "runtime"),
                          "DBUS_SESSION_BUS_ADDRESS": ""}
        self.variables.pop("SLUICE_AGENT", None)
        self.server = Server(service, place / "server")
        self.relay = Relay(network, self.server.target, size / (cuts + 1) / STRETCH)

    def start(self, command, *rest):
        words = [*self.network.prefix, PROGRAM, command, "--container", self.container, *rest]
        return subprocess.Popen(words, env=self.variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, *words, lines=""):
        end = subprocess.run([PROGRAM, *words], env=self.variables, capture_output=True, text=True, input=lines)
        if end.returncode:
            raise Stuck(end.stderr)

    def rows(self, file, query):
        with contextlib.closing(sqlite3.connect(f"file:{self.container}/{file}?mode=ro", uri=True)) as database:
            return database.execute(query).fetchall()

    def outcomes(self):
        return [outcome for outcome, in self.rows("catalog.sqlite", "SELECT outcome FROM delivery")]

    def arrived(self):
        return max(self.server.sizes(), default=0) if self.server.name == "tus" else self.relay.counts["sent"]

    def wait(self, what, is_reached):
        """Waits while bytes arrive. If there is no transfer process for a while, the user runs the next command."""
        last, begin, user = self.arrived(), time.monotonic(), 0
        while not is_reached():
            time.sleep(0.01)
            if (now := self.arrived()) > last:
                last, begin = now, time.monotonic()
            if time.monotonic() > begin + PATIENCE:
                raise Stuck(f"{what}: nothing came in {PATIENCE} s, after {now} of {self.size} bytes")
            if last and self.agent and time.monotonic() > max(begin, user) + USER_RESTS:
                user = time.monotonic()
                if holder(self.container, "transfer") is None:
                    self.deliver()

    def deliver(self):
        """The next command of the user, unless the last one still runs."""
        if all(command.poll() is not None for command in self.commands):
            self.commands.append(self.start("deliver"))

    def run(self):
        words, user, secret = self.server.account(f"{self.network.host}:{self.relay.port}")
        self.ask("account", "add", "cloud", "--plain-http", *words)
        # A login belongs to a container, so there must be one.
        self.ask("ingest", "--container", self.container, "--", self.place / "empty")
        self.ask("account", "login", "cloud", "--user", user, "--container", self.container, lines=secret + "\n")
        before, begin, step = self.wire(), time.monotonic(), self.size // (len(self.kinds) + 1)
        self.starter, self.agent = self.start("ingest", "--", self.place / "content.bin"), self.start("agent")
        for number, kind in enumerate(self.kinds, 1):
            self.wait(f"before cut {number}", lambda: self.arrived() >= step * number)
            self.disturbed[self.disturb(kind)] += 1
        # Without a starter and without an agent, the transfer process starts an agent at its end.
        self.wait("after the last cut", lambda: self.arrived() >= step * (len(self.kinds) + 0.3))
        self.end_agent()
        self.agent = None
        self.end_commands()
        self.wait("at the end", lambda: self.outcomes() not in ([], ["pending"]))
        self.ratio, self.seconds = (self.wire() - before) / self.size, time.monotonic() - begin

    def wire(self):
        return self.network.sent() if self.network.is_real else self.relay.counts["sent"]

    def disturb(self, kind):
        """Returns what was disturbed."""
        if kind == "network":
            return self.cut_network()
        if kind == "server":
            self.relay.refuse()
            self.server.kill()
            time.sleep(self.draw.uniform(0.1, 3))
            self.server.start()
            self.relay.target = self.server.target
            self.relay.open()
            return kind
        if kind == "starter":
            if self.starter.poll() is not None:
                self.deliver()
                time.sleep(self.draw.uniform(0.1, 0.5))
            return kind if self.end_commands() else "nothing"
        is_killed = self.end_agent() if kind == "agent" else killed(self.container, kind)
        if kind == "agent":
            self.agent = self.start("agent")
        return kind if is_killed else "nothing"

    def end_commands(self):
        """Kills `ingest` and the commands that the user ran after it. Returns those that still ran."""
        running = [command for command in (self.starter, *self.commands) if command and command.poll() is None]
        for command in running:
            command.kill()
            command.wait()
        return running

    def end_agent(self):
        """Kills the agent, whoever began it."""
        is_killed = killed(self.container, "agent")
        self.agent.kill()
        self.agent.wait()
        return is_killed

    def cut_network(self):
        """Every second time it is the link: the programs wait for its return, or connections end, or they survive."""
        number = self.disturbed["connections"] + self.disturbed["link"]
        if not self.network.is_real or number % 2 == 1:
            self.relay.refuse()
            self.relay.cut()
            time.sleep(self.draw.uniform(0.1, 3))
            self.relay.open()
            return "connections"
        self.network.set("down")
        if waits := number % 3 == 0:
            # In the long test of tus, the transfer process has to notice by itself that no byte moves.
            if self.is_short or self.server.name != "tus":
                killed(self.container, "transfer")
                self.deliver()
            self.wait("without a network", self.waits_for_network)
        else:
            time.sleep(self.draw.uniform(0.1, 3))
        if number % 3 != 1:
            self.relay.cut()
        before, begin = self.relay.counts["sent"], time.monotonic()
        self.network.set("up")
        if waits:
            self.wait("after the return of the network", lambda: self.relay.counts["sent"] > before)
            self.returns.append(time.monotonic() - begin)
        return "link"

    def waits_for_network(self):
        """Whether the next try is so late that only the return of the network can be the reason for an earlier one."""
        [(due, why)] = self.rows("transfers.sqlite", "SELECT due, why FROM transfer")
        return "cannot be reached" in (why or "") and due / 1000 > time.time() + 2 * RETURN

    def check(self, most):
        """Adds what is wrong to the findings."""
        if self.ratio > most:
            self.found.append(f"{self.ratio:.3f} × its bytes went over the wire, and {most:.3f} × are allowed")
        finished, expected = self.server.finished(), [digest(open(self.place / "content.bin", "rb"))]
        if finished != expected or len(self.server.sizes()) > 1:
            self.found.append(f"arrived: {finished} instead of {expected}; {len(self.server.sizes())} uploads")
        if self.outcomes() != ["delivered"]:
            self.found.append(f"the deliveries are {self.outcomes()}")
        if max(self.returns, default=0) > RETURN:
            self.found.append(f"the return of the network was noticed after {self.returns} s")
        deadline = time.monotonic() + PATIENCE
        while any(holder(self.container, name) for name in ("agent", "transfer")) and time.monotonic() < deadline:
            time.sleep(0.1)
        if time.monotonic() >= deadline:
            self.found.append("the agent or the transfer process does not end")

    def __str__(self):
        """What was done, and what it took."""
        done = ", ".join(f"{kind} {count}" for kind, count in sorted(self.disturbed.items()))
        returns = f"; bytes {max(self.returns):.2f} s after the return of the network" if self.returns else ""
        return (f"{self.server.name}: {self.size // MIB} MiB, {self.ratio:.3f} × that on the wire ({self.relay.counts['back']} "
                f"bytes back), {self.seconds:.0f} s; disturbed: {done}; commands of the user: {len(self.commands)}{returns}")

    def last_steps(self):
        with contextlib.suppress(sqlite3.Error):
            return [f"{kind}: {why}" for kind, why in self.rows("transfers.sqlite", "SELECT kind, why FROM step")][-7:]
        return []

    def end(self):
        self.end_commands()
        for name in "agent", "transfer":
            killed(self.container, name)
        self.server.end()
        self.relay.refuse()
        surviving_orphans()


def torture(options, folders, report):
    network = Network()
    if not network.is_real:
        report.note("the relay alone cuts the network; real links need root, `ip` and `nsenter`")
    try:
        upload("tus", options.megabytes, options.cuts, options, folders, report, network)
        upload("s3", min(options.megabytes, MOST_S3_MEGABYTES), max(options.cuts // 3, 2), options, folders, report, network)
    finally:
        network.end()


def upload(service, megabytes, cuts, options, folders, report, network):
    own = Upload(service, megabytes * MIB, cuts, options, folders.folder(f"uploads-{service}"), network)
    try:
        own.run()
        own.check(MOST if service == "tus" else MOST + cuts * PART / own.size)
        report.note(str(own))
    except Stuck as stuck:
        own.found += [str(stuck), *own.last_steps()]
    finally:
        own.end()
    report.trial(f"{service}, {cuts} cuts", own.disturbed, own.found, f"seed {options.seed}")


def digest(file):
    with file:
        hasher = hashlib.sha256()
        while chunk := file.read(MIB):
            hasher.update(chunk)
        return hasher.hexdigest()


def holder(container, name):
    """The process that holds a lock of the container, as the kernel knows it."""
    with contextlib.suppress(FileNotFoundError), open("/proc/locks") as locks:
        end = f":{os.stat(container / f'run/{name}.lock').st_ino}"
        for words in map(str.split, locks):
            if words[1] == "FLOCK" and words[5].endswith(end):
                return int(words[4])
    return None


def killed(container, name):
    """Kills the process that holds a lock, and waits for its end. Returns whether there was one."""
    with contextlib.suppress(ProcessLookupError):
        if (process := holder(container, name)) is not None:
            descriptor = os.pidfd_open(process)
            try:
                if holder(container, name) == process:
                    signal.pidfd_send_signal(descriptor, signal.SIGKILL)
                    select.select([descriptor], [], [])
                    reaped([process])
                    return True
            finally:
                os.close(descriptor)
    return False

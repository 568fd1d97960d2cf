"""The service that gets the shares, and the sink `courier` that brings them."""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import threading

from harness.program import PROGRAM, json_lines

SINK = "courier"
PATIENCE = 10
MANIFEST = {
    "id": SINK,
    "version": "1",
    "protocol": 1,
    "command": [SINK],
    "role": "primary",
    "accepts": [{"type": "*/*"}],
    "needs": {"network": True},
    "config": {"type": "object", "properties": {"port": {"type": "integer"}}, "required": ["port"]},
}


class Service:
    """Appends each delivery to a file, durably, and answers checks from that file.

    It is in this process and takes one connection after the other, in their order. So a request of a sink that was killed
    counts before the requests of the next sink.
    """

    def __init__(self, folder):
        self.record = folder / "arrived"
        self.record.touch()
        self.checks, self.present = 0, 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            link, _ = self.socket.accept()
            with link, contextlib.suppress(OSError):
                link.settimeout(PATIENCE)
                if line := link.makefile().readline():
                    link.sendall(self.answer(line) + b"\n")

    def answer(self, line):
        if not line.endswith("\n"):
            return b""
        match line.split():
            case ["deliver", key, digest]:
                self.append(f"{key} {digest}\n")
                return b"stored"
            case ["check", key]:
                is_known = any(key == arrived for arrived, _ in self.arrived())
                self.checks, self.present = self.checks + 1, self.present + is_known
                return b"present" if is_known else b"absent"
        return b""

    def append(self, line):
        file = os.open(self.record, os.O_WRONLY | os.O_APPEND)
        os.write(file, line.encode())
        os.fsync(file)
        os.close(file)

    def forget(self):
        self.record.write_text("")

    def arrived(self):
        """The key and the digest of each delivery, in the order of their arrival."""
        return [tuple(line.split()) for line in self.record.read_text().splitlines()]


def install(service, sinks, settings):
    """Puts the sink into one folder and its settings into another, where all other sinks are turned off."""
    (sinks / SINK).mkdir()
    (sinks / SINK / "sink.json").write_text(json.dumps(MANIFEST))
    program = shutil.copy(pathlib.Path(__file__).with_name("courier.py"), sinks / SINK / SINK)
    os.chmod(program, 0o755)
    (settings / "sinks").mkdir()
    for line in json_lines([PROGRAM, "sinks", "list", "--json"]):
        if identifier := line["sink"].get("id"):
            (settings / "sinks" / f"{identifier}.json").write_text(json.dumps({"enabled": False}))
    own = {"network": True, "config": {"port": service.port}}
    (settings / "sinks" / f"{SINK}.json").write_text(json.dumps(own))


@contextlib.contextmanager
def variables(**values):
    """Sets variables for all programs that the block starts."""
    before = dict(os.environ)
    os.environ.pop("SLUICE_AGENT", None)
    os.environ.update({name: str(value) for name, value in values.items()})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)

"""Delivers files to a sink outside of the sandbox, and returns its answers."""
import hashlib
import json
import pathlib
import subprocess
import tempfile


class Deliveries:
    """One process of a sink. `program` is its path, `out` a folder for the products of all deliveries."""

    def __init__(self, program):
        self.program = str(program)
        self.out = tempfile.TemporaryDirectory()
        self.count = 0
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.send({"hello": {"protocol": 1, "host": "agreements"}})
        self.receive()
        self.send({"configure": {"config": {}}})
        self.receive()

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            raise EOFError(f"the sink ended with status {self.process.wait()}")
        return json.loads(line)

    def deliver(self, path, type):
        """Returns (metadata, {role: path of the product}), or ({"crash": why}, {}) if the process ended."""
        self.count += 1
        out = pathlib.Path(self.out.name) / str(self.count)
        out.mkdir()
        path = pathlib.Path(path).resolve()
        part = {
            "role": "content", "path": str(path), "name": path.name, "type": type, "size": path.stat().st_size,
            "sha256": hashlib.sha256(str(path).encode()).hexdigest()}
        try:
            self.send({"deliver": {
                "id": str(self.count), "key": str(self.count), "attempt": 1, "parts": [part], "out": str(out)}})
            while True:
                answer = self.receive()
                if "done" in answer:
                    products = {p["role"]: out / p["path"] for p in answer["done"].get("products") or []}
                    return answer["done"].get("metadata") or {}, products
                if "fail" in answer:
                    return {"fail": answer["fail"]["why"]}, {}
        except (EOFError, BrokenPipeError) as error:
            self.process.kill()
            self.start()
            return {"crash": str(error)}, {}

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.out.cleanup()

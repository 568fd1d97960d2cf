"""A network between the program and a server that can be cut."""

import collections
import contextlib
import ctypes
import json
import os
import shutil
import socket
import struct
import subprocess
import threading
import time

CHUNK = 64 << 10
# With it, closing a connection resets it.
LINGER = struct.pack("ii", 1, 0)


class Network:
    """The network of the programs, which ends at the relay. As root it is a real one, between two network namespaces."""

    NEAR, FAR, LINK, CLONE_NEWNET = "198.51.100.2", "198.51.100.1", "torture", 0x40000000

    def __init__(self):
        self.near, self.far = (f"torture-{os.getpid()}-{side}" for side in ("near", "far"))
        commands = [f"netns add {self.near}", f"netns add {self.far}",
                    f"-n {self.near} link add {self.LINK} type veth peer name {self.LINK} netns {self.far}"]
        for space, address in (self.far, self.FAR), (self.near, self.NEAR):
            commands += [f"-n {space} address add {address}/30 dev {self.LINK}", f"-n {space} link set {self.LINK} up"]
        self.is_real = all(map(shutil.which, ("ip", "nsenter"))) and all(map(self.ip, commands))
        self.host = self.FAR if self.is_real else "127.0.0.1"
        # What runs a program in this network.
        self.prefix = ["nsenter", f"--net=/run/netns/{self.near}"] if self.is_real else []

    def ip(self, command):
        self.answer = subprocess.run(["ip", *command.split()], capture_output=True)
        return self.answer.returncode == 0

    def set(self, state):
        self.ip(f"-n {self.near} link set {self.LINK} {state}")

    def sent(self):
        """The bytes that the programs have sent, with all headers and repetitions."""
        self.ip(f"-n {self.near} -j -s link show {self.LINK}")
        return json.loads(self.answer.stdout)[0]["stats64"]["tx"]["bytes"]

    def listen(self, port):
        """Listens at the far end."""
        if not self.is_real:
            return socket.create_server((self.host, port))
        # A thread can be in another namespace than its process, and its socket stays there.
        with open("/proc/thread-self/ns/net") as own, open(f"/run/netns/{self.far}") as far:
            library = ctypes.CDLL(None)
            library.setns(far.fileno(), self.CLONE_NEWNET)
            try:
                return socket.create_server((self.host, port))
            finally:
                library.setns(own.fileno(), self.CLONE_NEWNET)

    def end(self):
        if shutil.which("ip"):
            for space in self.near, self.far:
                self.ip(f"netns delete {space}")


class Relay:
    """Passes on connections from an address that stays to a server whose address changes, at a limited rate."""

    def __init__(self, network, target, rate):
        self.network, self.target, self.rate, self.port = network, target, rate, 0
        self.lock, self.sides, self.free, self.counts = threading.Lock(), set(), 0.0, collections.Counter()
        self.open()

    def open(self):
        self.listener = self.network.listen(self.port)
        # What its buffers have is lost with a connection, and would be sent again.
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2 * CHUNK)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def refuse(self):
        """Refuses new connections until `open`."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def cut(self):
        """Ends all connections. What is on its way does not arrive."""
        with self.lock:
            for side in self.sides:
                with contextlib.suppress(OSError):
                    side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
                    side.shutdown(socket.SHUT_RD)

    def accept(self, listener):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.serve, args=(listener.accept()[0],), daemon=True).start()

    def serve(self, client):
        with client, socket.socket() as server, contextlib.suppress(OSError):
            server.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * CHUNK)
            server.connect(self.target)
            with self.lock:
                self.sides |= {client, server}
            back = threading.Thread(target=self.pump, args=(server, client, "back"), daemon=True)
            back.start()
            self.pump(client, server, "sent")
            back.join()
            with self.lock:
                self.sides -= {client, server}

    def pump(self, source, target, way):
        try:
            while data := source.recv(CHUNK):
                with self.lock:
                    self.counts[way] += len(data)
                    now = time.monotonic()
                    if way == "sent":
                        self.free = max(self.free, now) + len(data) / self.rate
                    wait = self.free - now if way == "sent" else 0
                time.sleep(wait)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            # One side has gone, so the other one has to learn it.
            for side in source, target:
                with contextlib.suppress(OSError):
                    side.shutdown(socket.SHUT_RDWR)

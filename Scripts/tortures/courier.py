#!/usr/bin/env python3
"""The sink `courier`: it hands each content to a service, and answers `check` from what the service has.

It sends a key again if it gets it again, so the service shows each delivery that was made twice.
"""

import hashlib
import json
import socket
import sys


def say(name, **body):
    sys.stdout.write(json.dumps({name: body}) + "\n")
    sys.stdout.flush()


def ask(port, *words):
    """Sends one line to the service, and returns its answer."""
    with socket.create_connection(("127.0.0.1", port)) as link:
        link.sendall(" ".join(words).encode() + b"\n")
        return link.makefile().readline().strip()


def deliver(port, delivery):
    with open(delivery["parts"][0]["path"], "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    try:
        if ask(port, "deliver", delivery["key"], digest) == "stored":
            return say("done", id=delivery["id"], status="delivered")
        why = "the service went away before its answer"
    except OSError as error:
        why = f"the service does not answer: {error}"
    say("fail", id=delivery["id"], **{"class": "transient"}, why=why)


port = 0
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        say("hello", protocol=1, id="courier", version="1", max_in_flight=4, features=["check"])
    elif "configure" in message:
        port = message["configure"]["config"]["port"]
        say("ready")
    elif "deliver" in message:
        deliver(port, message["deliver"])
    elif "check" in message:
        try:
            answer = ask(port, "check", message["check"]["key"]) or "unknown"
        except OSError:
            answer = "unknown"
        say("checked", id=message["check"]["id"], answer=answer)
    elif "goodbye" in message:
        break

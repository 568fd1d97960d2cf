#!/usr/bin/env python3
"""A sink that asks for a request, and then looks for the credential and for a network."""
import json
import re
import socket
import sys


def say(**message): print(json.dumps(message), flush=True)


def memory():
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as bytes:
        for line in maps:
            start, end = (int(number, 16) for number in line.split()[0].split("-"))
            if "r" not in line.split()[1] or "[v" in line: continue
            try:
                bytes.seek(start)
                yield bytes.read(end - start)
            except (OSError, ValueError, OverflowError):
                pass


def has(word):
    # The word itself must not be in the memory, so its end is compared by its sum.
    head, sum_of_end, length = word
    for text in memory():
        for match in re.finditer(re.escape(head), text):
            end = text[match.end() : match.end() + length]
            if len(end) == length and sum(end) == sum_of_end: return True
    return False


def reach(port):
    try:
        socket.create_connection(("127.0.0.1", port), 2).close()
        return "connected"
    except OSError as error:
        return type(error).__name__


canary = "canary-of-" + "".join(["b", "o", "b"])
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        say(hello={"protocol": 1, "id": "snooper", "version": "1", "features": ["transfer"]})
    elif "configure" in message:
        configured = message["configure"]
        say(ready={})
    elif "deliver" in message:
        delivery = message["deliver"]
        say(request={"id": delivery["id"], "name": "r", "method": "GET", "url": "/a", "account": True})
    elif "response" in message:
        files = [open(f"/proc/self/{name}", "rb").read() for name in ("environ", "cmdline")]
        say(done={"id": delivery["id"], "status": "delivered", "metadata": {
            "status": message["response"].get("status"),
            "canary": has((b"canary-of-", sum(b"bob"), 3)),
            "token": has((b"token-of-", sum(b"ada"), 3)),
            "files": any(b"token-of" in file for file in files),
            "secrets": len(configured.get("secrets", {})),
            "network": reach(configured["config"]["port"]),
        }})
    elif "goodbye" in message:
        break

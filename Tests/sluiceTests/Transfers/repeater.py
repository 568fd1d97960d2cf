#!/usr/bin/env python3
"""A sink that makes a request on a connection that is kept, then one that the server takes and drops, and then asks how often that came."""
import json
import sys


def say(**message): print(json.dumps(message), flush=True)


def ask(delivery, method, url):
    say(request={"id": delivery["id"], "name": "r", "method": method, "url": url, "account": True})
    return json.loads(sys.stdin.readline())["response"]


for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        say(hello={"protocol": 1, "id": "repeater", "version": "1", "features": ["transfer"]})
    elif "configure" in message:
        say(ready={})
    elif "deliver" in message:
        delivery = message["deliver"]
        ask(delivery, "GET", "/kept")
        ask(delivery, sys.argv[1], "/dropped")
        say(done={"id": delivery["id"], "status": "delivered", "metadata": {"count": ask(delivery, "GET", "/count")["text"]}})
    elif "goodbye" in message:
        break

"""Many deliveries that wait for a login, and an agent that is killed while it makes them. Each arrives once, in its order."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import urllib.request

from harness.program import PROGRAM

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The longest time from the end of the login to the first delivery, in seconds.
FIRST = 1.0
# The longest time without a delivery, in seconds.
PATIENCE = 60


class LinkService:
    """The service of the tests, with its example sink."""

    def __init__(self):
        script = ROOT / "Tests/sluiceTests/Accounts/service.py"
        self.process = subprocess.Popen(["python3", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("torture: the service of the tests needs Python's Flask, Authlib and waitress; .ci/run says how")
        self.address = f"http://127.0.0.1:{int(line)}"

    def control(self, **change):
        body = json.dumps(change).encode() if change else None
        request = urllib.request.Request(self.address + "/control", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["seen"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def torture(options, folders, report):
    service = LinkService()
    try:
        deliver(options, folders, report, service)
    finally:
        service.end()


def deliver(options, folders, report, service):
    draw = random.Random(f"{options.seed}-logins")
    place = folders.folder("logins")
    container, settings = place / "container", place / "config"
    shutil.copytree(ROOT / "Plugins/examples/post-link", place / "sinks/post-link")
    (settings / "sinks").mkdir(parents=True)
    (settings / "sinks/post-link.json").write_text(json.dumps({
        "network": True, "config": {"url": service.address + "/links"}, "secrets": {"token": {"account": "notes"}}}))
    # Another sink would only make noise.
    for sink in ("link-capture", "text-note", "keep"):
        (settings / f"sinks/{sink}.json").write_text('{"enabled": false}')
    variables = {**os.environ, "SLUICE_SINKS": str(place / "sinks"), "SLUICE_CONFIG": str(settings), "SLUICE_AGENT": "off",
                 "SLUICE_KEYCHAIN": "file", "XDG_DATA_HOME": str(place / "data")}

    def run(*words, **more):
        return subprocess.run([PROGRAM, *words], env=variables, capture_output=True, text=True, **more)

    def agent():
        return subprocess.Popen([PROGRAM, "agent", "--rest-after", "0", "--container", container], env=variables,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    added = run("account", "add", "notes", "--kind", "oauth", "--plain-http", "--client-id", "sluice", "--device-url",
                service.address + "/device", "--token-url", service.address + "/token", "--who-url",
                service.address + "/me", "--who-field", "account/login")
    count = options.deliveries
    links = [f"https://example.org/{number}" for number in range(count)]
    lines = "".join(json.dumps({"version": 1, "items": [{"text": link}]}) + "\n" for link in links)
    stored = run("ingest", "--no-deliver", "--container", container, "-", input=lines)
    found = [end.stderr for end in (added, stored) if end.returncode != 0]
    running, kills = agent(), 0
    waiting = json.loads(run("status", "--json", "--container", container).stdout)["status"]["open"]
    if [each.get("needs") for each in waiting] != ["login"] or waiting[0]["count"] != count:
        found.append(f"not all wait for the login: {waiting}")
    service.control(approval="ada")
    login = run("account", "login", "notes", "--container", container)
    begin = time.monotonic()
    if login.returncode != 0:
        found.append(login.stderr)
    while not found and not (seen := service.control())["links"] and time.monotonic() < begin + PATIENCE:
        time.sleep(0.005)
    first = time.monotonic() - begin
    if first > FIRST:
        found.append(f"the first delivery came {first:.2f} s after the login")
    last, arrived = time.monotonic(), 0
    while not found and arrived < count:
        time.sleep(draw.uniform(0.05, 1.5))
        if kills < options.deaths:
            running.send_signal(signal.SIGKILL)
            running.wait()
            kills += 1
            running = agent()
        seen = service.control()
        if len(seen["links"]) > arrived:
            arrived, last = len(seen["links"]), time.monotonic()
        elif time.monotonic() > last + PATIENCE:
            found.append(f"no delivery in {PATIENCE} s, after {arrived} of {count}")
    running.terminate()
    running.wait()
    rest = run("deliver", "--container", container)
    seen = service.control()
    if not found and [link for _, link in seen["links"]] != links:
        wrong = next((n for n, (_, link) in enumerate(seen["links"]) if link != links[n]), len(seen["links"]))
        found.append(f"{len(seen['links'])} of {count} arrived, and the order differs at {wrong}")
    if seen["reuses"] or rest.returncode != 0:
        found.append(f"{seen['reuses']} used refresh tokens; {rest.stdout}{rest.stderr}")
    report.trial("deliveries after a login", kills > 0, found, f"seed {options.seed}")
    report.note(f"{count} deliveries waited; the first came {first * 1000:.0f} ms after the login; {kills} kills of the agent; "
                f"all arrived {time.monotonic() - begin:.0f} s after it")

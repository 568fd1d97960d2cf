"""Opens files in Chromium, without a network and without running their scripts."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    """One process of Chromium with one empty tab, driven by its DevTools protocol.

    https://chromedevtools.github.io/devtools-protocol/
    """

    # A page from a disk is read in tenths of a second.
    SECONDS = 20

    def __init__(self):
        program = shutil.which("chromium") or shutil.which("google-chrome")
        if not program:
            raise SystemExit("chromium is missing: apt-get install chromium")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        options = [
            "--headless", "--remote-debugging-pipe", "--disable-gpu", f"--user-data-dir={self.profile.name}",
            "--host-resolver-rules=MAP * ~NOTFOUND"]
        # Chromium's own sandbox does not work for root.
        options += ["--no-sandbox"] * (os.geteuid() == 0)
        # The protocol's messages are on the descriptors 3 and 4, and end with a zero byte.
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1', "sh", program, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count, self.rest, self.messages, self.session = 0, b"", [], {}
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = {
            "sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self.call("Page.enable")
        self.call("Emulation.setScriptExecutionDisabled", value=True)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters} | self.session
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        self.process.stdin.flush()
        answer = self.receive(lambda m: m.get("id") == self.count)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def receive(self, is_wanted):
        """The next message that is wanted. The others stay, because a page may be loaded before the call is answered."""
        end = time.monotonic() + self.SECONDS
        while True:
            for message in self.messages:
                if is_wanted(message):
                    self.messages.remove(message)
                    return message
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError
            piece = os.read(self.process.stdout.fileno(), 1 << 20)
            if not piece:
                raise EOFError(f"the browser ended with status {self.process.wait()}")
            *whole, self.rest = (self.rest + piece).split(b"\0")
            self.messages += map(json.loads, whole)

    def open(self, path):
        """Whether the file is shown, as far as it was read in time."""
        self.messages.clear()
        answer = self.call("Page.navigate", url=path.absolute().as_uri())
        if "errorText" in answer:
            return False
        try:
            self.receive(lambda m: m.get("method") == "Page.domContentEventFired")
        except TimeoutError:
            self.call("Page.stopLoading")
        return True

    def value(self, expression):
        """The value of an expression of JavaScript; None if the page gives way to another one meanwhile."""
        try:
            return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")
        except RuntimeError:
            return None

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

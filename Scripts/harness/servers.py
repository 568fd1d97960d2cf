"""Runs Apache on the loopback: the WebDAV folder of the tests, and static files."""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

from harness.program import ROOT, has

WEBDAV = ROOT / "Tests/sluiceTests/Uploads/Servers/webdav.py"
# Static files with Apache's own defaults. Root cannot serve; see webdav.py.
APACHE = """ServerRoot "{folder}"
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
PidFile "{folder}/apache.pid"
DefaultRuntimeDir "{folder}"
Mutex sem
ErrorLog "{folder}/error.log"
DocumentRoot "{folder}/pages"
ForceType "text/html; charset=utf-8"
"""
AS_USER = """setpriv --reuid www-data --regid www-data --clear-groups --inh-caps +dac_override
    --ambient-caps +dac_override""".split()


def has_apache():
    # Other users than root do not find Debian's Apache otherwise.
    os.environ["PATH"] += ":/usr/sbin"
    return has("apache2", "apache2-bin")


@contextlib.contextmanager
def webdav(folder):
    """The server of the tests: its `url`, `user`, `password` and `folder`."""
    command = [sys.executable, WEBDAV, folder]
    # It ends with its standard input.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        server = json.loads(process.stdout.readline())
        yield server | {"folder": pathlib.Path(server["folder"])}


@contextlib.contextmanager
def static(folder):
    """Serves what is in `folder`/pages as HTML, and gives the address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "apache.conf").write_text(APACHE.format(folder=folder, port=port))
    command = ["apache2", "-f", folder / "apache.conf", "-DFOREGROUND"]
    with subprocess.Popen([*([] if os.geteuid() else AS_USER), *command]) as process:
        try:
            while process.poll() is None and not answers(port):
                time.sleep(0.01)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

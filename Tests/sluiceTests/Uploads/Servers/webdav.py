"""Serve a WebDAV folder with a private Apache httpd on 127.0.0.1, until standard input closes.

Usage: webdav.py FOLDER [--limit BYTES] [--open] [--full]

  --limit BYTES  refuse larger request bodies (413)
  --open         ask for no password
  --full         keep the files on a disk of 1 MiB, so that a larger PUT fails

Needs: Debian's apache2-bin
"""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

USER = "ada"
PASSWORD = "swordfish"
FULL_BYTES = 1024 * 1024

MODULES = "mpm_event authn_core authn_file authz_core authz_user auth_basic dav dav_fs"

CONFIG = """
ServerRoot "{folder}"
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
PidFile "{folder}/apache.pid"
DefaultRuntimeDir "{folder}/run"
Mutex sem
ErrorLog "{folder}/error.log"
CustomLog "{folder}/access.log" "%h %u %t \\"%r\\" %>s %I %O"
ServerLimit 1
StartServers 1
ThreadsPerChild 16
MaxRequestWorkers 16
MinSpareThreads 1
MaxSpareThreads 16
DocumentRoot "{folder}/root"
DavLockDB "{folder}/run/locks"
LimitRequestBody {limit}
<Location /dav/>
    Dav On
    {access}
</Location>
"""

BASIC_AUTH = """AuthType Basic
    AuthName uploads
    AuthUserFile "{folder}/passwords"
    Require valid-user"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write_config(folder, port, options):
    access = "Require all granted" if options.open else BASIC_AUTH.format(folder=folder)
    lines = [
        f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so"
        for name in MODULES.split()
    ]
    text = CONFIG.format(folder=folder, port=port, limit=options.limit, access=access)
    (folder / "apache.conf").write_text("\n".join(lines) + text)


def start_apache(folder, options, prefix, log):
    """Start Apache on a free port; return the process and the port."""
    for _ in range(5):  # another program may take the port before Apache does
        port = free_port()
        write_config(folder, port, options)
        command = ["apache2", "-f", f"{folder}/apache.conf", "-DFOREGROUND"]
        apache = subprocess.Popen(
            prefix + command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        while apache.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return apache, port
            time.sleep(0.005)
    sys.exit(f"Apache did not start; see {folder}/error.log and {folder}/start.log")


def stop_apache(apache):
    apache.terminate()
    try:
        apache.wait(0.5)
    except subprocess.TimeoutExpired:  # it waits for a request that goes on
        os.killpg(apache.pid, signal.SIGKILL)
        apache.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=0)  # Apache's own default is 1 GiB
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    folder = options.folder.resolve()
    files = folder / "root" / "dav"
    for path in (files, folder / "run"):
        path.mkdir(parents=True, exist_ok=True)
    digest = base64.b64encode(hashlib.sha1(PASSWORD.encode()).digest()).decode()
    (folder / "passwords").write_text(f"{USER}:{{SHA}}{digest}\n")
    os.environ["PATH"] += ":/usr/sbin:/sbin"

    prefix = ["setpriv", "--pdeathsig", "TERM"]
    line = {"folder": str(files), "user": USER, "password": PASSWORD}
    mounted = False
    with open(folder / "start.log", "ab") as log:
        if options.full:
            size = f"size={FULL_BYTES}"
            mount = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(files)]
            mounted = subprocess.run(mount, stdout=log, stderr=log).returncode == 0
            line["full"] = "disk" if mounted else "file size limit"
        if options.full and not mounted:
            prefix += ["prlimit", f"--fsize={FULL_BYTES}"]
        if os.geteuid() == 0:
            # Apache refuses to serve as root. As www-data with this capability it can
            # still use the folder, whoever owns it and the folders above it.
            prefix[1:1] = (
                "--reuid www-data --regid www-data --clear-groups "
                "--inh-caps +dac_override --ambient-caps +dac_override"
            ).split()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        apache = None
        try:
            apache, port = start_apache(folder, options, prefix, log)
            line["url"] = f"http://127.0.0.1:{port}/dav/"
            print(json.dumps(line), flush=True)
            while os.read(0, 4096):
                pass
        finally:
            if apache:
                stop_apache(apache)
            if mounted:
                subprocess.run(["umount", "--lazy", str(files)], stdout=log, stderr=log)


main()

"""Serve one S3 bucket on 127.0.0.1 with signature checks, until standard input closes.

Usage: s3.py FOLDER
Needs: moto[s3], flask, flask-cors
"""

import json
import os
import pathlib
import sys
import tempfile
import threading

REGION = "us-east-1"
BUCKET = "uploads"
USER = "ada"


def redirect_output(log_file):
    """Point stdout and stderr at the log; return the original stdout for the one line."""
    answer = os.fdopen(os.dup(1), "w")
    log = os.open(log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(log, 1)
    os.dup2(log, 2)
    return answer


def exit_when_stdin_closes():
    while os.read(0, 4096):
        pass
    os._exit(0)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    (folder / "objects").mkdir(parents=True, exist_ok=True)
    answer = redirect_output(folder / "s3.log")
    threading.Thread(target=exit_when_stdin_closes, daemon=True).start()

    # Objects above one byte go to unlinked temporary files instead of memory.
    os.environ["MOTO_S3_DEFAULT_KEY_BUFFER_SIZE"] = "1"
    tempfile.tempdir = str(folder / "objects")
    os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "0"  # check every signature

    from moto.core import DEFAULT_ACCOUNT_ID
    from moto.iam.models import iam_backends
    from moto.moto_server.werkzeug_app import (
        DomainDispatcherApplication,
        MotoRequestHandler,
        create_backend_app,
    )
    from moto.s3.models import s3_backends
    from werkzeug.serving import make_server

    iam = iam_backends[DEFAULT_ACCOUNT_ID]["aws"]
    iam.create_user(REGION, USER)
    key = iam.create_access_key(USER)
    policy = {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}],
    }
    iam.put_user_policy(USER, "all-of-s3", json.dumps(policy))
    s3_backends[DEFAULT_ACCOUNT_ID]["aws"].create_bucket(BUCKET, REGION)

    app = DomainDispatcherApplication(create_backend_app)
    server = make_server(
        "127.0.0.1", 0, app, threaded=True, request_handler=MotoRequestHandler
    )
    line = {
        "url": f"http://127.0.0.1:{server.server_port}",
        "bucket": BUCKET,
        "key": key.access_key_id,
        "secret": key.secret_access_key,
        "region": REGION,
    }
    print(json.dumps(line), file=answer, flush=True)
    server.serve_forever()


main()

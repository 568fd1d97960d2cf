"""Serve the IETF draft of resumable uploads on 127.0.0.1, until standard input closes.

Usage: ietf.py FOLDER [--limit BYTES]

Speaks draft-ietf-httpbis-resumable-upload-05 (interop version 6). POST or PUT to /files
or below it creates an upload. The server is strict: a request that breaks a MUST of the
draft is refused. A request without Upload-Complete or with another interop version is a
plain upload. Digest fields are not checked.

Needs: nothing outside of the standard library
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import socket
import threading
import time
import urllib.parse
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

VERSION = "6"
UNLIMITED = 1 << 50
PROGRESS_STEP = 16 * 1024 * 1024  # bytes between two interim responses with the offset
PROBLEM = "https://iana.org/assignments/http-problem-types#"


class Refusal(Exception):
    """An error response; a dictionary as the text becomes a problem document."""

    def __init__(self, status, text, **fields):
        super().__init__(status, text)
        self.status = status
        self.text = text
        self.fields = {name.replace("_", "-"): value for name, value in fields.items()}


class Upload:
    def __init__(self, folder, name):
        self.id = uuid.uuid4().hex
        self.path = folder / self.id
        self.name = name or self.id
        self.offset = 0
        self.length = None
        self.complete = False
        self.lock = threading.Lock()
        self.connection = None  # of the request that appends at the moment
        self.path.touch()

    @contextlib.contextmanager
    def alone(self, connection=None):
        """Hold the upload, after ending a request that still appends to it.

        The client regards such a request as failed, and the offset that it is told must
        not change any more.
        """
        while not self.lock.acquire(timeout=0.02):
            with contextlib.suppress(OSError, AttributeError):
                self.connection.shutdown(socket.SHUT_RDWR)
        try:
            self.connection = connection
            yield
        finally:
            self.connection = None
            self.lock.release()

    def state(self):
        return {"Upload-Offset": self.offset, "Upload-Complete": f"?{int(self.complete)}"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 600
    # Set by main: folder, finished, limit.
    uploads = {}

    def dispatch(self):
        self.upload = None
        self.body_is_pending = True
        try:
            self.body_is_pending = self.is_chunked() or bool(self.content_length())
            if self.path.startswith("/uploads/"):
                self.use_upload(self.path.removeprefix("/uploads/"))
            elif self.path == "/files" or self.path.startswith("/files/"):
                self.use_target()
            else:
                raise Refusal(404, "no such resource")
        except Refusal as refusal:
            self.refuse(refusal)
        except OSError:  # the connection broke; what arrived is kept
            self.close_connection = True

    do_OPTIONS = do_HEAD = do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = dispatch

    def use_target(self):
        if self.command == "OPTIONS":
            self.answer(204, self.limits())
        elif self.command in ("POST", "PUT"):
            self.create()
        else:
            raise Refusal(405, "POST or PUT starts an upload", Allow="OPTIONS, POST, PUT")

    def use_upload(self, upload_id):
        self.upload = self.uploads.get(upload_id)
        if self.upload is None:
            raise Refusal(404, "no such upload")
        if self.headers.get("Upload-Draft-Interop-Version") != VERSION:
            raise Refusal(400, f"Upload-Draft-Interop-Version must be {VERSION}")
        if self.command == "HEAD":
            self.retrieve_offset()
        elif self.command == "PATCH":
            self.append()
        elif self.command == "DELETE":
            self.cancel()
        else:
            raise Refusal(405, "not a method of uploads", Allow="HEAD, PATCH, DELETE")

    # The operations

    def create(self):
        complete = self.boolean_field("Upload-Complete")
        version = self.headers.get("Upload-Draft-Interop-Version")
        name = self.headers.get_filename()
        if name is None and self.command == "PUT":
            name = urllib.parse.unquote(self.path.removeprefix("/files"))
        name = pathlib.Path(name or "").name
        if complete is None or version != VERSION:
            if complete is False:
                raise Refusal(400, f"Upload-Draft-Interop-Version must be {VERSION}")
            self.store_plainly(name)
            return
        self.forbid_fields("Upload-Offset")
        length = self.agreed_length(0, None, complete)
        upload = self.upload = Upload(self.folder, name)
        upload.length = length
        self.uploads[upload.id] = upload
        host = self.headers.get("Host", "127.0.0.1:%d" % self.server.server_port)
        location = {"Location": f"http://{host}/uploads/{upload.id}"}
        with upload.alone(self.connection):
            self.send_interim(104, "Upload Resumption Supported", location | self.limits())
            self.receive(complete)
        self.answer(201, location | upload.state() | self.limits())

    def store_plainly(self, name):
        upload = Upload(self.folder, name)
        upload.length = self.agreed_length(0, None, True)
        self.upload = upload
        try:
            self.receive(True)
        finally:
            self.upload = None
            upload.path.unlink()
        self.answer(201, {})

    def retrieve_offset(self):
        self.forbid_fields("Upload-Offset", "Upload-Complete", "Upload-Length")
        with self.upload.alone():
            fields = self.upload.state() | self.limits()
        if self.upload.length is not None:
            fields["Upload-Length"] = self.upload.length
        self.answer(204, fields | {"Cache-Control": "no-store"})

    def append(self):
        upload = self.upload
        media_type = "application/partial-upload"
        if self.headers.get_content_type() != media_type:
            raise Refusal(415, f"must be {media_type}", Accept_Patch=media_type)
        complete = self.boolean_field("Upload-Complete")
        offset = self.integer_field("Upload-Offset")
        if complete is None or offset is None:
            raise Refusal(400, "Upload-Complete and Upload-Offset are required")
        with upload.alone(self.connection):
            if upload.complete:
                problem = {"type": PROBLEM + "completed-upload"}
                raise Refusal(400, problem | {"title": "upload is already completed"})
            if offset != upload.offset:
                problem = {
                    "type": PROBLEM + "mismatching-upload-offset",
                    "title": "offset from request does not match offset of resource",
                    "expected-offset": upload.offset,
                    "provided-offset": offset,
                }
                raise Refusal(409, problem)
            upload.length = self.agreed_length(upload.offset, upload.length, complete)
            self.receive(complete)
        self.answer(201, upload.state() | self.limits())

    def cancel(self):
        self.forbid_fields("Upload-Offset", "Upload-Complete")
        with self.upload.alone():
            if self.uploads.pop(self.upload.id, None) is None:
                raise Refusal(404, "no such upload")
            self.upload.path.unlink()
        self.answer(204, {})

    # The request content

    def receive(self, complete):
        """Append the content to the upload, block by block, and complete it if asked."""
        upload = self.upload
        if self.headers.get("Expect", "").lower() == "100-continue":
            self.send_interim(100, "Continue", {})
        next_progress = upload.offset + PROGRESS_STEP
        with open(upload.path, "ab", buffering=0) as file:
            for block in self.content():
                end = self.limit if upload.length is None else upload.length
                fitting = block[: end - upload.offset]
                file.write(fitting)
                upload.offset += len(fitting)
                if len(fitting) < len(block):
                    status = 413 if upload.length is None else 400
                    raise Refusal(status, "more content than allowed")
                if upload.offset >= next_progress and upload.id in self.uploads:
                    progress = {"Upload-Offset": upload.offset}
                    self.send_interim(104, "Upload Resumption Supported", progress)
                    next_progress = upload.offset + PROGRESS_STEP
        if complete:
            if upload.length not in (None, upload.offset):
                raise Refusal(400, "less content than the length of the upload")
            upload.length = upload.offset
            target = self.finished / upload.name
            target.unlink(missing_ok=True)
            os.link(upload.path, target)
            upload.complete = True

    def content(self):
        if self.is_chunked():
            while size := int(self.read_line().split(b";")[0], 16):
                yield from self.read_blocks(size)
                self.read_line()
            while self.read_line():  # trailer fields
                pass
        else:
            yield from self.read_blocks(self.content_length() or 0)
        self.body_is_pending = False

    def read_blocks(self, count):
        while count:
            block = self.rfile.read1(min(count, 65536))
            if not block:
                raise ConnectionResetError
            count -= len(block)
            yield block

    def read_line(self):
        line = self.rfile.readline(8192)
        if not line.endswith(b"\n"):
            raise ConnectionResetError
        return line.strip()

    def is_chunked(self):
        return self.headers.get("Transfer-Encoding", "").lower() == "chunked"

    def content_length(self):
        return self.integer_field("Content-Length") if not self.is_chunked() else None

    # The fields of the request

    def boolean_field(self, name):
        value = self.headers.get(name)
        if value not in (None, "?0", "?1"):
            raise Refusal(400, f"{name} must be ?0 or ?1")
        return None if value is None else value == "?1"

    def integer_field(self, name):
        value = self.headers.get(name)
        if value is not None and not re.fullmatch(r"\d{1,15}", value):
            raise Refusal(400, f"{name} must be an integer")
        return None if value is None else int(value)

    def forbid_fields(self, *names):
        for name in names:
            if name in self.headers:
                raise Refusal(400, f"{name} must not be sent here")

    def agreed_length(self, offset, known, complete):
        """The length of the upload as far as it is known; the indicators must agree."""
        lengths = {known, self.integer_field("Upload-Length")}
        if complete and self.content_length() is not None:
            lengths.add(offset + self.content_length())
        lengths.discard(None)
        if len(lengths) > 1:
            raise Refusal(400, "the lengths of the upload contradict each other")
        length = max(lengths, default=None)
        if length is not None and length > self.limit:
            raise Refusal(413, "larger than the limit", **self.limits())
        return length

    # The responses

    def limits(self):
        no_limit = self.limit == UNLIMITED
        return {"Upload-Limit": "min-size=0" if no_limit else f"max-size={self.limit}"}

    def send_interim(self, status, reason, fields):
        if self.request_version == "HTTP/1.0":
            return
        if status == 104:
            fields = {"Upload-Draft-Interop-Version": VERSION} | fields
        lines = [f"HTTP/1.1 {status} {reason}"]
        lines += [f"{name}: {value}" for name, value in fields.items()]
        self.wfile.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    def answer(self, status, fields, text=""):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, str(value))
        if status != 204:
            self.send_header("Content-Length", str(len(text.encode())))
        if self.body_is_pending:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text.encode())

    def refuse(self, refusal):
        fields = dict(refusal.fields)
        if self.upload:
            fields |= self.upload.state()
        if isinstance(refusal.text, dict):
            fields["Content-Type"] = "application/problem+json"
            text = json.dumps(refusal.text)
        else:
            fields["Content-Type"] = "text/plain"
            text = refusal.text + "\n"
        with contextlib.suppress(OSError):
            self.answer(refusal.status, fields, text)
            if self.body_is_pending:
                self.drain()

    def drain(self):
        """Let the client read the refusal before the close resets the connection."""
        self.connection.shutdown(socket.SHUT_WR)
        self.connection.settimeout(1)
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and self.connection.recv(65536):
            pass

    def handle_expect_100(self):
        return True  # receive() sends it, after the checks and the 104


class Server(ThreadingHTTPServer):
    request_queue_size = 64


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
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=UNLIMITED)
    options = parser.parse_args()
    folder = options.folder.resolve()
    Handler.folder, Handler.finished = folder / "uploads", folder / "finished"
    Handler.limit = options.limit
    for path in (Handler.folder, Handler.finished):
        path.mkdir(parents=True, exist_ok=True)
    answer = redirect_output(folder / "ietf.log")
    threading.Thread(target=exit_when_stdin_closes, daemon=True).start()
    server = Server(("127.0.0.1", 0), Handler)
    line = {
        "url": f"http://127.0.0.1:{server.server_port}/files",
        "folder": str(Handler.finished),
    }
    print(json.dumps(line), file=answer, flush=True)
    server.serve_forever()


main()

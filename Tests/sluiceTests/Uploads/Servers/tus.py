"""Serve tus 1.0 resumable uploads on 127.0.0.1, until standard input closes.

Usage: tus.py FOLDER [--limit BYTES] [--strict [--expire SECONDS]]

The default server is tuspyserver: it keeps every received byte of a broken PATCH.
--strict takes resumable-upload instead: it checks the size limit at creation, knows
checksums and expiration, and answers with a relative Location.

Needs: tuspyserver, uvicorn; for --strict: resumable-upload
"""

import argparse
import json
import os
import pathlib
import socket
import threading


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


def publish(path, metadata, finished):
    """Show a complete upload in the finished folder under its name."""
    path = pathlib.Path(path)
    target = finished / (pathlib.Path(metadata.get("filename", "")).name or path.name)
    target.unlink(missing_ok=True)
    os.link(path, target)  # not a move: the server still answers HEAD for the upload


def announce(answer, url, finished):
    print(json.dumps({"url": url, "folder": str(finished)}), file=answer, flush=True)


def serve_streaming(uploads, finished, options, answer):
    import fastapi
    import uvicorn
    from tuspyserver import create_tus_router

    app = fastapi.FastAPI()
    router = create_tus_router(
        prefix="files",
        files_dir=str(uploads),
        max_size=options.limit,
        on_upload_complete=lambda path, metadata: publish(path, metadata, finished),
    )
    app.include_router(router)
    listener = socket.create_server(("127.0.0.1", 0))
    announce(answer, f"http://127.0.0.1:{listener.getsockname()[1]}/files/", finished)
    uvicorn.Server(uvicorn.Config(app, lifespan="off")).run(sockets=[listener])


def serve_strict(uploads, finished, options, answer):
    from http.server import ThreadingHTTPServer

    from resumable_upload import SQLiteStorage, TusHTTPRequestHandler, TusServer

    class Handler(TusHTTPRequestHandler):
        tus_server = TusServer(
            storage=SQLiteStorage(str(uploads / "uploads.db"), str(uploads)),
            max_size=options.limit,
            upload_expiry=options.expire,
            supports_checksum_trailer=True,
            on_upload_complete=lambda upload, metadata, file: publish(
                file["file_path"], metadata, finished
            ),
        )

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    announce(answer, f"http://127.0.0.1:{server.server_port}/files", finished)
    server.serve_forever()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=1 << 40)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--expire", type=int)
    options = parser.parse_args()
    folder = options.folder.resolve()
    uploads, finished = folder / "uploads", folder / "finished"
    for path in (uploads, finished):
        path.mkdir(parents=True, exist_ok=True)
    answer = redirect_output(folder / "tus.log")
    threading.Thread(target=exit_when_stdin_closes, daemon=True).start()
    serve = serve_strict if options.strict else serve_streaming
    serve(uploads, finished, options, answer)


main()

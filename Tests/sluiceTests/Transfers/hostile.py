"""A server that misbehaves, by the path of the request. It prints its port, that of a server with a certificate for another name, and the
file of the certificate.
"""
import base64
import datetime
import hashlib
import os
import socket
import ssl
import struct
import sys
import tempfile
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def flood(connection, start, piece):
    connection.sendall(start)
    while True: connection.sendall(piece)


def drip(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    while True:
        connection.sendall(b".")
        threading.Event().wait(0.2)


def trickle(connection):
    """Answers for longer than the transfer process takes between two notes on record."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % len(whole))
    for place in range(0, len(whole), 4):
        connection.sendall(whole[place:place + 4])
        threading.Event().wait(0.3)


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def answer(head):
    return lambda connection: connection.sendall(head)


deeds = {
    "/endless-headers": lambda c: flood(c, b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"a" * 100 + b"\r\n"),
    "/endless-header": lambda c: flood(c, b"HTTP/1.1 200 OK\r\nX-Long: ", b"a" * 1000),
    "/endless-interim": lambda c: flood(c, b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    "/endless-body": lambda c: flood(c, b"HTTP/1.1 200 OK\r\n\r\n", b"a" * 1000),
    "/drip": drip,
    "/trickle": trickle,
    "/short": answer(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789"),
    "/long": answer(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n0123456789"),
    "/two-lengths": answer(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\n0123456789"),
    "/loop": answer(b"HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n"),
    "/inner": answer(b"HTTP/1.1 307 Temporary\r\nLocation: http://169.254.169.254/latest\r\nContent-Length: 0\r\n\r\n"),
    "/gzip": answer(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08"),
    "/cookie": answer(b"HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 0\r\n\r\n"),
    "/bytes": answer(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\xff\x00a"),
    "/reset": reset,
    "/silent": lambda c: None,
    "/nonsense": answer(b"good morning\r\n"),
    "/kept": answer(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    "/count": lambda c: c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n%d" % dropped[0]),
    "/early-success": answer(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    "/early": answer(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
}


dropped = [0]
whole = b"The whole page, from its first word to its last."
half = len(whole) // 2
lake = b"<html><head><title>The lake</title></head><body><script>hidden</script><p>Reeds and herons.</p></body></html>"
# The number of requests for each path, so that a broken download can go on in another way.
counts = {}


def page(fields=b"", status=b"200 OK", body=whole, sent=None, kind=b"text/plain"):
    """An answer of which only a part may come."""
    head = b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n%s\r\n" % (status, kind, len(body), fields)
    return head + body[:len(body) if sent is None else sent]


def rest(head, fields=b'ETag: "one"\r\n', begin=half):
    """The part that the request asks for. Without the right words in the request, the case fails."""
    asked = b"Range: bytes=%d-\r\n" % half in head and b'If-Range: "one"\r\n' in head
    if not asked: return page(status=b"400 Bad", body=head)
    return page(fields + b"Content-Range: bytes %d-%d/%d\r\n" % (begin, len(whole) - 1, len(whole)), b"206 Partial", whole[begin:])


def dates(time):
    return b"Last-Modified: Sat, 28 Nov 2026 00:00:00 GMT\r\nDate: Sat, 28 Nov 2026 %s GMT\r\n" % time


def dated(head):
    """The rest, if the request has the date as its condition."""
    return rest(head.replace(b"If-Range: Sat, 28 Nov 2026 00:00:00 GMT", b'If-Range: "one"'), dates(b"00:06:00"))


def moved(place, status=b"302 Found"):
    return lambda head, count: b"HTTP/1.1 %s\r\nLocation: %s\r\nContent-Length: 5\r\n\r\nmoved" % (status, place)


broken = page(b'ETag: "one"\r\n', sent=half)
# Of unknown size, and it breaks off after the half.
unsized = b'HTTP/1.1 200 OK\r\nETag: "one"\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n' % half + whole[:half] + b"\r\n"
piece = b'HTTP/1.1 206 Partial\r\nETag: "one"\r\nContent-Range: bytes %d-%d/*\r\nContent-Length: 5\r\n\r\n' % (half, half + 4) + whole[half:half + 5]
downloads = {
    "/page": lambda head, count: page(),
    "http://service.invalid/page": lambda head, count: page(body=b"by the proxy"),
    "/lake.html": lambda head, count: page(body=lake, kind=b"text/html"),
    "/stalled": lambda head, count: broken if count == 1 else rest(head),
    "/cut-headers": lambda head, count: b"HTTP/1.1 200 OK\r\nContent-Le" if count == 1 else page(),
    "/cut-part-headers": lambda head, count: [b"", broken, b"HTTP/1.1 206 Partial\r\nConte"][count] if count < 3 else rest(head),
    "/no-part": lambda head, count: broken if count == 1 else b"HTTP/1.1 206 Partial\r\nContent-Length: 0\r\n\r\n" if count == 2 else page(),
    "/other-tag": lambda head, count: broken if count == 1 else rest(head, b'ETag: "two"\r\n') if count == 2 else page(),
    "/no-size": lambda head, count: [b"", unsized, piece][count] if count < 3 else page(),
    "/no-tag": lambda head, count: broken if count == 1 else rest(head, b"") if count == 2 else page(),
    "/other-size": lambda head, count: broken if count == 1 else rest(head).replace(b"/%d\r\n" % len(whole), b"/999\r\n") if count == 2 else page(),
    "/first-digest": lambda head, count: page(b'ETag: "one"\r\nRepr-Digest: sha-256=:%s:\r\n' % base64.b64encode(hashlib.sha256(b"other").digest()), sent=half) if count == 1 else rest(head) if count == 2 else page(),
    "/young": lambda head, count: page(dates(b"00:00:01"), sent=half) if count == 1 else page(status=b"400 Bad") if b"Range" in head else page(),
    "/dated": lambda head, count: page(dates(b"00:05:00"), sent=half) if count == 1 else dated(head),
    "/no-content": lambda head, count: b"HTTP/1.1 204 No Content\r\n\r\n",
    "/charset": lambda head, count: page(body="<html><body><p>Zażółć gęślą jaźń</p></body></html>".encode("iso-8859-2"), kind=b"text/html; charset=iso-8859-2"),
    "/later": lambda head, count: page(status=b"404 Not Yet", body=b"") if count == 1 else page(),
    "/echo": lambda head, count: page(body=b"-" * ((1 << 20) - 100) + head),
    "/fragment": lambda head, count: page(body=b"<p>No title here, but a kingfisher.", kind=b"text/html"),
    "/empty": lambda head, count: page(body=b""),
    "/wrong-page": lambda head, count: page(status=b"404 Not Found", body=b"a" * 200_000),
    "/resumed": lambda head, count: broken if count == 1 else rest(head),
    "/changed": lambda head, count: broken if count == 1 else page(b'ETag: "two"\r\n', body=b"Another page."),
    "/other-part": lambda head, count: broken if count == 1 else rest(head, begin=half + 1) if count == 2 else page(),
    "/no-range": lambda head, count: broken if count == 1 else page(status=b"416 No", body=b"") if b"Range" in head else page(),
    "/no-tag": lambda head, count: page(sent=half) if count == 1 else page(status=b"400 Bad") if b"Range" in head else page(),
    "/weak-tag": lambda head, count: page(b'ETag: W/"one"\r\n', sent=half) if count == 1 else page(status=b"400 Bad") if b"Range" in head else page(),
    "/digest": lambda head, count: page(b"Repr-Digest: sha-256=:%s:\r\n" % (base64.b64encode(hashlib.sha256(b"other" if count == 1 else whole).digest()))),
    "/who": lambda head, count: page(body=b"no one" if b"uthorization" not in head else b"a credential came"),
    "/moved": moved(b"/moved-on", b"301 Moved"),
    "/moved-on": moved(b"page", b"308 Moved"),
    "/moved-to-name": lambda head, count: moved(b"http://localhost:%d/who" % port())(head, count),
    "/moved-to-other-port": lambda head, count: moved(b"http://127.0.0.1:%d/who" % (port() + 1))(head, count),
    "/moved-inside": moved(b"https://169.254.169.254/latest/meta-data"),
    "/moved-to-file": moved(b"file:///etc/passwd"),
    "/moved-nowhere": moved(b"http://"),
}


def port(): return ports[0]


ports = []

def serve(connection):
    with connection:
        try:
            while True:
                path = receive(connection)
                if path == "/dropped": dropped[0] += 1
                if path != "/kept": break
        except OSError:
            pass


def receive(connection):
    """Takes a request, and answers it. Returns its path; None at the end."""
    head = b""
    while b"\r\n\r\n" not in head:
        more = connection.recv(65536)
        if not more: return None
        head += more
    path = head.split(b" ")[1].decode()
    if path in downloads:
        counts[path] = counts.get(path, 0) + 1
        connection.sendall(downloads[path](head, counts[path]))
        # Until the other side ends the connection.
        if path == "/stalled" and counts[path] == 1: connection.recv(1)
    else:
        deeds.get(path, lambda c: None)(connection)
    return path


def listen(context=None):
    listener = socket.create_server(("127.0.0.1", 0))

    def accept():
        while True:
            connection, _ = listener.accept()
            try:
                if context: connection = context.wrap_socket(connection, server_side=True)
            except OSError:
                continue
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


key = ec.generate_private_key(ec.SECP256R1())
name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "other.example")])
now = datetime.datetime.now(datetime.timezone.utc)
certificate = (
    x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=2))
    .not_valid_after(now + datetime.timedelta(days=2))
    .add_extension(x509.SubjectAlternativeName([x509.DNSName("other.example")]), False)
    .add_extension(x509.BasicConstraints(True, None), True).sign(key, hashes.SHA256())
)
folder = tempfile.mkdtemp()
path = os.path.join(folder, "certificate.pem")
with open(path, "wb") as file:
    file.write(certificate.public_bytes(serialization.Encoding.PEM))
with open(path + ".key", "wb") as file:
    file.write(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(path, path + ".key")
# In one piece, because the tests read once.
ports += [listen(), listen(context)]
print(f"{ports[0]} {ports[1]} {path}", flush=True)
# The end of the tests ends the server.
sys.stdin.read()
for file in [path, path + ".key"]: os.remove(file)
os.rmdir(folder)

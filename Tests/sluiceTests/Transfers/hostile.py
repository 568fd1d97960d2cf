"""A server that misbehaves, by the path of the request. It prints its port, that of a server with a certificate for another name, and the
file of the certificate.
"""
import datetime
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
print(f"{listen()} {listen(context)} {path}", flush=True)
# The end of the tests ends the server.
sys.stdin.read()
for file in [path, path + ".key"]: os.remove(file)
os.rmdir(folder)

#!/usr/bin/env python3
"""offline.py PROGRAM ARGUMENT…: runs a program in a namespace whose only network is loopback."""
import fcntl
import os
import socket
import struct
import sys

SIOCSIFFLAGS, IFF_UP = 0x8914, 1

if "INSIDE" not in os.environ:
    os.environ["INSIDE"] = "1"
    os.execvp("unshare", ["unshare", "--map-root-user", "--net", sys.executable, *sys.argv])
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
    fcntl.ioctl(own, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
os.execv(sys.argv[1], sys.argv[1:])

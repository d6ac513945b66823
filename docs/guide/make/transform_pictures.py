# SPDX-License-Identifier: Apache-2.0
"""The picture of a transform: photos of the example project, and below them what the program makes of them. The program is asked as the window
asks it (docs/protocol.md)."""
import array
import json
import os
import socket
import struct
import subprocess
import zlib
from pathlib import Path

SIDE, COUNT, GAP = 96, 5, 6


def received(channel):
    """(answer, descriptors) of one message; ValueError where the program ends before it."""
    data, descriptors = b"", array.array("i")
    while len(data) < 4 or len(data) < 4 + struct.unpack("<I", data[:4])[0]:
        more, extra, _, _ = channel.recvmsg(65536, socket.CMSG_SPACE(descriptors.itemsize))
        if not more:
            raise ValueError("the program ended without an answer")
        data += more
        for level, kind, raw in extra:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                descriptors.frombytes(raw)
    return json.loads(data[4:]), list(descriptors)


def ask(cli, request):
    """The payload of the program's answer."""
    ours, theirs = socket.socketpair()
    with ours, subprocess.Popen([cli, "serve", "--fd", str(theirs.fileno())], pass_fds=[theirs.fileno()]) as program:
        theirs.close()
        body = json.dumps(request).encode()
        ours.sendall(struct.pack("<I", len(body)) + body)
        answer, descriptors = received(ours)
        ours.close()
        program.wait()
    if not answer.get("ok"):
        raise ValueError(answer.get("error"))
    with os.fdopen(descriptors[0], "rb") as file:
        file.seek(0)
        return file.read()


def strong(record):
    """The transform with its defaults, but so that it changes every image."""
    values = {f["name"]: int(f["default"]) if f["kind"] == "integer" else f["default"] for f in record["fields"]}
    return {"type": record["name"], **values, **({"p": 1.0} if "p" in values else {})}


def write_png(path, width, height, rgb):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + rgb[3 * width * y:3 * width * (y + 1)] for y in range(height))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def sheet(rows):
    """(width, height, RGB) of rows of RGBA images of SIDE × SIDE, one behind the other, with gaps."""
    width, height = COUNT * (SIDE + GAP) - GAP, len(rows) * (SIDE + GAP) - GAP
    out = bytearray(b"\xff" * (3 * width * height))
    for row, images in enumerate(rows):
        for n in range(COUNT):
            for y in range(SIDE):
                line = images[4 * SIDE * (SIDE * n + y):4 * SIDE * (SIDE * n + y + 1)]
                at = 3 * (width * (row * (SIDE + GAP) + y) + n * (SIDE + GAP))
                out[at:at + 3 * SIDE] = bytes(v for i, v in enumerate(line) if i % 4 != 3)
    return width, height, bytes(out)


def reads_photos(cli):
    """The module that reads photos was built; without it pictures are placeholders."""
    return (Path(cli).resolve().parent / "libnw_images.so").exists()


class Painter:
    """Asks for the photos of the example project, as they are and as transforms change them."""

    def __init__(self, cli, folder):
        self.cli = cli
        subprocess.run([cli, "examples", "photos", "-o", str(folder)], check=True, stdout=subprocess.DEVNULL)
        project = Path(folder) / "photos/photos.netwright"
        self.data = json.loads(project.read_text(encoding="utf-8"))["data"]
        self.data["path"] = str(project.parent / self.data["path"])
        self.plain = self.images([])

    def images(self, transforms):
        return ask(self.cli, {"id": 1, "do": "augmented", "data": self.data, "settings": {"transforms": transforms}, "count": COUNT, "size": SIDE})

    def paint(self, record, path):
        """ValueError where the transform leaves every photo as it is."""
        changed = self.images([strong(record)])
        if changed == self.plain:
            raise ValueError(f"{record['name']} changes no photo of the example")
        write_png(path, *sheet([self.plain, changed]))

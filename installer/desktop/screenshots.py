#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The screenshots of the AppStream metainfo, painted by netwright_gallery:

    python3 installer/desktop/screenshots.py build/release/bin/netwright_gallery

paints those that the metainfo names into resources/pictures. Each holds, as a PNG text "Form", the hash of the expected form of its screen
(tests/gallery/expected/NAME.txt), with which the gallery's tests compare the screen: the picture is current as long as that form is. Without a
program the pictures that are not current are printed, and the exit code is 1 if there is one.
"""
import hashlib
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PICTURES = TOP / "resources/pictures"
FORMS = TOP / "tests/gallery/expected"
METAINFO = TOP / "installer/desktop/org.netwright.Netwright.metainfo.xml"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
KEY = b"Form\0"


def names():
    """Of the pictures in the metainfo."""
    return re.findall(r"<image>\S*/resources/pictures/([a-z0-9-]+)\.png</image>", METAINFO.read_text(encoding="utf-8"))


def form_of(name):
    """The hash of the screen's expected form; empty: no test compares that screen with one."""
    file = FORMS / f"{name}.txt"
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else ""


def chunks(png):
    """(kind, data) of each chunk; nothing behind one that is cut off."""
    at = len(SIGNATURE)
    while png.startswith(SIGNATURE) and at + 12 <= len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        yield kind, png[at + 8:at + 8 + size]
        at += 12 + size


def form_in(png):
    return next((data.removeprefix(KEY).decode("latin-1") for kind, data in chunks(png) if kind == b"tEXt" and data.startswith(KEY)), "")


def size_of(png):
    return next((struct.unpack(">II", data[:8]) for kind, data in chunks(png) if kind == b"IHDR"), (0, 0))


def with_form(png, form):
    """The picture with the hash directly before its end."""
    data = b"tEXt" + KEY + form.encode()
    kept = png[:png.rindex(b"IEND") - 4]
    return kept + struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data)) + png[len(kept):]


def complaints(pictures=PICTURES):
    found = []
    for name in names():
        png = (pictures / f"{name}.png").read_bytes() if (pictures / f"{name}.png").exists() else b""
        if not form_of(name):
            found.append(f"{name}: no test compares this screen with a form")
        elif form_in(png) != form_of(name):
            found.append(f"{name}.png shows another form of its screen: run installer/desktop/screenshots.py NETWRIGHT_GALLERY")
    return found


def paint(gallery):
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "runs/none").mkdir(parents=True)    # not empty: nothing is trained, for these screens show no run
        subprocess.run([gallery, "--scales", "100", "--expected", FORMS, "--runs", f"{place}/runs", f"{place}/out",
                        f"^({'|'.join(names())})-light-en"], check=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        for name in names():
            png = (Path(place) / f"out/{name}-light-en-100.png").read_bytes()
            (PICTURES / f"{name}.png").write_bytes(with_form(png, form_of(name)))


def main():
    if len(sys.argv) > 1:
        paint(sys.argv[1])
    print("\n".join(complaints()))
    return 1 if complaints() else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""The pictures of the guide: screens that netwright_gallery paints, or a placeholder that says so."""
import os
import re
import shutil
import struct
import subprocess
import zlib

NAME = re.compile(r"^\.\. figure:: pictures/([a-z0-9-]+)\.png$", re.M)


def wanted(guide):
    return sorted({name for page in guide.glob("*.rst") for name in NAME.findall(page.read_text(encoding="utf-8"))})


def write(path, width, height, pixels):
    """A grey PNG file; pixels: a byte each, row by row."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + pixels[i * width:(i + 1) * width] for i in range(height))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def placeholder(path, width=640, height=360):
    """A picture without contents, for builds without the gallery."""
    write(path, width, height, b"\xe6" * (width * height))


def paint(gallery, names, folder):
    """All pictures in both languages, into folder/en and folder/zh_CN."""
    raw = folder / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    pattern = f"^({'|'.join(names)})-light-(en|zh)-100\\.png$"
    subprocess.run([gallery, "--scales", "100", str(raw), pattern], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    for language in ("en", "zh_CN"):
        (folder / language).mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copy(raw / f"{name}-light-{language[:2]}-100.png", folder / language / f"{name}.png")


def place(source, names, target):
    """Into the guide's sources; source None: placeholders."""
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        if source:
            shutil.copy(source / f"{name}.png", target / f"{name}.png")
        else:
            placeholder(target / f"{name}.png")

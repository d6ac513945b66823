# SPDX-License-Identifier: Apache-2.0
"""Writes the hostile files that hostile.sh plays: malformed_files.py FOLDER projects | runs GOOD_RUN"""
import json
import os
import shutil
import struct
import sys
import tarfile
import zipfile
import zlib

PNG = b"\x89PNG\r\n\x1a\n"


def write(path, data):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width, height, shade, rows=None):
    lines = b"".join(b"\0" + bytes([shade]) * width for _ in range(height if rows is None else rows))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return PNG + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def photos(folder, classes=("cat", "dog"), count=3):
    for k, name in enumerate(classes):
        for i in range(count):
            write(os.path.join(folder, name, "%d.png" % i), png(16, 16, 40 * k + i))


def jpeg_of_two_sizes():
    def frame(height, width):
        return b"\xff\xc2\x00\x11\x08" + struct.pack(">HH", height, width) + b"\x03\x01\x22\x00\x02\x11\x00\x03\x11\x00"
    scan = b"\xff\xda\x00\x0c\x03\x01\x00\x02\x00\x03\x00\x00\x00\x00" + b"\x00" * 16
    return b"\xff\xd8" + frame(65500, 65500) + scan + frame(16, 16) + b"\xff\xd9"


def tiff(entries):
    body = b"II*\0" + struct.pack("<IH", 8, len(entries))
    return body + b"".join(struct.pack("<HHII", *e) for e in entries) + b"\0" * 400


def node(number, kind, name, **attrs):
    return {"id": number, "type": kind, "name": name, **({"attrs": attrs} if attrs else {})}


def network(nodes, wires, **more):
    return json.dumps({"format": 1, "network": {"nodes": nodes, "connections": wires}, **more})


def port_bomb(kind, count, ports, repeat):
    ends = [node(2, "BlockInput", "in"), node(3, "BlockOutput", "out")]
    layers = [node(10 + i, kind, "a%d" % i) for i in range(count)]
    wires = [[2, 0, 10 + i, p] for i in range(count) for p in ports] + [[10, 0, 3, 0]]
    outer = [node(1, "Input", "images"), node(2, "Block", "b", block="B", repeat=repeat), node(3, "Flatten", "f"),
             node(4, "Linear", "l", out_features=10), node(5, "CrossEntropy", "loss")]
    return network(outer, [[1, 0, 2, 0], [2, 0, 3, 0], [3, 0, 4, 0], [4, 0, 5, 0]],
                   blocks={"B": {"network": {"nodes": ends + layers, "connections": wires}}})


def projects(base):
    at = lambda name: os.path.join(base, name)
    write(at("ports.netwright"), port_bomb("Add", 97, [4095], 1000))
    write(at("many_ports.netwright"), port_bomb("Add", 99, [4095], 1))
    write(at("factors.netwright"), port_bomb("Multiply", 20, range(4000), 1))
    write(at("repeats.netwright"), port_bomb("ReLU", 900, [0], 1000))
    write(at("empties.netwright"), '{"format":1,"x":[' + "{}," * 12_000_000 + "0]}")
    write(at("lists.netwright"), '{"format":1,"x":[' + "[]," * 12_000_000 + "0]}")
    write(at("deep.netwright"), '{"format":1,"x":' + "[" * 5000 + "]" * 5000 + "}")
    write(at("twice.netwright"), '{"format":1,"format":1}')
    write(at("bytes.netwright"), b'{"format":1,"x":"\xff\xfe"}')
    write(at("number.netwright"), '{"format":1,"x":1e999}')
    write(at("newer.netwright"), '{"format":99}')
    write(at("escape.netwright"), network([node(1, "Conv\x1b[2J\nOWNED", "x")], []))
    write(at("ring.netwright"), network([node(1, "Input", "images"), node(2, "Add", "sum"), node(3, "ReLU", "r"),
                                         node(4, "CrossEntropy", "loss")],
                                        [[1, 0, 2, 0], [3, 0, 2, 1], [2, 0, 3, 0], [3, 0, 4, 0]]))
    write(at("huge.netwright"), "{")
    os.truncate(at("huge.netwright"), 1 << 33)
    os.mkfifo(at("pipe.netwright"))
    os.symlink("/dev/zero", at("zero.netwright"))
    os.symlink("nowhere", at("dangling.netwright"))
    images(base)
    lists(base)
    slow(base)


def slow_data(kind):
    """The data choice of data that take longer to open than a stop may."""
    path = {"folder": "in/slow/photos", "archive": "in/slow/photos.zip", "table": "in/slow/pixels.csv"}[kind]
    return dict(kind="csv" if kind == "table" else "image_folder", path=path, channels=1, height=28, width=28, target_column="label")


def slow(base):
    """300 images of 16 megapixels, in a folder and in an archive; a table of 200,000 images."""
    at = lambda name: os.path.join(base, "slow", name)
    image = png(4000, 4000, 9)
    write(at("photos/cat/0.png"), image)
    os.mkdir(at("photos/dog"))
    names = ["%s/%d.png" % (c, i) for c in ("cat", "dog") for i in range(150)]
    for name in names[1:]:
        os.link(at("photos/cat/0.png"), at("photos/" + name))
    with zipfile.ZipFile(at("photos.zip"), "w") as z:
        for name in names:
            z.writestr(name, image)
    rows = "".join("%d%s\n" % (i % 10, ",7" * 784) for i in range(1000))
    with open(at("pixels.csv"), "w") as f:
        f.write("label" + "".join(",p%d" % i for i in range(784)) + "\n")
        for _ in range(200):
            f.write(rows)


def images(base):
    at = lambda name: os.path.join(base, name)
    photos(at("photos"))
    for name, data in {"two_sizes": ("1.jpg", jpeg_of_two_sizes()), "giant": ("1.png", png(60000, 60000, 0, 1)),
                       "two_widths": ("1.tif", tiff([(256, 4, 1, 40000), (257, 4, 1, 40000), (256, 4, 1, 4)])),
                       "long_width": ("1.tif", tiff([(256, 16, 1, 4), (257, 4, 1, 4)])),
                       "frame": ("1.gif", b"GIF89a\1\0\1\0\0\0\0,\x20\x4e\x20\x4e\x20\x4e\x20\x4e\0\x08" + b"\0" * 40),
                       "pnm": ("1.ppm", b"P6 4294967296 4294967296 255\n" + b"\0" * 40),
                       "bmp": ("1.bmp", b"BM" + struct.pack("<IIIIiiHH", 54, 0, 54, 40, 30000, -30000, 1, 24) + b"\0" * 40),
                       "cut": ("1.png", png(16, 16, 9)[:60])}.items():
        write(os.path.join(at(name), "cat", data[0]), data[1])
    photos(at("escapes"), ("\x1b[2Jcat", "dog\nOWNED", "\u202egod"))
    photos(at("loops"))
    os.symlink("..", at("loops/cat/up"))
    os.symlink("../dog", at("loops/ox"))
    os.symlink("nowhere", at("loops/cow"))
    photos(at("pipes"))
    os.mkfifo(at("pipes/cat/9.png"))
    with zipfile.ZipFile(at("climbs.zip"), "w", zipfile.ZIP_DEFLATED) as z:
        for name in ("../../OWNED.png", "/tmp/OWNED.png", "cat/../../../OWNED.png"):
            z.writestr(name, png(16, 16, 3))
    with zipfile.ZipFile(at("bomb.zip"), "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        z.writestr("cat/1.png", png(16, 16, 3))
        z.writestr("dog/1.png", b"\0" * (600 << 20))
    with tarfile.open(at("odd.tar"), "w") as t:
        for name, kind in (("cat/dev.png", tarfile.CHRTYPE), ("cat/link.png", tarfile.SYMTYPE),
                           ("dog/pipe.png", tarfile.FIFOTYPE)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            t.addfile(entry)
    write(at("garbage.zip"), b"PK\x03\x04" + bytes(range(256)) * 40)


def lists(base):
    at = lambda name: os.path.join(base, name)
    write(at("empties.json"), '{"images":[' + "{}," * 20_000_000 + "{}],\"annotations\":[],\"categories\":[]}")
    write(at("outlines.json"), json.dumps({"images": [], "annotations": [], "categories": []}))
    write(at("nul.csv"), b"label,a,b\n0,1,\0\n")
    write(at("wide.csv"), b"label" + b",x" * 3_000_000 + b"\n")
    write(at("idx/train-images-idx3-ubyte"), struct.pack(">IIII", 2051, 0xFFFFFFFF, 0xFFFF, 0xFFFF))
    write(at("idx/train-labels-idx1-ubyte"), struct.pack(">II", 2049, 0xFFFFFFFF))
    write(at("entity.xml"), '<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;&x;">]><annotation>&y;</annotation>')


class Runs:
    """Copies of a good run, each with one thing changed."""

    def __init__(self, base, good):
        self.base, self.good = base, good

    def copy(self, name):
        shutil.copytree(self.good, os.path.join(self.base, name))
        return lambda inside: os.path.join(self.base, name, inside)

    def definition(self, name, change):
        at = self.copy(name)
        with open(at("run.json")) as f:
            run = json.load(f)
        change(run)
        with open(at("run.json"), "w") as f:
            json.dump(run, f)

    def replace(self, name, file, kind):
        at = self.copy(name)
        if os.path.isdir(at(file)):
            shutil.rmtree(at(file))
        elif os.path.exists(at(file)):
            os.remove(at(file))
        if kind == "link":
            os.symlink(os.path.join(self.base, "victim"), at(file))
        else:
            os.mkfifo(at(file))

    def latest(self, at):
        with open(at("latest")) as f:
            return at("checkpoints/" + f.read().strip())


RUN_FILES = ("run.json", "lock", "log.txt", "events.jsonl", "metrics.csv", "metrics.bin", "statistics.jsonl", "latest",
             "best", "profile.json", "checkpoints")


def runs(base, good):
    all_runs = Runs(base, good)
    write(os.path.join(base, "victim"), "keep")
    for file in RUN_FILES:
        for kind in ("link", "pipe"):
            all_runs.replace("%s_%s" % (kind, file), file, kind)
    all_runs.definition("no_classes", lambda r: r.update(classes=[]))
    all_runs.definition("many_classes", lambda r: r.update(classes=["x"] * 20000))
    all_runs.definition("escape_classes", lambda r: r.update(classes=["\x1b[2J%d\nOWNED" % i for i in range(10)]))
    all_runs.definition("escape_device", lambda r: r["project"]["training"].update(devices=["x\ntouch OWNED #\x1b[2J"]))
    all_runs.definition("huge_image", lambda r: r.update(height=1 << 20, width=1 << 20))
    all_runs.definition("no_mean", lambda r: r.update(mean=[], deviation=[]))
    for kind in ("folder", "archive", "table"):
        all_runs.definition("slow_" + kind, lambda r: r["project"]["data"].update(slow_data(kind)))
    at = all_runs.copy("climbs")
    write(at("latest"), "../../../etc\n")
    shutil.rmtree(at("checkpoints"))
    at = all_runs.copy("long_events")
    with open(at("events.jsonl"), "r+b") as f:
        events = f.read()
        f.truncate(0)
        f.seek(0)
        step = b'{"schema":1,"type":"steps","t":1,"pad":"' + b"x" * 4000 + b'"}\n'
        for _ in range(75):
            f.write(step * 1000)
        f.write(events)
    at = all_runs.copy("sparse_events")
    os.truncate(at("events.jsonl"), 1 << 40)
    at = all_runs.copy("sparse_tensor")
    sparse(all_runs.latest(at), 64 << 30)
    at = all_runs.copy("empties_tensor")
    header = ("{" + ",".join('"%d":{}' % i for i in range(6_000_000)) + "}").encode()
    model = all_runs.latest(at) + "/model.safetensors"
    write(model, struct.pack("<Q", len(header)) + header)
    manifest(all_runs.latest(at))


def sparse(checkpoint, size):
    header = json.dumps({"w": {"dtype": "F32", "shape": [size // 4], "data_offsets": [0, size]}}).encode()
    header += b" " * (-len(header) % 8)
    model = checkpoint + "/model.safetensors"
    write(model, struct.pack("<Q", len(header)) + header)
    os.truncate(model, 8 + len(header) + size)
    manifest(checkpoint)


def manifest(checkpoint):
    with open(checkpoint + "/manifest.json") as f:
        found = json.load(f)
    found["files"]["model.safetensors"]["bytes"] = os.path.getsize(checkpoint + "/model.safetensors")
    with open(checkpoint + "/manifest.json", "w") as f:
        json.dump(found, f)


if __name__ == "__main__":
    if sys.argv[2] == "projects":
        projects(sys.argv[1])
    else:
        runs(sys.argv[1], sys.argv[3])

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seed corpus of the fuzzers, which the replay test also reads: FOLDER/<reader>/good-… and bad-….

    python3 tests/fuzz/make_corpus.py FOLDER     # the build does this: build/<preset>/fuzz_corpus

Inputs that made a reader fail are committed beside this file, in found/<reader>/.
"""
import ctypes
import ctypes.util
import gzip
import io
import json
import struct
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path

corpus = Path(sys.argv[1])
# The library that the engine is linked with: a Python binding of it would be an additional package.
xxhash = ctypes.CDLL(ctypes.util.find_library("xxhash") or "libxxhash.so.0")
xxhash.XXH3_64bits.restype = ctypes.c_uint64
xxhash.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


def xxh3_64(content):
    return xxhash.XXH3_64bits(content, len(content))


def put(reader, name, content):
    folder = corpus / reader
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def put_json(reader, name, value):
    put(reader, name, json.dumps(value, separators=(",", ":")))


# ---- idx: length of the labels file, labels file, images file -------------------------------------------------------------
def idx_file(sizes, data, rank=None):
    return bytes([0, 0, 8, len(sizes) if rank is None else rank]) + b"".join(struct.pack(">I", s) for s in sizes) + data


def idx_pair(labels, images):
    return struct.pack("<H", len(labels)) + labels + images


labels = idx_file([3], bytes([0, 1, 7]))
images = idx_file([3, 2, 2], bytes(range(12)))
packed = gzip.compress(images, mtime=0)
put("idx", "good-plain", idx_pair(labels, images))
put("idx", "good-gzip", idx_pair(labels, packed))
put("idx", "good-gzip-two-members", idx_pair(labels, gzip.compress(images[:9], mtime=0) + gzip.compress(images[9:], mtime=0)))
put("idx", "good-one-pixel", idx_pair(idx_file([1], b"\xff"), idx_file([1, 1, 1], b"\xff")))
put("idx", "bad-cut-short", idx_pair(labels, images[:-1]))
put("idx", "bad-one-byte-more", idx_pair(labels, images + b"\0"))
put("idx", "bad-gzip-cut-short", idx_pair(labels, packed[:-5]))
put("idx", "bad-gzip-checksum", idx_pair(labels, packed[:-8] + b"\1\2\3\4" + packed[-4:]))
put("idx", "bad-gzip-bomb", idx_pair(labels, gzip.compress(bytes(6 << 20), mtime=0)))
put("idx", "bad-counts-differ", idx_pair(idx_file([2], b"\0\1"), images))
put("idx", "bad-overflow", idx_pair(labels, idx_file([0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF], b"")))
put("idx", "bad-wraps-to-zero", idx_pair(labels, idx_file([1 << 31, 1 << 31, 4], b"")))
put("idx", "bad-no-images", idx_pair(idx_file([0], b""), idx_file([0, 28, 28], b"")))
put("idx", "bad-exchanged", idx_pair(images, labels))
put("idx", "bad-header-ends", idx_pair(labels, images[:10]))
put("idx", "bad-floats", idx_pair(labels, b"\0\0\x0d\x03" + images[4:]))
put("idx", "bad-empty", b"")

# ---- cifar: records of a label and 3072 pixels ----------------------------------------------------------------------------
record = bytes([9]) + bytes(i % 256 for i in range(3072))
put("cifar", "good-one", record)
put("cifar", "good-two", bytes([0]) + bytes(3072) + record)
put("cifar", "bad-class", bytes([10]) + record[1:])
put("cifar", "bad-second-class", record + bytes([255]) + record[1:])
put("cifar", "bad-cut-short", record[:-1])
put("cifar", "bad-empty", b"")

# ---- csv: settings, table -------------------------------------------------------------------------------------------------
put("csv", "good-plain", b"\x00" + b"label,a,b,c,d\n7,0,1,2,3\n8,255,254,253,252\n")
put("csv", "good-no-header", b"\x00" + b"1,0,10,20,30\n0,0,0,0,0\n")
put("csv", "good-named-column", b"\x01" + b"a,b,c,d,label\n0,1,2,3,cat\n4,5,6,7,dog\n")
put("csv", "good-quotes", b"\x00" + b'label,a\n"a ""b"", c",1\nd,"2"\n')
put("csv", "good-semicolons", b"\x00" + b"label;a;b;c;d\r\n1;0,5;100,25;2;3\r\n\r\n2;1;2;3;4\r\n")
put("csv", "good-mark-and-tabs", b"\x00" + b"\xef\xbb\xbflabel\ta\tb\n1\t2\t3")
put("csv", "good-colours", b"\x06" + b"label" + b"".join(b",%d" % i for i in range(12)) + b"\n1" + b",9" * 12 + b"\n")
put("csv", "good-test-table", b"\x0c" + b"1,0,10,20,30\n0,0,0,0,0\n")
put("csv", "good-labels-in-columns", b"\x50" + b"a,p,b\n1,5,0\n0,7,1\n0,8,0\n")
put("csv", "good-labels-in-one-cell", b"\x11" + b'label,p\ncat|dog,5\n,7\n"dog;  ape",8\n')
put("csv", "good-values", b"\x78" + b"a,p,b\n1.5,5,-1e3\n0,7,1\n")
put("csv", "bad-label-of-two", b"\x50" + b"a,p,b\n2,5,0\n")
put("csv", "bad-value", b"\x70" + b"a,p,b\n1,5,inf\n")
put("csv", "bad-cells", b"\x00" + b"label,a,b\n1,2,3\n1,2\n")
put("csv", "bad-quote-open", b"\x00" + b'label,a\n"x,1\n')
put("csv", "bad-behind-quote", b"\x00" + b'label,a\n"x"y,1\n')
put("csv", "bad-pixel", b"\x00" + b"label,a\nx,256\n")
put("csv", "bad-infinite", b"\x00" + b"label,a\nx,1e999\n")
put("csv", "bad-nan", b"\x00" + b"label,a\nx,nan\n")
put("csv", "bad-zero-byte", b"\x00" + b"label,a\nx,\x00\n")
put("csv", "bad-one-column", b"\x00" + b"label\nx\n")
put("csv", "bad-no-such-column", b"\x01" + b"a,b\n1,2\n")
put("csv", "bad-shape", b"\x04" + b"label,a\n1,2\n")
put("csv", "bad-header-only", b"\x00" + b"label,a\n")
put("csv", "bad-fractions", b"\x00" + b"label,a\n1,0.5\n")
put("csv", "bad-empty", b"")


# ---- png_text: a picture with a project in it -----------------------------------------------------------------------------
def png_chunk(kind, data, checksum=None):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) if checksum is None else checksum)


def picture(*texts):
    pixel = png_chunk(b"IDAT", zlib.compress(b"\0\0"))
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) + b"".join(texts) + pixel + png_chunk(b"IEND", b"")


put("png_text", "good-plain", picture(png_chunk(b"tEXt", b"netwright\0{\"format\": 1} \xe9")))
put("png_text", "good-packed", picture(png_chunk(b"zTXt", b"netwright\0\0" + zlib.compress(b"{}"))))
put("png_text", "good-unicode", picture(png_chunk(b"iTXt", b"netwright\0\0\0zh\0name\0" + "\u7f51".encode())))
put("png_text", "good-unicode-packed", picture(png_chunk(b"iTXt", b"netwright\0\1\0\0\0" + zlib.compress(b"{}" * 9))))
put("png_text", "good-second", picture(png_chunk(b"tEXt", b"Software\0other"), png_chunk(b"tEXt", b"netwright\0{}")))
put("png_text", "bad-no-text", picture())
put("png_text", "bad-no-png", b"GIF89a")
put("png_text", "bad-checksum", picture(png_chunk(b"tEXt", b"netwright\0{}", 7)))
put("png_text", "bad-long", picture(png_chunk(b"tEXt", b"netwright\0" + b"x" * 5000)))
put("png_text", "bad-bomb", picture(png_chunk(b"zTXt", b"netwright\0\0" + zlib.compress(bytes(1 << 20)))))
put("png_text", "bad-no-method", picture(png_chunk(b"zTXt", b"netwright\0")))
put("png_text", "bad-flags-missing", picture(png_chunk(b"iTXt", b"netwright\0\1")))
put("png_text", "bad-length", b"\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXt")
put("png_text", "bad-after-the-end", picture() + png_chunk(b"tEXt", b"netwright\0{}"))


# ---- expression -----------------------------------------------------------------------------------------------------------
for name, text in {"silu": "x * sigmoid(a * x)", "elu": "where(x > 0, x, a * (exp(x) - 1))", "three": "x*y/(1 + z^2) - c",
                   "numbers": "-x**-2 + .5e-1*pi", "snake": "x + sin(b*x)^2/b", "nested": "((((x))))", "long": "x" + "+x" * 60}.items():
    put("expression", "good-" + name, text.encode())
for name, text in {"empty": "", "open": "(x", "name": "x + import", "no-input": "1 + 2", "deep": "(" * 50 + "x" + ")" * 50,
                   "chain": "x" + "^3" * 60, "long": "x" * 500, "signs": "-" * 300 + "x", "number": "x + 1e999", "comma": "max(x,,1)",
                   "calls": "sin(" * 40 + "x" + ")" * 40}.items():
    put("expression", "bad-" + name, text.encode())
put("expression", "bad-bytes", b"x + \xff\xfe\x00")


# ---- project --------------------------------------------------------------------------------------------------------------
def node(number, kind, name, **attrs):
    return {"id": number, "type": kind, "name": name, "x": 0, "y": 80 * number, **({"attrs": attrs} if attrs else {})}


def chain(*nodes):
    return {"nodes": list(nodes), "connections": [[a["id"], 0, b["id"], 0] for a, b in zip(nodes, nodes[1:])]}


source = node(1, "Input", "images", channels=1, height=28, width=28)
small = {"format": 1, "network": chain(source, node(2, "Flatten", "flatten1"), node(3, "Linear", "linear1", out_features=10),
                                       node(4, "CrossEntropy", "loss"))}
conv = {"format": 1, "network": chain(source, node(2, "Conv2d", "conv1", out_channels=6, kernel_size=[5, 5], padding=[2, 2]),
                                      node(3, "ReLU", "relu1"), node(4, "MaxPool2d", "pool1", kernel_size=[2, 2]),
                                      node(5, "Flatten", "flatten1"), node(6, "Linear", "fc", out_features=10),
                                      node(7, "CrossEntropy", "loss"))}
conv["network"]["frames"] = [{"id": 20, "x": 0, "y": 0, "width": 300, "height": 400, "title": "features"}]
conv["network"]["notes"] = [{"id": 21, "x": 0, "y": 0, "width": 90, "height": 40, "text": "a note"}]
inner = chain(node(1, "BlockInput", "in"), node(2, "Conv2d", "conv1", out_channels="$filters*2"), node(3, "BlockOutput", "out"))
block = {"parameters": [{"name": "filters", "value": 4}], "network": inner}
blocks = {"format": 1, "blocks": {"Stage": block},
          "network": chain(source, node(2, "Block", "stage1", block="Stage", repeat=2, filters=3), node(3, "Flatten", "flatten1"),
                           node(4, "Linear", "fc", out_features=10), node(5, "CrossEntropy", "loss"))}
residual = {"format": 1, "network": {"nodes": [source, node(2, "Conv2d", "conv1", out_channels=1, padding=[1, 1]),
                                               node(3, "Add", "add1"), node(4, "Concat", "concat1")],
                                     "connections": [[1, 0, 2, 0], [1, 0, 3, 0], [2, 0, 3, 1], [3, 0, 4, 0], [1, 0, 4, 1]]}}
settings = {"optimizer": "adamw", "schedule": "cosine", "epochs": 3, "batch": 32, "learning_rate": 0.001, "warmup_epochs": 0.5,
            "seed": 18446744073709551615, "devices": ["cpu:0", "cpu:1"], "random_crop": True}
data = {"kind": "csv", "path": "digits.csv", "target_column": "label", "height": 8, "width": 8, "split_seed": 3, "validation_fraction": 0.2}
put_json("project", "good-small", small)
put_json("project", "good-conv", conv)
put_json("project", "good-blocks", blocks)
put_json("project", "good-residual", residual)
put_json("project", "good-settings", {"format": 1, "training": settings, "data": data})
put_json("project", "good-empty", {"format": 1})
put_json("project", "good-unknown-keys", {"format": 1, "later": {"a/b~c": [1, 2]}, "training": {"later": 1.5},
                                          "network": chain({**source, "later": None}, {**node(2, "Later", "later1"), "deep": {"x": []}})})
put_json("project", "good-ring", {"format": 1, "network": {"nodes": [node(1, "ReLU", "a"), node(2, "ReLU", "b")],
                                                           "connections": [[1, 0, 2, 0], [2, 0, 1, 0]]}})
copied = {"netwright-graph": 1, "network": {"nodes": [node(1, "Block", "stage1", block="Stage")]}, "blocks": {"Stage": block}}
put_json("block_card", "good-card", {**copied, "card": {"icon": "layer-conv2d", "help": "Two\nlines of \u7f51\u7edc."}})
put_json("block_card", "good-no-card", copied)
put_json("block_card", "good-long-words", {**copied, "card": {"icon": "i" * 999, "help": "\x1b[2J" + "x" * 999}})
put_json("block_card", "bad-card", {**copied, "card": 7})
put_json("block_card", "bad-help", {**copied, "card": {"help": [1]}})
put_json("block_card", "bad-newer", {**copied, "netwright-graph": 2_000_000})
put_json("block_card", "bad-no-blocks", {"netwright-graph": 1, "network": {"nodes": [node(1, "ReLU", "relu1")]}, "card": {}})
put_json("block_card", "bad-in-itself",
         {**copied, "blocks": {"Stage": {"parameters": [], "network": chain(node(1, "BlockInput", "in"), node(2, "Block", "b", block="Stage"))}}})
put_json("block_card", "bad-undefined", {**copied, "blocks": {}})
put("block_card", "bad-no-json", b"{")
put_json("project", "bad-newer", {**small, "format": 2})
put_json("project", "bad-no-format", {"network": small["network"]})
put_json("project", "bad-ids-twice", {"format": 1, "network": {"nodes": [source, source]}})
put_json("project", "bad-to-nowhere", {"format": 1, "network": {"nodes": [source], "connections": [[1, 0, 9, 0]]}})
put_json("project", "bad-block-in-itself",
         {"format": 1, "blocks": {"A": {"parameters": [], "network": chain(node(1, "BlockInput", "in"), node(2, "Block", "b", block="A"))}}})
put_json("project", "bad-setting", {"format": 1, "training": {"epochs": 0}})
put_json("project", "bad-name", {"format": 1, "network": {"nodes": [node(1, "ReLU", "two words")]}})
put("project", "bad-key-twice", '{"format":1,"format":1}')
put("project", "bad-nested", '{"format":1,"x":' + "[" * 70 + "]" * 70 + "}")
put("project", "bad-nested-open", "[" * 500)
put("project", "bad-number", '{"format":1,"network":{"nodes":[{"id":1e400}]}}')
put("project", "bad-not-utf8", b'{"format":1,"\xff\xfe":0}')
put("project", "bad-half-pair", '{"format":1,"x":"\\ud800"}')
put("project", "bad-trailing", json.dumps(small) + "}")
put("project", "bad-empty", b"")

# ---- network: its text form ---------------------------------------------------------------------------------------------
put("network", "good-net", """images: Input
conv1: Conv2d out_channels=6 kernel_size=5x3
relu1: ReLU frozen
sum: Add <- relu1, conv1
fc: Linear bypassed  # a remark
loss: CrossEntropy label_smoothing=0.1
""")
put("network", "good-values", """a: Input
b: Concat <- a, _, a
c: Dropout p=0.5 note="say \\"x\\"\\n" list=[1,2,3]

d: ReLU <-
""")
put("network", "bad-quote", 'a: Conv2d p="x\n')
put("network", "bad-ring", "a: Input\nb: ReLU <- b\n")
put("network", "bad-type", "a: Input\nb: Relu\n")

# ---- run ------------------------------------------------------------------------------------------------------------------
run = {"schema": 1, "name": "mlp", "project": small, "data_dir": "/data/mnist", "data_hash": "00ff00ff00ff00ff", "mean": [0.1307],
       "deviation": [0.3081], "classes": ["0", "1"], "channels": 1, "height": 28, "width": 28, "choices": ["linear1: packed"],
       "version": "0.1.0", "created": 1.7e9}
put_json("run", "good-mlp", run)
put_json("run", "good-least", {"schema": 1, "name": "", "project": {"format": 1}})
put_json("run", "bad-newer", {**run, "schema": 2})
put_json("run", "bad-no-project", {"schema": 1, "name": "mlp"})
put_json("run", "bad-lengths", {**run, "mean": [0.1, 0.2]})
put_json("run", "bad-deviation", {**run, "deviation": [0]})
put_json("run", "bad-mean", {**run, "mean": ["0"]})
put_json("run", "bad-hash", {**run, "data_hash": "xyz"})
put_json("run", "bad-long-hash", {**run, "data_hash": "0" * 17})
put_json("run", "bad-height", {**run, "height": -1})
put_json("run", "bad-list", [])

# ---- event: a line of events.jsonl ----------------------------------------------------------------------------------------
text = {"source": "loss is {0} in {1}", "args": ["nan", "conv1"]}
gpu = {"name": "A", "utilization": 5, "memory_used_bytes": 1, "memory_total_bytes": 2, "power_w": 3, "temperature_c": 4}
bin_ = {"min": 0.5, "mean": 1, "max": "inf"}
events = {
    "started": {"time": 1.7e9, "name": "mlp", "device": "cpu", "epochs": 10, "steps_per_epoch": 938, "batch": 64, "parameters": 109386,
                "memory_bytes": 1000000, "train": 54000, "validation": 6000, "test": 10000, "pid": 42},
    "steps": {"last": 12, "count": 3, "epoch": 0.1, "loss": bin_, "accuracy": bin_, "learning_rate": 0.01, "images_per_s": 1e4, "grad_norm": "nan"},
    "epoch": {"epoch": 1, "step": 938, "train_loss": 0.3, "train_accuracy": 0.9, "has_validation": True, "validation_loss": 0.2,
              "validation_accuracy": 0.95, "seconds": 1.5, "images_per_s": 1e4, "best": True},
    "device": {"cpu": 50, "process_cpu": 40, "memory_used_bytes": 1e9, "memory_total_bytes": 2e9, "process_memory_bytes": 1e8, "gpus": [gpu, gpu]},
    "health": {"level": "error", "message": text, "step": 7},
    "knob": {"name": "learning_rate", "value": 0.001, "step": 5},
    "checkpoint": {"checkpoint": "step-00000938", "step": 938, "bytes": 12345, "best": False},
    "resumed": {"from_step": 938, "pid": 43, "time": 1.7e9},
    "paused": {"step": 5},
    "continued": {"step": 5},
    "ended": {"reason": "finished", "how": "finished", "message": text, "step": 9380, "wall_s": 12.5, "test_loss": "-inf", "test_accuracy": 0.98, "images_per_s": 1e4, "exit_code": 0},
}
figures = {"count": 4, "zeros": 1, "mean": 0.375, "deviation": 1.08253, "mean_abs": 0.875, "norm": 2.29129, "least": -1, "most": 2, "bins": [1] + 22 * [0] + [3]}
events["statistics"] = {"step": 938, "epoch": 1, "images": 64, "layers": [
    {"layer": "conv1", "weights": figures, "gradients": {**figures, "not_finite": 2}, "update_ratio": 0.001}, {"layer": "relu1", "outputs": figures, "units": 6, "dead": 2}]}
# as version 0.1 spelled them
old_events = {
    "device": {"cpu": 50, "own_cpu": 40, "memory_used_bytes": 1e9, "memory_total_bytes": 2e9, "own_memory_bytes": 1e8,
               "gpus": [{**gpu, "own_utilization": 7, "own_memory_bytes": 8}]},
    "health": {"level": "error", "what": text, "step": 7},
    "ended": {**events["ended"], "why": text},
}
for old, new in (("device", "process_cpu"), ("health", "message"), ("ended", "message"), ("ended", "reason")):
    old_events[old].pop(new, None)
for kind, fields in old_events.items():
    put_json("event", "good-old-" + kind, {"schema": 1, "type": kind, "t": 1.25, **fields})
for kind, fields in events.items():
    put_json("event", "good-" + kind, {"schema": 1, "type": kind, "t": 1.25, **fields})
put_json("event", "good-text-of-holes", {"type": "health", "t": 0, "level": "", "step": 0, "message": {"source": "{0} {9} {10} {} {x} {{", "args": []}})
put_json("event", "bad-bins", {"type": "statistics", "t": 0, "step": 1, "epoch": 1, "layers": [{"layer": "a", "weights": {**figures, "bins": [1, -2]}}]})
put_json("event", "bad-unknown", {"schema": 1, "type": "later", "t": 0})
put_json("event", "bad-newer", {"schema": 2, "type": "paused", "t": 0, "step": 1})
put_json("event", "bad-no-time", {"schema": 1, "type": "paused", "step": 1})
put_json("event", "bad-step", {"schema": 1, "type": "paused", "t": 0, "step": -1})
put_json("event", "bad-exit-code", {"schema": 1, "type": "ended", "t": 0, **events["ended"], "exit_code": 256})
put_json("event", "bad-list", [1])
put("event", "bad-nested", '{"type":' + "[" * 20)
put("event", "bad-half-line", '{"schema":1,"type":"pau')


# ---- message: 4 bytes length, JSON ----------------------------------------------------------------------------------------
def message(value):
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return struct.pack("<I", len(body)) + body


request = {"id": 1, "do": "open_data", "data": data, "data_dir": ""}
put("message", "good-open", message(request))
put("message", "good-two", message(request) + message({"id": 2, "do": "augmented", "data": {"kind": "mnist"}, "settings": settings, "count": 4}))
put("message", "bad-json", message(b"{") + message(request))
put("message", "bad-data", message({"id": 1, "do": "open_data", "data": {"kind": 5}}))
put("message", "bad-settings", message({"id": 1, "do": "augmented", "settings": []}))
put("message", "bad-list", message([]))
put("message", "bad-length", struct.pack("<I", 0xFFFFFFFF) + b"{}")
put("message", "bad-cut-short", message(request)[:-3])
put("message", "bad-half-length", b"\x02\x00")


# ---- safetensors ----------------------------------------------------------------------------------------------------------
def tensors(header, data=b""):
    body = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(body)) + body + data


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


put("safetensors", "good-two", tensors({"__metadata__": {"format": "pt"}, "w": tensor("F32", [2, 1], 0, 8), "b": tensor("U8", [3], 8, 11)}, bytes(11)))
put("safetensors", "good-scalar-and-nothing", tensors({"s": tensor("I64", [], 0, 8), "z": tensor("F16", [0, 5], 8, 8)}, bytes(8)))
put("safetensors", "good-none", tensors(b"{}   "))
put("safetensors", "bad-hole", tensors({"a": tensor("U8", [1], 0, 1), "b": tensor("U8", [1], 2, 3)}, bytes(3)))
put("safetensors", "bad-overlap", tensors({"a": tensor("U8", [2], 0, 2), "b": tensor("U8", [2], 1, 3)}, bytes(3)))
put("safetensors", "bad-tail", tensors({"a": tensor("U8", [1], 0, 1)}, bytes(2)))
put("safetensors", "bad-end", tensors({"a": tensor("U8", [9], 0, 9)}, bytes(1)))
put("safetensors", "bad-product", tensors({"a": tensor("F64", [1 << 62, 1 << 62], 0, 8)}, bytes(8)))
put("safetensors", "bad-negative", tensors({"a": tensor("U8", [-1], 0, 1)}, bytes(1)))
put("safetensors", "bad-backwards", tensors({"a": tensor("U8", [1], 2, 1)}, bytes(3)))
put("safetensors", "bad-dtype", tensors({"a": tensor("C64", [1], 0, 8)}, bytes(8)))
put("safetensors", "bad-twice", tensors(b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', bytes(1)))
put("safetensors", "bad-length", struct.pack("<Q", (1 << 64) - 1) + b"{}")
put("safetensors", "bad-short", b"\x02\0\0\0\0\0")


# ---- image_header: headers of image files---------------------------------------------------------------------------------
def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width, height):
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(2))) + chunk(b"IEND", b"")


jpeg_frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, 1, 1, 1) + b"\x01\x11\x00"
jpeg = b"\xff\xd8\xff\xe0" + struct.pack(">H", 4) + b"ab" + jpeg_frame + b"\xff\xda" + struct.pack(">H", 8) + b"\x01\x01\x00\x00\x3f\x00" + b"\x12\xff\x00\x34\xff\xd9"
bmp = b"BM" + struct.pack("<IIIIiiHHIIiiII", 58, 0, 54, 40, 1, -1, 1, 24, 0, 0, 0, 0, 0, 0) + b"\1\2\3\0"
core_bmp = b"BM" + struct.pack("<IIIIHHHH", 30, 0, 26, 12, 1, 1, 1, 24) + b"\1\2\3\0"
webp = b"RIFF" + struct.pack("<I", 22) + b"WEBPVP8L" + struct.pack("<I", 9) + b"\x2f\x00\x00\x00\x00" + bytes(5)
extended_webp = b"RIFF" + struct.pack("<I", 22) + b"WEBPVP8X" + struct.pack("<I", 10) + bytes(10)


def tiff(order, entries):
    mark = b"II*\0" if order == "<" else b"MM\0*"
    body = b"".join(struct.pack(order + "HHI", tag, 4, 1) + struct.pack(order + "I", value) for tag, value in entries)
    return mark + struct.pack(order + "I", 8) + struct.pack(order + "H", len(entries)) + body + bytes(4)


gif_screen = b"GIF89a" + struct.pack("<HHBBB", 4, 3, 0x80, 0, 0) + bytes(range(6))
gif_frame = b"," + struct.pack("<HHHHB", 1, 1, 2, 1, 0) + b"\2\2\x8c\x0b\0;"        # clear, colour 1, colour 0, end
gif = gif_screen + gif_frame

put("image_header", "good-png", png(1, 1))
put("image_header", "good-large-png", png(20000, 20000))
put("image_header", "good-jpeg", jpeg)
put("image_header", "good-jpeg-restart", jpeg.replace(b"\x34", b"\x34\xff\xd0\x35"))
put("image_header", "good-bmp", bmp)
put("image_header", "good-bmp-core", core_bmp)
put("image_header", "good-webp", webp)
put("image_header", "good-webp-extended", extended_webp)
put("image_header", "good-tiff", tiff("<", [(256, 3), (257, 2)]))
put("image_header", "good-tiff-big-endian", tiff(">", [(256, 3), (257, 2), (322, 0xFFFFFFFF), (323, 0xFFFFFFFF)]))
put("image_header", "good-gif", gif)
put("image_header", "good-gif-comment", gif_screen + b"!\xfe\2ab\0!\xf9\4\1\0\0\1\0" + gif_frame)
put("image_header", "good-gif-large", gif_screen + gif_frame[:1] + b"\xff" * 8 + gif_frame[9:])
put("image_header", "good-ppm", b"P6 #c\n2 1\n255\n\1\2\3\4\5\6")
put("image_header", "good-pbm-text", b"P1\n2 2\n01 10\n")
put("image_header", "good-pgm-large", b"P5 9999999999 9999999999 65535\n")
put("image_header", "bad-gif-cut-short", gif[:-3])
put("image_header", "bad-gif-blocks", gif_screen + b"!\xfe\xffab")
put("image_header", "bad-gif-colours", gif[:10] + b"\xf7" + gif[11:])
put("image_header", "bad-pgm-cut-short", b"P5 2 2 65535\n\1\2\3\4\5\6\7")
put("image_header", "bad-pgm-text-cut-short", b"P2 200000 200000 9 1 2 3 4")
put("image_header", "bad-png-cut-short", png(1, 1)[:-12])
put("image_header", "bad-png-long-chunk", png(1, 1).replace(b"\0\0\0\x0d", b"\xff\xff\xff\xff", 1))
put("image_header", "bad-jpeg-cut-short", jpeg[:-2])
put("image_header", "bad-jpeg-segment", jpeg.replace(b"\x00\x04ab", b"\xff\xffab"))
put("image_header", "bad-bmp-cut-short", bmp[:-2])
put("image_header", "bad-webp-cut-short", webp[:-6])
put("image_header", "bad-tiff-directory", b"II*\0\xff\xff\xff\xff")
put("image_header", "bad-text", "this is a text file")
put("image_header", "bad-empty", b"")

# ---- jpeg: decoded by libjpeg; the quantization is 1, each code table has one code: "0" for 0 or the end of a block ----------
def jpeg_segment(marker, content):
    return bytes([0xff, marker]) + struct.pack(">H", len(content) + 2) + content


def gray_jpeg(width, height, sampling=(0x11,), frame=0xc0, scan=(0, 63, 0), bits=2, restart=0):
    """Every block is gray, and codes of as many bits as are given describe it."""
    across, down = max(s >> 4 for s in sampling), max(s & 15 for s in sampling)
    units = -(-width // (8 * across)) * -(-height // (8 * down))
    blocks = sum((s >> 4) * (s & 15) for s in sampling) if len(sampling) > 1 else 1
    code = "0" * (units * blocks * bits)
    code += "1" * (-len(code) % 8)
    one_code = bytes([1]) + bytes(15) + b"\0"
    parts = [jpeg_segment(0xdb, b"\0" + bytes([1]) * 64)]
    parts.append(jpeg_segment(frame, struct.pack(">BHHB", 8, height, width, len(sampling))
                              + b"".join(bytes([i + 1, s, 0]) for i, s in enumerate(sampling))))
    parts += [jpeg_segment(0xc4, bytes([table]) + one_code) for table in (0x00, 0x10)]
    parts.append(jpeg_segment(0xdd, struct.pack(">H", restart)) if restart else b"")
    parts.append(jpeg_segment(0xda, bytes([len(sampling)]) + b"".join(bytes([i + 1, 0]) for i in range(len(sampling)))
                              + bytes(scan)))
    return b"\xff\xd8" + b"".join(parts) + int(code, 2).to_bytes(len(code) // 8, "big") + b"\xff\xd9"


gray = gray_jpeg(8, 8)
put("jpeg", "good-gray", gray)
put("jpeg", "good-colours", gray_jpeg(17, 9, (0x22, 0x11, 0x11)))
put("jpeg", "good-inks", gray_jpeg(3, 5, (0x11,) * 4))
put("jpeg", "good-progressive", gray_jpeg(20, 20, frame=0xc2, scan=(0, 0, 0), bits=1))
put("jpeg", "bad-other-size-first", gray[:2] + jpeg_segment(0xc0, struct.pack(">BHHB", 8, 60000, 60000, 1) + b"\1\x11\0") + gray[2:])
put("jpeg", "bad-no-tables", gray[:2] + gray[gray.index(b"\xff\xc0"):])
put("jpeg", "bad-two-components-of-one-name", gray_jpeg(8, 8, (0x11, 0x11, 0x11)).replace(b"\2\x11", b"\1\x11"))
put("jpeg", "bad-cut-short", gray[:-3])
put("jpeg", "bad-sampling", gray_jpeg(8, 8, (0x11,)).replace(b"\1\x11\0", b"\1\x51\0"))

# ---- pixels: GIF and PNM decoded ------------------------------------------------------------------------------------------
put("pixels", "good-gif", gif)
put("pixels", "good-gif-comment", gif_screen + b"!\xfe\2ab\0!\xf9\4\1\0\0\1\0" + gif_frame)
put("pixels", "good-gif-interlaced", gif_screen + b"," + struct.pack("<HHHHB", 0, 0, 1, 2, 0x40) + gif_frame[10:])
put("pixels", "good-gif-own-colours", gif_screen + b"," + struct.pack("<HHHHB", 0, 0, 2, 1, 0x80) + bytes(6) + gif_frame[10:])
put("pixels", "bad-gif-few-pixels", gif_screen + b"," + struct.pack("<HHHHB", 1, 1, 2, 2, 0) + gif_frame[10:])
put("pixels", "bad-gif-cut-short", gif[:-3])
put("pixels", "bad-gif-code-size", gif.replace(b"\2\2\x8c", b"\x0b\2\x8c"))
put("pixels", "bad-gif-no-picture", gif_screen + b";")
for kind, values in ((1, b"01 1\n0"), (2, b"0 9 #x\n5 1"), (3, b"1 2 3 4 5 6 7 8 9 0 1 2"), (4, b"\x80\x40"), (5, b"abcd"), (6, b"abcdefghijkl")):
    highest = b"" if kind in (1, 4) else b"\n255" if kind > 3 else b"\n9"
    put("pixels", f"good-p{kind}", b"P%d\n2 2" % kind + highest + b"\n" + values)
    put("pixels", f"bad-p{kind}-cut-short", b"P%d\n2 2" % kind + highest + b"\n" + values[:1])
put("pixels", "good-p5-wide", b"P5 1 2 1023\n\xff\xff\0\1")
put("pixels", "bad-p2-value", b"P2 1 1 9 10")
put("pixels", "bad-p2-huge", b"P2 4000 4000 9 " + b"1 " * 100)
put("pixels", "bad-other", png(1, 1))

# ---- image: every format, decoded; two by two pixels as OpenCV writes them ------------------------------------------------------
lossless = "5249464628000000574542505650384c1b0000002f014000001f700a9ea3f00ccffc07de1dc8062853855944ff630700"
lossy = "524946463600000057454250565038202a000000b001009d012a0200020002c04c25004e8021dfc05d8000fe6c0b5e7222faf6fcac309827529b72b80000"
packed_tiff = ("49492a001400000028140064503ca08c78dcc8b40b0000010300010000000200000001010300010000000200000002010300030000009e0000000301030001"
               "0000000100000006010300010000000200000011010400010000000800000015010300010000000300000016010300010000000200000017010400010000"
               "000c0000001c01030001000000010000005301030003000000a400000000000000080008000800010001000100")
deep_png = ("89504e470d0a1a0a0000000d4948445200000002000000021000000000074d8ebb0000001249444154081d63646050d660740b50d600000474012fef4cce82"
            "0000000049454e44ae426082")
put("image", "good-webp-lossless", bytes.fromhex(lossless))
put("image", "good-webp-lossy", bytes.fromhex(lossy))
put("image", "good-tiff", bytes.fromhex(packed_tiff))
put("image", "good-png", png(1, 1))
put("image", "good-png-deep", bytes.fromhex(deep_png))
put("image", "good-bmp", bmp)
put("image", "good-bmp-core", core_bmp)
put("image", "good-jpeg", gray)
put("image", "good-gif", gif)
put("image", "good-pgm", b"P5 2 2 255\n\0\1\2\3")
put("image", "bad-webp-cut-short", bytes.fromhex(lossy)[:-9])
put("image", "bad-tiff-no-strips", bytes.fromhex(packed_tiff).replace(b"\x11\1\4\0", b"\x12\1\4\0"))
put("image", "bad-bmp-no-pixels", bmp[:54])
put("image", "bad-png-checksum", png(1, 1)[:-1] + b"\0")
put("image", "bad-other", b"%PDF-1.4")
put("image", "bad-empty", b"")

# ---- archive: .zip, .tar, .tar.gz ------------------------------------------------------------------------------------------
def tar_of(entries, kind=tarfile.USTAR_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=kind) as tar:
        for name, content, entry_type in entries:
            info = tarfile.TarInfo(name)
            info.type, info.size = entry_type, len(content)
            info.linkname = "/etc/passwd" if entry_type in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            tar.addfile(info, io.BytesIO(content))
    whole = out.getvalue()
    return whole[:len(whole.rstrip(b"\0")) // 512 * 512 + 1536]     # keeps two empty blocks at the end, which the format requires


def zip_of(entries, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        for name, content in entries:
            z.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, method)
    return out.getvalue()


files = [("train/cat/1.bmp", b"BM" + bytes(60), tarfile.REGTYPE), ("train/dog/", b"", tarfile.DIRTYPE), ("train/dog/2.bmp", bytes(range(64)), tarfile.REGTYPE)]
odd = [("../evil.bmp", b"x", tarfile.REGTYPE), ("/etc/evil.bmp", b"x", tarfile.REGTYPE), ("cat/link.bmp", b"", tarfile.SYMTYPE), ("cat/hard.bmp", b"", tarfile.LNKTYPE),
       ("cat/device.bmp", b"", tarfile.CHRTYPE), ("cat/pipe.bmp", b"", tarfile.FIFOTYPE)]
zipped = zip_of([(n, c) for n, c, t in files if t == tarfile.REGTYPE])
put("archive", "good-tar", tar_of(files))
put("archive", "good-tar-of-long-names", tar_of([("a/" * 80 + "1.bmp", b"x", tarfile.REGTYPE), ("\u732b/1.bmp", b"x", tarfile.REGTYPE)], tarfile.PAX_FORMAT))
put("archive", "good-tar-gz", gzip.compress(tar_of(files), mtime=0))
put("archive", "good-odd-entries", gzip.compress(tar_of(odd + files), mtime=0))
put("archive", "good-zip", zipped)
put("archive", "good-zip-stored", zip_of([(n, c) for n, c, t in files + odd if t == tarfile.REGTYPE], zipfile.ZIP_STORED))
put("archive", "good-zip-wrong-checksum", zipped.replace(struct.pack("<I", zlib.crc32(files[2][1])), b"\1\2\3\4"))
put("archive", "good-zip-encrypted", zipped.replace(b"PK\1\2\x14\x03\x14\0\0\0", b"PK\1\2\x14\x03\x14\0\1\0"))
put("archive", "bad-empty", b"")
put("archive", "bad-text", b"this is a text file, " * 40)
put("archive", "bad-tar-cut-short", tar_of(files)[:2080])
put("archive", "bad-tar-gz-cut-short", gzip.compress(tar_of(files), mtime=0)[:-9])
put("archive", "bad-tar-gz-checksum", gzip.compress(tar_of(files), mtime=0)[:-8] + b"\1\2\3\4" + struct.pack("<I", len(tar_of(files))))
put("archive", "bad-zip-cut-short", zipped[:-30])
put("archive", "bad-bomb", gzip.compress(tar_of([("cat/1.bmp", bytes(4 << 20), tarfile.REGTYPE)]), mtime=0))

# ---- path_table: a byte of settings, a table ------------------------------------------------------------------------------
put("path_table", "good-plain", b"\0path,label\na.png,cat\nb/c.jpg,dog\n")
put("path_table", "good-by-endings", b"\0what;where\n7;a.png\n12;../b.png\n")
put("path_table", "good-column", b"\1id,image,kind\n1,a.png,cat\n2,b.png,dog\n")
put("path_table", "good-test", b"\2file\tlabel\n\"a \"\"b\"\".png\"\t1\n")
put("path_table", "good-labels", b"\x04file,label\na.png,cat|dog\nb.png,\n")
put("path_table", "good-values", b"\x1efile,a,b\na.png,1,2.5\nb.png,-3,4\n")
put("path_table", "bad-values", b"\x0cfile,label\na.png,cat\n")
put("path_table", "bad-empty", b"\0")
put("path_table", "bad-header-only", b"\0path,label\n")
put("path_table", "bad-pixels", b"\0label,a,b\n1,2,3\n")
put("path_table", "bad-cells", b"\0path,label\na.png\n")
put("path_table", "bad-fractions", b"\0path,label\na.png,0.5\n")
put("path_table", "bad-no-label", b"\0path,x,y\na.png,1,2\n")
put("path_table", "bad-no-path", b"\0path,label\n,1\n")

# ---- coco -----------------------------------------------------------------------------------------------------------------
pictures = [{"id": 7, "file_name": "a.jpg"}, {"id": 3, "file_name": "b.jpg"}]
kinds = [{"id": 90, "name": "dog"}, {"id": 2, "name": "cat"}]
one = {"image_id": 7, "category_id": 90}
put_json("coco", "good-two", {"images": pictures, "annotations": [one, {"image_id": 3, "category_id": 2, "bbox": [1, 2, 3, 4]}], "categories": kinds})
put_json("coco", "good-unmarked", {"images": pictures, "annotations": [one, one], "categories": kinds})
put_json("coco", "bad-several", {"images": pictures, "annotations": [one, {"image_id": 7, "category_id": 2}], "categories": kinds})
put_json("coco", "bad-image", {"images": pictures, "annotations": [{"image_id": 1, "category_id": 2}], "categories": kinds})
put_json("coco", "bad-category", {"images": pictures, "annotations": [{"image_id": 7, "category_id": 1}], "categories": kinds})
put_json("coco", "bad-id", {"images": [{"id": -1, "file_name": "a"}], "annotations": [], "categories": kinds})
put_json("coco", "bad-twice", {"images": pictures + pictures, "annotations": [one], "categories": kinds})
put_json("coco", "bad-nothing", {"images": [], "annotations": [], "categories": []})
put_json("coco", "bad-list", [1, 2])
put("coco", "bad-json", '{"images":[')

# ---- voc ------------------------------------------------------------------------------------------------------------------
put("voc", "good-list", "000001  1\n000002 -1\r\n\n2008_000003\t0")
put("voc", "bad-mark", "000001 2\n")
put("voc", "bad-no-mark", "000001\n")
put("voc", "bad-words", "000001 1 1\n")
put("voc", "bad-path", "../../etc/passwd 1\n")
put("voc", "bad-empty", "")

# ---- pack: a byte, a pack of decoded images ---------------------------------------------------------------------------------
def xxh3(content):
    return f"{xxh3_64(content):016x}"


def pack_set(count, channels, height, width, labels, pixels, targets=b"", **other):
    entry = {"count": count, "channels": channels, "height": height, "width": width, "origins": ["image.png"], "targets": len(targets) // 4 // count if targets else 0,
             "labels_xxh3": xxh3(labels), "targets_xxh3": xxh3(targets), "pixels_xxh3": xxh3(pixels)}
    return {**entry, **other}


def pack(sets, parts, key="key", **other):
    header = json.dumps({"key": key, "classes": ["a", "b"], "target_kind": "classes", "target_names": [], "validation_from": -1, "warnings": [{"source": "{0}", "args": ["x"]}], "unreadable": 0, "description": "d", "place": "p", "sets": sets,
                         "skipped_files": [{"unreadable": True, "test_set": False, "file": "a/1.png", "reason": "is cut short"}], **other}).encode()
    out = b"NWPACK4\n" + struct.pack("<QQ", len(header), xxh3_64(header)) + header
    for part in parts:
        out += bytes(-len(out) % 64) + part
    return b"\0" + out


class_numbers, colours = struct.pack("<qq", 0, 1), bytes(range(24))
whole = pack([pack_set(2, 3, 2, 2, class_numbers, colours)], [class_numbers, colours])
put("pack", "good-one-set", whole)
put("pack", "good-two-sets", pack([pack_set(2, 3, 2, 2, class_numbers, colours), pack_set(1, 3, 2, 4, class_numbers[:8], colours)], [class_numbers, colours, class_numbers[:8], colours]))
put("pack", "good-sum-put-right", b"\1" + whole[1:17] + bytes(8) + whole[25:])
two_numbers = struct.pack("<4f", 1.5, -2, 0, 4)
put("pack", "good-values", pack([pack_set(2, 3, 2, 2, class_numbers, colours, two_numbers)], [class_numbers, two_numbers, colours], target_kind="values", target_names=["x", "y"], validation_from=1))
put("pack", "bad-target-names", pack([pack_set(2, 3, 2, 2, class_numbers, colours, two_numbers)], [class_numbers, two_numbers, colours], target_kind="values", target_names=["x"]))
put("pack", "bad-validation", pack([pack_set(2, 3, 2, 2, class_numbers, colours)], [class_numbers, colours], validation_from=3))
put("pack", "bad-sum", whole[:17] + bytes(8) + whole[25:])
put("pack", "bad-magic", whole[:1] + b"NWPACK3\n" + whole[9:])
put("pack", "bad-cut-short", whole[:-1])
put("pack", "bad-pixel", whole[:-1] + b"\xff")
put("pack", "bad-length", whole[:9] + b"\xff" * 8 + whole[17:])
put("pack", "bad-key", pack([pack_set(2, 3, 2, 2, class_numbers, colours)], [class_numbers, colours], key="other"))
put("pack", "bad-count", pack([pack_set(1 << 39, 3, 2, 2, class_numbers, colours)], [class_numbers, colours]))
put("pack", "bad-product", pack([pack_set(1 << 39, 4096, 1 << 20, 1 << 20, class_numbers, colours)], [class_numbers, colours]))
put("pack", "bad-no-set", pack([], []))
put("pack", "bad-warnings", pack([pack_set(2, 3, 2, 2, class_numbers, colours)], [class_numbers, colours], warnings=[7]))
put("pack", "bad-skipped-files", pack([pack_set(2, 3, 2, 2, class_numbers, colours)], [class_numbers, colours], skipped_files=[{"file": 7}]))
put("pack", "bad-empty", b"")

# ---- probes: a byte, a run's tracked samples ----------------------------------------------------------------------------------
def summed(content):
    return content + struct.pack("<Q", xxh3_64(content))


def probes_header(images=2, classes=3, channels=1, height=2, width=2, split=1, every=25, first_label=0):
    head = b"NWPROBE1" + struct.pack("<8I", images, classes, channels, height, width, split, every, 0)
    return summed(head + struct.pack("<4q", 4, first_label, 9, 2) + bytes(range(8)))


def probes_record(step, predicted=1, confidence=0.75):
    return summed(struct.pack("<q", step) + struct.pack("<iff", predicted, confidence, 0.25) + struct.pack("<iff", 2, 1.0, 1.0))


records = probes_record(0) + probes_record(25) + probes_record(50)
put("probes", "good-three", b"\0" + probes_header() + records)
put("probes", "good-none", b"\0" + probes_header())
put("probes", "good-torn", b"\0" + probes_header() + records[:-3])
put("probes", "good-sums-put-right", b"\1" + probes_header()[:-8] + bytes(8) + records[:-8] + bytes(8))
put("probes", "bad-sum", b"\0" + probes_header() + records[:-1] + b"\0")
put("probes", "bad-magic", b"\0" + b"NWPROBE2" + probes_header()[8:] + records)
put("probes", "bad-class", b"\0" + probes_header() + probes_record(0, predicted=3))
put("probes", "bad-share", b"\0" + probes_header() + probes_record(0, confidence=float("nan")))
put("probes", "bad-label", b"\0" + probes_header(first_label=3))
put("probes", "bad-order", b"\0" + probes_header() + probes_record(25) + probes_record(25))
put("probes", "bad-count", b"\0" + probes_header(images=0xFFFFFFFF))
put("probes", "bad-side", b"\0" + probes_header(height=1 << 31))
put("probes", "bad-split", b"\0" + probes_header(split=3))
put("probes", "bad-every", b"\0" + probes_header(every=0))
put("probes", "bad-empty", b"")
# ---- split_table: one byte, then a table of paths and splits --------------------------------------------------------------
everybody = "cat/1.jpg,train\ndog/1.jpg,val\ncat/2.jpg,Test\ndeep/3.jpg,none\n"
put("split_table", "good-csv", b"\1path,split\n" + everybody.encode())
put("split_table", "good-tabs", b"\0part\tfile\ntrain\tcat/1.jpg\ntrain\t1.jpg\n\tcat/2.jpg\nvalid\t3.jpg\n")
put("split_table", "bad-test-not-allowed", b"\0path,split\n" + everybody.encode())
put("split_table", "bad-heading", b"\1image,where\ncat/1.jpg,train\n")
put("split_table", "bad-unknown-part", b"\1path,split\ncat/1.jpg,later\n")
put("split_table", "bad-somebody-missing", b"\1path,split\ncat/1.jpg,train\n")
put("split_table", "bad-twice", b"\1path,split\ncat/1.jpg,train\ncat/1.jpg,val\n")
put("split_table", "bad-quote-left-open", b"\1path,split\n\"cat/1.jpg,train\n")
put("split_table", "bad-empty", b"\1")

# ---- tar: headers of 512 bytes and files padded to 512 --------------------------------------------------------------------
def tar_head(name, size, kind=b"0", sum_right=True):
    head = bytearray(512)
    head[0:len(name)] = name
    head[100:107] = b"0000644"
    head[124:124 + len(size)] = size
    head[148:156] = b" " * 8
    head[156:157] = kind
    head[148:155] = b"%06o\0" % (sum(head) + (0 if sum_right else 1))
    return bytes(head)

def tar_of(*files):
    return b"".join(tar_head(n, b"%011o" % len(b)) + b + bytes(-len(b) % 512) for n, b in files) + bytes(1024)

put("tar", "good-two", tar_of((b"set/a.bin", b"a" * 700), (b"b.bin", b"bb")))
put("tar", "good-without-end", tar_of((b"a.bin", b"aaa"))[:-1024])
put("tar", "good-dots", tar_of((b"../../a.bin", b"aaa")))
put("tar", "bad-links-only", tar_head(b"a", b"%011o" % 0, b"2") + bytes(1024))
put("tar", "bad-sum", tar_head(b"a", b"%011o" % 0, sum_right=False) + bytes(1024))
put("tar", "bad-size-beyond-end", tar_head(b"a", b"77777777777") + bytes(1024))
put("tar", "bad-size-negative", tar_head(b"a", b"-0000000001") + bytes(1024))
put("tar", "bad-size-base-256", tar_head(b"a", b"\x80" + bytes(10) + b"\1") + bytes(1024))
put("tar", "bad-cut-in-head", tar_of((b"a.bin", b"aaa"))[:300])
put("tar", "bad-empty", b"")


# ---- onnx, onnx_file: protobuf messages (https://protobuf.dev/programming-guides/encoding/) --------------------------------
def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def onnx_tensor(name, dims, values, kind=1):
    raw = b"".join(struct.pack("<f" if kind == 1 else "<q", v) for v in values)
    return b"".join(number(1, d) for d in dims) + number(2, kind) + part(8, name) + part(9, raw)


def onnx_node(op, inputs, outputs, name="", attributes=b"", domain=""):
    return part(1, b"".join(part(1, i) for i in inputs) + b"".join(part(2, o) for o in outputs) + part(3, name or op)
                + part(4, op) + attributes + (part(7, domain) if domain else b""))


def onnx_value(name, dims):
    shape = b"".join(part(1, number(1, d) if d >= 0 else part(2, "N")) for d in dims)
    return part(1, name) + part(2, part(1, number(1, 1) + part(2, shape)))


def onnx_ints(name, values):
    return part(5, part(1, name) + b"".join(number(8, v) for v in values) + number(20, 7))


def onnx_int(name, value):
    return part(5, part(1, name) + number(3, value) + number(20, 2))


def onnx_model(nodes, tensors, opset=17, dims=(-1, 1, 4, 4), output="y"):
    graph = (b"".join(nodes) + part(2, "g") + b"".join(part(5, t) for t in tensors) + part(11, onnx_value("x", dims))
             + part(12, onnx_value(output, (-1, 2))))
    return number(1, 8) + part(2, "corpus") + part(8, part(1, "") + number(2, opset)) + part(7, graph)


fc = onnx_tensor("fc.weight", [2, 16], [0.5] * 32)
flat = [onnx_node("Flatten", ["x"], ["f"]), onnx_node("Gemm", ["f", "fc.weight"], ["y"], attributes=onnx_int("transB", 1))]
plumbing = [onnx_node("Shape", ["x"], ["s"]), onnx_node("Gather", ["s", "zero"], ["n"]),
            onnx_node("Unsqueeze", ["n", "zeros"], ["u"]), onnx_node("Concat", ["u", "rest"], ["to"], attributes=onnx_int("axis", 0)),
            onnx_node("Reshape", ["x", "to"], ["f"]), flat[1]]
conv = [onnx_node("Conv", ["x", "c.weight"], ["c"], "/layer1/layer1.0/conv/Conv", onnx_ints("kernel_shape", [1, 1])),
        onnx_node("BatchNormalization", ["c", "one", "one", "one", "one"], ["b"], "/layer1/layer1.0/bn/BatchNormalization"),
        onnx_node("Relu", ["b"], ["r"], "/layer1/layer1.0/relu/Relu"), onnx_node("Flatten", ["r"], ["f"]), flat[1]]
one = onnx_tensor("one", [1], [1.0])
sizes = [onnx_tensor("zero", [], [0], 7), onnx_tensor("zeros", [1], [0], 7), onnx_tensor("rest", [1], [-1], 7)]
keras = [onnx_node("Transpose", ["x"], ["t"], attributes=onnx_ints("perm", [0, 3, 1, 2])), onnx_node("Relu", ["t"], ["r"]),
         onnx_node("Transpose", ["r"], ["q"], attributes=onnx_ints("perm", [0, 2, 3, 1])), onnx_node("Flatten", ["q"], ["f"]), flat[1]]
for reader in ("onnx", "onnx_file"):
    put(reader, "good-linear", onnx_model(flat, [fc]))
    put(reader, "good-plumbing", onnx_model(plumbing, [fc] + sizes))
    put(reader, "good-blocks", onnx_model(conv, [fc, onnx_tensor("c.weight", [1, 1, 1, 1], [2.0]), one]))
    put(reader, "good-channels-last", onnx_model(keras, [fc], dims=(-1, 4, 4, 1)))
    put(reader, "bad-empty", b"")
    put(reader, "bad-zip", b"PK\x03\x04" + bytes(60))
    put(reader, "bad-length", b"\x3a\xff\xff\xff\xff\x0f")
    put(reader, "bad-bytes", onnx_model(flat, [part(8, "fc.weight") + number(1, 9) + number(2, 1) + part(9, bytes(8))]))
    put(reader, "bad-external", onnx_model(flat, [number(1, 2) + number(1, 16) + number(2, 1) + part(8, "fc.weight")
                                                  + number(14, 1) + part(13, part(1, "location") + part(2, "/etc/passwd"))]))
put("onnx", "good-opaque-operator", onnx_model([onnx_node("NonZero", ["x"], ["f"]), flat[1]], [fc]))
put("onnx", "good-opaque-domain", onnx_model([onnx_node("Flatten", ["x"], ["f"], domain="com.mathworks"), flat[1]], [fc]))
put("onnx", "bad-order", onnx_model(flat[::-1], [fc]))


# ---- arrays: length of the JSON, JSON, payload ----------------------------------------------------------------------------
def arrays(about, payload):
    text = json.dumps({"arrays": about}).encode()
    return struct.pack("<H", len(text)) + text + payload


numbers = struct.pack("<4i", 1, 2, 3, 4)
put("arrays", "good-two", arrays({"label": {"type": "i32", "count": 2, "at": 0}, "x": {"type": "f64", "count": 1, "at": 8}}, numbers))
put("arrays", "good-none", arrays({"label": {"type": "i64", "count": 0, "at": 0}}, b""))
put("arrays", "bad-beyond", arrays({"label": {"type": "i32", "count": 5, "at": 0}}, numbers))
put("arrays", "bad-overflow", arrays({"label": {"type": "f64", "count": 2 ** 61, "at": 8}}, numbers))
put("arrays", "bad-before", arrays({"label": {"type": "i32", "count": 1, "at": -4}}, numbers))
put("arrays", "bad-type", arrays({"label": {"type": "u9", "count": 1, "at": 0}}, numbers))
put("arrays", "bad-words", arrays({"label": "all"}, numbers))

# ---- control: whose message, bytes on the socket --------------------------------------------------------------------------
for name, request in {"status": b"status\n", "set": b"set learning_rate 0.001\n", "two": b"pause\nstop\n", "zeros": b"\0\xff\n"}.items():
    put("control", f"good-ask-{name}", b"\0" + request)
put("control", "bad-ask-no-line", b"\0status")
put("control", "bad-ask-nothing", b"\0")
put("control", "good-answer", b"\1ok\n")
put("control", "good-answer-status", b'\1{"step":3,"epoch":1,"paused":false,"stopping":false}\n')
put("control", "bad-answer-no-line", b"\1ok")
put("control", "bad-answer-error", b"\1error: \x1b[2J no\n")
put("control", "bad-answer-long", b"\1" + b"x" * 70000)

# ---- http: options, response ----------------------------------------------------------------------------------------------
put("http", "good-whole", b'\0HTTP/1.1 200 OK\r\nETag: "a1"\r\n\r\nbytes of a file')
put("http", "good-rest", b"\3HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 8-15/16\r\n\r\n87654321")
put("http", "good-from-its-start", b"\3HTTP/1.1 200 OK\r\n\r\n1234567812345678")
put("http", "bad-other-range", b"\3HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 4-15/16\r\n\r\n567887654321")
put("http", "bad-huge", b"\3HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 8-15/9223372036854775807\r\n\r\n87654321")
put("http", "bad-negative", b"\1HTTP/1.1 206 Partial Content\r\nContent-Range: bytes -8-15/16\r\n\r\n87654321")
put("http", "bad-too-much", b"\2HTTP/1.1 200 OK\r\n\r\n" + b"x" * 17)
put("http", "bad-status", b"\0HTTP/1.1 404 Not Found\r\n\r\nnothing")
put("http", "bad-no-http", b"\0hello")

# ---- run_query: a condition on runs ---------------------------------------------------------------------------------------
put("run_query", "good-comparison", 'best_accuracy > 98% and (optimizer = sgd or not tags ~ "wide")')
put("run_query", "good-words", "lenet not vgg")
put("run_query", "good-empty", " ")
put("run_query", "bad-quotation", 'run = "lenet')
put("run_query", "bad-parenthesis", "(a or b")
put("run_query", "bad-depth", "(" * 200 + "a" + ")" * 200)
put("run_query", "bad-length", "a" * 3000)

# ---- run_record: a record of the index of runs ----------------------------------------------------------------------------
put("run_record", "bad-empty", b"")
put("run_record", "bad-version", struct.pack("<I", 99) + bytes(400))
put("run_record", "bad-length", struct.pack("<IQ", 4, 1 << 60) + bytes(400))
put("run_record", "good-zeros", struct.pack("<I", 4) + bytes(253))

# ---- run_file: which file, its bytes --------------------------------------------------------------------------------------
empty = {name: {"bytes": 0, "xxh3": f"{xxh3_64(b''):016x}"} for name in ("model.safetensors", "optimizer.safetensors", "state.json")}
manifest = json.dumps({"schema": 1, "step": 1, "files": empty}).encode()
put("run_file", "good-manifest", b"\0" + manifest)
put("run_file", "bad-manifest-size", b"\0" + manifest.replace(b'"bytes": 0', b'"bytes": 9', 1))
put("run_file", "bad-manifest-sum", b"\0" + manifest.replace(b'"xxh3": "', b'"xxh3": "0', 1))
put("run_file", "bad-manifest-list", b'\0{"schema":1,"files":[]}')
put("run_file", "bad-manifest-newer", b"\0" + manifest.replace(b'"schema": 1', b'"schema": 2'))
state = {"schema": 1, "step": 3, "epoch": 1, "batch": 2, "loss_sum": 1.5, "correct": 4, "samples": 8, "seconds": 0.1,
         "learning_rate": -1.0, "best_accuracy": 0.5, "best_loss": 1.0, "best_epoch": 1, "train_samples": 8, "trained_s": 0.1,
         "images": 8, "loss_scale": 1.0, "good_steps": 0}
put("run_file", "good-state", b"\1" + json.dumps(state).encode())
put("run_file", "bad-state-negative", b"\1" + json.dumps({**state, "step": -1}).encode())
put("run_file", "bad-state-word", b"\1" + json.dumps({**state, "loss_sum": "x"}).encode())
put("run_file", "bad-state-list", b"\1[]")
put("run_file", "bad-statistics", b"\2" + b'{"schema":1,"type":"statistics"}\n')
put("run_file", "good-notes", b"\3" + json.dumps({"schema": 1, "name": "a run", "notes": "two\nlines", "tags": ["x"]}).encode())
put("run_file", "bad-notes-control", b"\3" + json.dumps({"schema": 1, "name": "\x1b[2J", "notes": "", "tags": []}).encode())
put("run_file", "bad-notes-tags", b"\3" + json.dumps({"schema": 1, "name": "", "notes": "", "tags": ["a"] * 99}).encode())
put("run_file", "good-losses", b"\4NWLOSS1\n\1\0\0\0\0\0\0\0" + struct.pack("<2f", 1.5, 0.5))
put("run_file", "bad-losses-stride", b"\4NWLOSS1\n\3\0\0\0\0\0\0\0")
put("run_file", "good-latest", b"\5step-00000001\n")
put("run_file", "latest-climbs", b"\5../../etc\n")

# ---- transform: words -----------------------------------------------------------------------------------------------------
put("transform", "good-default", "RandomRotation")
put("transform", "good-two", "RandomAffine:degrees=5,translate=0.1")
for name, words in {"unknown": "RandomDance", "beyond": "RandomRotation:degrees=1e9", "no-number": "RandomRotation:degrees=x",
                    "nan": "RandomRotation:degrees=nan", "no-such": "RandomRotation:x=1", "nothing": ""}.items():
    put("transform", f"bad-{name}", words)

# ---- space of a search ----------------------------------------------------------------------------------------------------
rate = {"name": "learning_rate", "type": "real", "low": 1e-4, "high": 0.1, "log": True}
width = {"name": "conv1.out_channels", "type": "int", "low": 4, "high": 33, "step": 8, "sets": ["conv1.out_channels", "fc1.out_features"]}
rule = {"name": "optimizer", "type": "choice", "values": ["sgd", "adam", 3, True, [3, 5]]}
momentum = {"name": "optimizer.momentum", "type": "real", "low": 0, "high": 0.95, "when": {"optimizer": ["sgd", 3]}}
space = {"parameters": [rate, width, rule, momentum]}
put_json("space", "good-all", space)
put_json("space", "good-format", {"format": 1, "parameters": [{**width, "step": 2, "log": True}]})
put_json("space", "good-fixed", {"parameters": [{**rate, "low": 0.1}]})
for name, parameters in {"none": [], "backwards": [{**rate, "low": 1}], "twice": [rate, rate], "orphan": [momentum],
                         "step": [{**width, "step": 0}], "half": [{**width, "low": 4.5}], "unknown": [{**rate, "hihg": 1}],
                         "zero-log": [{**rate, "low": 0}], "object": [{**rule, "values": [{}]}], "word": ["x"]}.items():
    put_json("space", f"bad-{name}", {"parameters": parameters})
put_json("space", "bad-newer", {**space, "format": 2})

# ---- study: lines of a journal --------------------------------------------------------------------------------------------
def journal(*records):
    return "".join(json.dumps({"schema": 1, **r}, separators=(",", ":")) + "\n" for r in records)


begins = {"type": "study", "name": "net", "project": "00ff", "space": space, "objectives": ["accuracy:max"], "sampler": "tpe",
          "pruner": "asha", "seed": 7, "epochs": 9, "first_rung": 1, "reduction": 3, "time": 1}
goes_on = {"type": "process", "trials": 4}
point = {"learning_rate": 0.01, "conv1.out_channels": 12, "optimizer": "adam"}
trial = {"type": "trial", "trial": 0, "parameters": point, "to_epoch": 1, "run": "trial-0000"}
report = {"type": "report", "trial": 0, "epoch": 1, "value": 0.5}
ends = {"type": "trial_ended", "trial": 0, "state": "complete", "values": [0.5]}
put("study", "good-begun", journal(begins))
put("study", "good-paused", journal(begins, goes_on, trial, report, {"type": "paused", "trial": 0}))
put("study", "good-complete", journal(begins, goes_on, trial, report, ends, {"type": "process_ended", "how": "finished"}))
put("study", "good-two", journal({**begins, "objectives": ["accuracy:max", "parameters:min"], "pruner": "none", "sampler": "nsga2"}, goes_on,
                                 {**trial, "to_epoch": 9}, {**ends, "values": [0.5, 1000]}))
many = [begins, goes_on]
for number in range(14):
    many += [{**trial, "trial": number, "parameters": {**point, "learning_rate": 0.001 * (number + 1)}}, {**report, "trial": number},
             {"type": "trial_ended", "trial": number, "state": "pruned"}]
put("study", "good-many", journal({**many[0], "pruner": "median"}, {**goes_on, "trials": 99}, *many[2:]))
put("study", "good-torn", journal(begins, goes_on) + '{"schema":1,"type":"tri')
put("study", "bad-order", journal(goes_on, begins))
put("study", "bad-number", journal(begins, goes_on, {**trial, "trial": 5}))
put("study", "bad-point", journal(begins, goes_on, {**trial, "parameters": {**point, "optimizer": "magic"}}))
put("study", "bad-value", journal(begins, goes_on, trial, {**ends, "values": ["x"]}))
put("study", "bad-sampler", journal({**begins, "sampler": "magic"}))
put("study", "bad-empty", "")

# ---- queue: lines of a journal --------------------------------------------------------------------------------------------
item = {"type": "item", "item": 1, "command": "train", "arguments": ["net.netwright", "--epochs", "3"], "folder": "/home", "name": "net",
        "device": "cpu", "priority": 0, "run": "", "time": 1}
runs = {"type": "began", "item": 1, "run": "/runs/a", "devices": ["cpu"], "time": 2}
put("queue", "good-one", journal(item))
put("queue", "good-devices", journal(item, {**item, "item": 2, "device": "any:2"}, {**item, "item": 3, "device": "cuda:0,cuda:1"},
                                     {**item, "item": 4, "device": "any"}))
put("queue", "good-all", journal(item, {**item, "item": 2, "priority": 9}, {"type": "moved", "item": 2, "before": 1}, runs,
                                 {"type": "priority", "item": 1, "priority": -3}, {"type": "paused", "item": 1},
                                 {"type": "ended", "item": 1, "how": "interrupted"}, {"type": "continued", "item": 1},
                                 {"type": "paused", "item": 0}, {"type": "continued", "item": 0}, {"type": "removed", "item": 2}))
put("queue", "good-failed", journal(item, runs, {"type": "ended", "item": 1, "how": "failed", "message": "no data", "time": 3}))
put("queue", "good-torn", journal(item) + '{"schema":1,"type":"rem')
put("queue", "good-empty", "")
put("queue", "bad-number", journal({**item, "item": 2}))
put("queue", "bad-device", journal({**item, "device": "gpu"}))
put("queue", "bad-twice", journal(item, runs, runs))
put("queue", "bad-words", journal({**item, "arguments": [1]}))
put("queue", "bad-moved", journal(item, {"type": "moved", "item": 1, "before": 2}))

# ---- job: job.json of a training that was submitted ---------------------------------------------------------------------------
job = {"schema": 1, "name": "lenet5-1", "target": "ssh", "host": "me@example.org", "folder": "/home/me/netwright/lenet5-1", "data": "../data/mnist",
       "program": "netwright-cli", "ssh_config": "", "mounted": "", "id": "4711", "train_options": ["--epochs", "3"], "resources": {"cpus": 2}}
pod = {**job, "target": "kubernetes", "host": "", "folder": "/data/netwright/a", "data": "/data/mnist",
       "resources": {"image": "a/b:1", "data-volume": "sets", "gpus": 1, "memory": 4096, "shared-memory": 64, "node-selector": {"disk": "ssd"}}}
put_json("job", "good-ssh", job)
put_json("job", "good-here", {**job, "target": "here", "host": "", "resources": {"ranks": 2, "time-limit": 5}})
put_json("job", "good-slurm", {**job, "target": "slurm", "resources": {"partition": "long", "gpus": 2}})
put_json("job", "good-kubernetes", pod)
put_json("job", "good-mpi", {**pod, "resources": {**pod["resources"], "ranks": 3}})
put_json("job", "bad-name", {**job, "name": "2026-a"})
put_json("job", "bad-host", {**job, "host": "-oProxyCommand=x"})
put_json("job", "bad-line", {**job, "folder": "a\nb"})
put_json("job", "bad-field", {**job, "resources": {"image": "x"}})
put_json("job", "bad-number", {**job, "resources": {"ranks": 0}})
put_json("job", "bad-option", {**job, "train_options": ["--run-dir=/"]})

# ---- frames: the pieces' length less one, then what a script at another computer prints ---------------------------------------
def frames(*parts, piece=255):
    return bytes([piece]) + b"".join(f"{kind} {len(data)} {path}".encode() + b"\0" + data for kind, path, data in parts)


put("frames", "good-one", frames(("file", "run.json", b"{}"), ("state", "", b"running")))
put("frames", "good-pieces", frames(("lines", "events.jsonl", b'{"a":1}\n'), ("state", "", b"ended 0"), piece=0))
put("frames", "good-empty", frames(("file", "checkpoints/1/a", b""), ("restart", "events.jsonl", b""), piece=2))
put("frames", "bad-outside", frames(("file", "../a", b"x")))
put("frames", "bad-absolute", frames(("file", "/etc/passwd", b"x")))
put("frames", "bad-length", b"\x03file 99999999999999999999 a\0x")
put("frames", "bad-words", b"\x00file\0")

# ---- infer_request: the length of the JSON (or an empty line), the body; images of 2 x 2 x 3 ---------------------------------
def infer_body(images, data=None, datatype="FP32", tail=b"", length=None, **more):
    tensor = {"name": "images", "datatype": datatype, "shape": [images, 2, 2, 3]}
    tensor |= {"data": data} if data is not None else {"parameters": {"binary_data_size": len(tail)}}
    head = json.dumps({"inputs": [tensor]} | more).encode()
    return f"{len(head) if length is None else length}\n".encode() + head + tail


put("infer_request", "good-json", infer_body(1, [0.5] * 12, length="", id="seven"))
put("infer_request", "good-nested-json", infer_body(2, [[[[0, 1, 2], [3, 4, 5]]] * 2] * 2, "UINT8", length=""))
put("infer_request", "good-binary-floats", infer_body(1, tail=struct.pack("<12f", *range(12)), parameters={"binary_data_output": True}))
put("infer_request", "good-binary-bytes", infer_body(4, tail=bytes(range(48)), datatype="UINT8", outputs=[{"name": "scores"}]))
put("infer_request", "bad-short-tail", infer_body(1, tail=struct.pack("<11f", *range(11))))
put("infer_request", "bad-long-length", infer_body(1, [0] * 12, length="99999999999999999999"))
put("infer_request", "bad-not-a-number", infer_body(1, tail=struct.pack("<12f", *[float("nan")] * 12)))
put("infer_request", "bad-many-images", infer_body(5, [0] * 60, length=""))
put("infer_request", "bad-huge-shape", b"\n" + json.dumps({"inputs": [{"name": "images", "datatype": "FP32", "shape": [2**63, 2, 2, 3], "data": []}]}).encode())
put("infer_request", "bad-deep", b"\n" + b"[" * 1000)

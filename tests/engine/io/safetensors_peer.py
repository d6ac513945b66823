#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the safetensors package says of many files, which lie one behind the other, each after its length in 8 bytes.

    python tests/engine/io/safetensors_peer.py FILES

Prints a line for each: "no" and its reason, or "ok" and its tensors by name: the name in hexadecimal, type, sizes and the CRC-32 of the
bytes. Ends with 77 where the package is not installed. safetensors_peer_test.cpp calls it with the Python that NETWRIGHT_PYTHON names.
"""
import sys
import zlib

try:
    from safetensors import deserialize
except ImportError:
    print("NETWRIGHT_PYTHON names no Python with safetensors")
    sys.exit(77)


def judged(data):
    try:
        tensors = deserialize(data)
    except BaseException as e:  # noqa: BLE001 - a panic of its Rust code is no Exception
        return "no " + " ".join(str(e).split())[:200]
    rows = sorted(f"{name.encode().hex()}:{t['dtype']}:{'x'.join(map(str, t['shape']))}:{zlib.crc32(t['data']):08x}" for name, t in tensors)
    return " ".join(["ok", *rows])


with open(sys.argv[1], "rb") as files:
    while start := files.read(8):
        print(judged(files.read(int.from_bytes(start, "little"))))

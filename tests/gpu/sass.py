#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what is slow in the machine code of every CUDA kernel and compares it with tests/kernels/cuda/sass_limits.txt.

    python3 tests/gpu/sass.py build/release/kernels/cuda_kernels.fatbin [--arch sm_90] [--write]

narrow     loads and stores of device memory of less than 4 bytes
double     instructions on numbers of 64 bits: a card for desktops computes 1 where it computes 64 of 32 bits
division   divisions of integers of 64 bits: some 70 instructions each
local      loads and stores of a thread's local memory: spilled registers, or arrays whose index is not known to the compiler
A kernel may count less than its limits, never more; --write writes the file anew. cuobjdump comes with the CUDA toolkit, or with the Python
package triton (NETWRIGHT_TORCH_PYTHON); exit code 77 without it.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LIMITS = Path(__file__).resolve().parents[1] / "kernels/cuda/sass_limits.txt"
KINDS = ("narrow", "double", "division", "local")
INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\d+ )?([A-Z0-9_.]+)")


def cuobjdump():
    places = [shutil.which("cuobjdump"), *(f"{os.environ.get(v, '')}/bin/cuobjdump" for v in ("CUDA_PATH", "CUDA_HOME")), "/usr/local/cuda/bin/cuobjdump"]
    python = os.environ.get("NETWRIGHT_TORCH_PYTHON")
    if python:
        places += (Path(python).parent.parent / "lib").glob("python*/site-packages/triton/backends/nvidia/bin/cuobjdump")
    return next((str(p) for p in places if p and os.access(p, os.X_OK)), None)


def kind_of(instruction):
    name, *parts = instruction.split(".")
    if name in ("LDG", "STG"):
        return "narrow" if {"U8", "S8", "U16", "S16"} & set(parts) else None
    if name in ("LDL", "STL"):
        return "local"
    if name in ("DADD", "DMUL", "DFMA", "DSETP", "DMNMX") or "F64" in parts:
        return "double"
    # Each division by the generic routine begins by converting its divisor.
    return "division" if name == "I2F" and parts[:1] in (["U64"], ["S64"]) and "RP" in parts else None


def counts(text):
    """{kernel: {kind: number}} of cuobjdump's listing."""
    found, kernel = {}, None
    for line in text.splitlines():
        if "Function : " in line:
            kernel = line.split("Function : ")[1].strip()
            found[kernel] = collections.Counter()
        elif kernel and (m := INSTRUCTION.match(line)) and (kind := kind_of(m.group(1))):
            found[kernel][kind] += 1
    return found


def read_limits():
    limits = {}
    for line in LIMITS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kernel, *numbers = line.split()
            limits[kernel] = dict(zip(KINDS, map(int, numbers)))
    return limits


def complaints(found, limits):
    said = [f"{k}: has no line; run with --write" for k in sorted(found.keys() - limits.keys())]
    said += [f"{k}: no such kernel" for k in sorted(limits.keys() - found.keys())]
    for kernel in sorted(found.keys() & limits.keys()):
        said += [f"{kernel}: {kind} {found[kernel][kind]}, at most {limits[kernel][kind]}" for kind in KINDS if found[kernel][kind] > limits[kernel][kind]]
    return said


def write(found, arch):
    rows = [f"{k} {' '.join(str(found[k][kind]) for kind in KINDS)}" for k in sorted(found)]
    LIMITS.write_text(f"# Slow instructions of each kernel for {arch}, at most: {', '.join(KINDS)}. Written by tests/gpu/sass.py --write.\n" + "\n".join(rows) + "\n", encoding="utf-8")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("image")
    ap.add_argument("--arch", default="sm_90")
    ap.add_argument("--write", action="store_true")
    a = ap.parse_args()
    program = cuobjdump()
    if not program:
        print("no cuobjdump here: it comes with the CUDA toolkit, or with triton (NETWRIGHT_TORCH_PYTHON)")
        return 77
    found = counts(subprocess.run([program, "-sass", "-arch", a.arch, a.image], capture_output=True, text=True, check=True).stdout)
    if not found:
        print(f"{a.image} holds no machine code for {a.arch}")
        return 1
    if a.write:
        write(found, a.arch)
    said = complaints(found, read_limits())
    totals = ", ".join(f"{sum(1 for c in found.values() if c[kind])} {kind}" for kind in KINDS)
    print("\n".join(said) or f"{len(found)} kernels within their limits; kernels with some: {totals}")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())

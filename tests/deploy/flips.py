#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changed predictions come out of the exported files again: every one, in other programs.

flips.py --cli NETWRIGHT_CLI: trains a small LeNet-5 on MNIST, prunes it, exports both as ONNX and as C libraries, and
computes each image that changed-predictions lists with onnxruntime and with the compiled libraries. Skips (77) without
MNIST (NETWRIGHT_DATA), onnxruntime, or a C compiler, and says which.
"""
import argparse
import ctypes
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def test_images(folder):
    """The 10,000 test images, (N, 28, 28)."""
    for name in ("t10k-images-idx3-ubyte", "t10k-images-idx3-ubyte.gz"):
        for found in pathlib.Path(folder).rglob(name):
            data = gzip.open(found).read() if name.endswith(".gz") else found.read_bytes()
            return np.frombuffer(data, np.uint8, offset=16).reshape(-1, 28, 28)
    skip("there is no MNIST below NETWRIGHT_DATA")


def classes_of_onnx(file, images):
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return session.run(None, {name: images[:, None].astype(np.float32)})[0].argmax(1)


def classes_of_library(folder, images):
    """Of nw_model.h: numbers from 0 to 1, normalized by the library's constants, one image after another."""
    shared = folder / "model.so"
    sources = [str(p) for p in folder.rglob("*.c") if "example" not in str(p) and "test" not in p.name]
    subprocess.run(["cc", "-O2", "-std=c99", "-fPIC", "-shared", f"-I{folder}", "-o", str(shared), *sources, "-lm"],
                   check=True)
    library = ctypes.CDLL(str(shared))
    floats = ctypes.POINTER(ctypes.c_float)
    library.nw_predict_u8.argtypes = [ctypes.POINTER(ctypes.c_uint8), floats]
    classes = []
    for image in np.ascontiguousarray(images):
        scores = np.zeros(10, np.float32)
        library.nw_predict_u8(image.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8)), scores.ctypes.data_as(floats))
        classes.append(int(scores.argmax()))
    return np.array(classes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    options = parser.parse_args()
    data = os.environ.get("NETWRIGHT_DATA") or skip("NETWRIGHT_DATA is not set")
    images = test_images(data)
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        os.environ["NETWRIGHT_RUNS"] = str(place / "runs")

        def cli(*words):
            return subprocess.run([options.cli, *map(str, words)], check=True, capture_output=True, text=True).stdout

        cli("train", "lenet5", "--epochs", 1, "--seed", 1, "--run-dir", place / "before", "--quiet")
        cli("compress", place / "before", "--layer", "conv2=0.5", "--layer", "fc1=0.7", "--epochs", 1, "-o",
            place / "p.netwright")
        cli("train", place / "p.netwright", "--run-dir", place / "after", "--quiet")
        answer = json.loads(cli("changed-predictions", place / "before", place / "after", "--seconds", 0,
                                "--from-files", "--json").splitlines()[-1])
        flips = answer["changes"]["flips"]
        if not flips or answer["repeated_by_files"] != len(flips):
            sys.exit(f"{answer.get('repeated_by_files')} of {len(flips)} by our own reader")
        changed = images[[f["sample"] for f in flips]]
        for side in ("before", "after"):
            wanted = np.array([f[side] for f in flips])
            cli("export", place / side, "--onnx", place / f"{side}.onnx")
            cli("export", place / side, "--c", place / f"{side}-c")
            readers = {"onnxruntime": classes_of_onnx(place / f"{side}.onnx", changed)}
            if shutil.which("cc"):
                readers["C library"] = classes_of_library(place / f"{side}-c", changed)
            for reader, classes in readers.items():
                same = int((classes == wanted).sum())
                print(f"{side}, {reader}: {same} of {len(flips)} changed predictions")
                if same != len(flips):
                    sys.exit(f"{reader} answers otherwise than the run {side}")


if __name__ == "__main__":
    try:
        import numpy as np
        import onnxruntime
    except ImportError as missing:
        skip(str(missing))
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that two programs train to the same bytes: model.safetensors and optimizer.safetensors of the last checkpoint.

    python tests/bench/same_bytes.py BEFORE AFTER [--nets lenet5,mlp] [--precisions fp32,bf16]
        [--kinds portable,avx2,avx512,amx-emulated] [--devices cpu;cpu:0,cpu:1] [--images plain,moved,mixed]
        [--train 512] [--threads 2]

BEFORE and AFTER are netwright-cli programs. Each case trains one epoch with one seed, on the built-in synthetic images or, for
networks of CIFAR-10, on files of that format whose pixels are made up.
`--images`: plain, moved (random crop and flip), mixed (rotation and MixUp). `--kinds`: values of NETWRIGHT_CPU; those that the
processor does not support are omitted. Prints a table; exit code 1 when a case differs or cannot be trained.
"""
import argparse
import hashlib
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

TENSORS = ("model.safetensors", "optimizer.safetensors")
ROTATION_AND_MIXUP = [{"type": "RandomRotation", "degrees": 20}, {"type": "MixUp", "p": 1, "alpha": 0.4}]


def run(program, arguments, kind=None):
    """Runs the program; returns the finished process. NETWRIGHT_ variables are removed; `kind` sets NETWRIGHT_CPU."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NETWRIGHT_")}
    if kind:
        environment["NETWRIGHT_CPU"] = kind
    return subprocess.run([program, *arguments], env=environment, capture_output=True, text=True)


def made_up_cifar(samples, folder):
    """Files of CIFAR-10's binary format: a label, then 3072 pixel values, for each sample."""
    random.seed(5)
    folder.mkdir(exist_ok=True)
    names = [*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin"]
    for name in names:
        records = (bytes([random.randrange(10)]) + random.randbytes(3072) for _ in range(max(1, samples // 5)))
        (folder / name).write_bytes(b"".join(records))
    (folder / "batches.meta.txt").write_text("".join(f"class {k}\n" for k in range(10)))
    return folder


def project(program, net, images, samples, folder):
    """A project file of a template with small synthetic data."""
    path = folder / f"{net}-{images}.netwright"
    made = run(program, ["new", "--template", net, "--output", str(path), "--force"])
    if made.returncode != 0:
        sys.exit(f"{net}: {made.stderr.strip()}")
    drawing = json.loads(path.read_text())
    if drawing["data"]["kind"] == "mnist":
        drawing["data"].update(kind="synthetic", synthetic_train=samples, synthetic_test=max(16, samples // 8))
    else:
        drawing["data"].update(path=str(made_up_cifar(samples, folder / "cifar")))
    if images == "moved":
        drawing["training"].update(random_crop=True, crop_padding=2, horizontal_flip=True)
    path.write_text(json.dumps(drawing))
    return path


def transforms(images):
    if images != "mixed":
        return []
    parts = [f"{t['type']}:" + ",".join(f"{k}={v}" for k, v in t.items() if k != "type") for t in ROTATION_AND_MIXUP]
    return [word for part in parts for word in ("--transform", part)]


def hashes(program, case, drawing, folder, threads):
    """Truncated SHA-256 sums of the tensor files, or the program's last line if it failed."""
    net, precision, kind, device, images = case
    done = run(program, ["train", str(drawing), "--epochs", "1", "--seed", "7", "--precision", precision, "--device", device,
                         "--threads", str(threads), "--run-dir", str(folder), "--quiet", *transforms(images)], kind)
    if done.returncode != 0:
        return "failed: " + (done.stderr.strip().splitlines() or ["without a word"])[-1]
    checkpoint = folder / "checkpoints" / (folder / "latest").read_text().strip()
    return " ".join(hashlib.sha256((checkpoint / name).read_bytes()).hexdigest()[:12] for name in TENSORS)


def supported(program, kind, drawing, folder):
    """False if this processor does not support the instruction set."""
    done = run(program, ["train", str(drawing), "--epochs", "1", "--run-dir", str(folder), "--quiet"], kind)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--nets", default="lenet5,mlp")
    parser.add_argument("--precisions", default="fp32,bf16")
    parser.add_argument("--kinds", default="portable,avx2,avx512,amx-emulated")
    parser.add_argument("--devices", default="cpu;cpu:0,cpu:1", help="separated by ;")
    parser.add_argument("--images", default="plain,moved,mixed")
    parser.add_argument("--train", type=int, default=512, help="training images")
    parser.add_argument("--threads", type=int, default=2)
    o = parser.parse_args()
    different = 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        small = project(o.before, "mlp", "plain", 64, folder)
        kinds = [k for k in o.kinds.split(",") if supported(o.before, k, small, folder / ("probe-" + k))]
        cases = itertools.product(o.nets.split(","), o.precisions.split(","), kinds, o.devices.split(";"), o.images.split(","))
        print(f"{'network':16} {'precision':9} {'processor':12} {'device':12} {'images':7} model, optimizer")
        for number, case in enumerate(cases):
            drawing = project(o.before, case[0], case[4], o.train, folder)
            before = hashes(o.before, case, drawing, folder / f"{number}-before", o.threads)
            after = hashes(o.after, case, drawing, folder / f"{number}-after", o.threads)
            same = before == after and not before.startswith("failed")
            different += not same
            words = f"{case[0]:16} {case[1]:9} {case[2]:12} {case[3]:12} {case[4]:7}"
            print(f"{words} {before if same else f'DIFFERENT: {before} | {after}'}", flush=True)
    print("all the same" if different == 0 else f"{different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())

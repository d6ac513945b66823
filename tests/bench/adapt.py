#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares networks that `netwright-cli adapt` makes of a trained one with the recipe for photos trained from scratch. Needs
CIFAR-10 as folders of images (train/CLASS, test/CLASS) and what recipes.py needs.

    python3 tests/bench/adapt.py --data FOLDER [--cli build/release/bin/netwright-cli] [--per-class 10,50,100] [--seeds 5]

Four classes are held out; a source is trained on the other six. For each number of images a class and each seed, draws a
folder of the held-out classes with 250 test images of each. Sources: the template convnet-tiny, and ResNet-18 for CIFAR-10 with
a quarter of its channels. With --state FOLDER the same command continues where it stopped.
"""
import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from recipes import train

TOP = Path(__file__).resolve().parents[2]
HELD_OUT = ("cat", "deer", "horse", "truck")
TEST_PER_CLASS = 250
SOURCES = {"convnet-tiny": ("convnet-tiny", 1, 12), "resnet18-narrow": ("resnet18-cifar", 4, 15)}  # template, divisor, epochs
METHODS = ("scratch", *SOURCES)


def folder_of(source, to, classes, counts, seed):
    """A folder with train/CLASS and test/CLASS; a count of None takes all images."""
    rng = random.Random(seed)
    for part, count in counts.items():
        for name in classes:
            target = to / part / name
            target.mkdir(parents=True, exist_ok=True)
            files = sorted(p.name for p in (source / part / name).iterdir())
            for file in files if count is None else rng.sample(files, count):
                os.symlink((source / part / name / file).resolve(), target / file)
    return to


def narrowed(project, divisor):
    """The network with fewer channels."""
    text = json.loads(project.read_text())
    for graph in [text["network"], *[b["network"] for b in text["blocks"].values()]]:
        for node in graph["nodes"]:
            attrs = node.get("attrs", {})
            for name in ("out_channels", "filters", "channels"):
                if node["type"] != "Input" and isinstance(attrs.get(name), int):
                    attrs[name] //= divisor
    for block in text["blocks"].values():
        for parameter in block["parameters"]:
            if parameter["name"] in ("filters", "channels"):
                parameter["value"] = max(1, parameter["value"] // divisor)
    project.write_text(json.dumps(text))


def source_run(cli, data, state, name):
    run = state / f"source-{name}"
    if (run / "checkpoints" / "best").exists() or (run / "best").exists():
        return run
    shutil.rmtree(run, ignore_errors=True)
    template, divisor, epochs = SOURCES[name]
    classes = [p.name for p in sorted((data / "train").iterdir()) if p.is_dir() and p.name not in HELD_OUT]
    folder = state / "others"
    shutil.rmtree(folder, ignore_errors=True)
    folder_of(data, folder, classes, {"train": None, "test": None}, 0)
    project = state / f"{name}.netwright"
    subprocess.run([cli, "new", "--template", template, "--data", folder, "-o", project, "--force"], check=True)
    if divisor > 1:
        narrowed(project, divisor)
    accuracy = train(cli, [project, "--epochs", str(epochs)], run, 1)
    print(f"{name}: {accuracy:.2f} % on the test images of {', '.join(classes)}", flush=True)
    return run


def measure(cli, data, runs, per_class, seed):
    with tempfile.TemporaryDirectory() as top:
        top, result = Path(top), {}
        folder = folder_of(data, top / "own", HELD_OUT, {"train": per_class, "test": TEST_PER_CLASS}, 1000 * per_class + seed)
        for method in METHODS:
            project = top / f"{method}.netwright"
            command = [cli, "new", "--photos", folder] if method == "scratch" else [cli, "adapt", runs[method], "--data", folder]
            subprocess.run([*command, "-o", project], check=True, capture_output=True)
            begin = time.monotonic()
            result[method] = train(cli, [project], top / f"run-{method}", seed)
            result[f"{method} s"] = time.monotonic() - begin
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="cifar10-images")
    parser.add_argument("--cli", type=Path, default=TOP / "build/release/bin/netwright-cli")
    parser.add_argument("--per-class", default="10,50,100")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--state", type=Path, default=TOP / "build/adapt")
    options = parser.parse_args()
    options.state.mkdir(parents=True, exist_ok=True)
    file = options.state / "results.json"
    known = json.loads(file.read_text()) if file.is_file() else {}
    runs = {name: source_run(options.cli, options.data, options.state, name) for name in SOURCES}
    for per_class in map(int, options.per_class.split(",")):
        rows = []
        for seed in range(1, options.seeds + 1):
            key = f"{per_class}-{seed}"
            known[key] = known.get(key) or measure(options.cli, options.data, runs, per_class, seed)
            rows.append(known[key])
            file.write_text(json.dumps(known))
            print(f"  {key}: " + ", ".join(f"{m} {known[key][m]:.1f}" for m in METHODS), flush=True)
        for m in METHODS:
            values = [r[m] for r in rows]
            print(f"{per_class} a class, {m}: {statistics.median(values):.1f} % ({min(values):.1f} to {max(values):.1f}), "
                  f"{statistics.median(r[f'{m} s'] for r in rows):.0f} s", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the recipe that Netwright recommends for a folder of photos with a logistic regression on pixels and with the
template convnet-tiny as it is. Needs CIFAR-10 as folders of images (train/CLASS, test/CLASS), numpy and Pillow.

    python3 tests/bench/recipes.py --data FOLDER [--cli build/release/bin/netwright-cli] [--per-class 20,100,500] [--seeds 5]

For each number of images a class and each seed, draws a training folder and 2,000 test images, and prints the accuracy
on the test images of all three. With --state FILE the same command continues where it stopped.
"""
import argparse
import json
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy
from PIL import Image

TOP = Path(__file__).resolve().parents[2]
TEST_PER_CLASS = 200
METHODS = ("recipe", "convnet-tiny", "logistic regression")


def draw(source, to, per_class, seed):
    """A folder with train/CLASS and test/CLASS, drawn from the folder of the same form."""
    rng = random.Random(seed)
    for part, count in (("train", per_class), ("test", TEST_PER_CLASS)):
        for folder in sorted((source / part).iterdir()):
            if folder.is_dir():
                target = to / part / folder.name
                target.mkdir(parents=True)
                for name in rng.sample(sorted(p.name for p in folder.iterdir()), count):
                    shutil.copy(folder / name, target / name)


def pixels(folder):
    images, labels = [], []
    for label, of_class in enumerate(sorted(folder.iterdir())):
        for file in sorted(of_class.iterdir()):
            images.append(numpy.asarray(Image.open(file).convert("RGB"), dtype=numpy.float32).ravel() / 255)
            labels.append(label)
    return numpy.stack(images), numpy.array(labels)


def fit(x, y, decay, steps=400, rate=0.5):
    """Weights of a multinomial logistic regression: accelerated gradient descent, L2 penalty."""
    w = numpy.zeros((x.shape[1], y.max() + 1), dtype=numpy.float32)
    before, one_hot = w, numpy.eye(y.max() + 1, dtype=numpy.float32)[y]
    scale = rate / numpy.linalg.norm(x, 2) ** 2 * len(x) * 2
    for step in range(steps):
        ahead = w + step / (step + 3) * (w - before)
        scores = x @ ahead
        scores = numpy.exp(scores - scores.max(axis=1, keepdims=True))
        gradient = x.T @ (scores / scores.sum(axis=1, keepdims=True) - one_hot) / len(x) + decay * ahead
        before, w = w, ahead - scale * gradient
    return w


def logistic_regression(folder, seed):
    """Accuracy in percent; the penalty is the best of five on a fifth of the training images."""
    (x, y), (test_x, test_y) = pixels(folder / "train"), pixels(folder / "test")
    mean, deviation = x.mean(axis=0), x.std(axis=0) + 1e-6
    prepare = lambda images: numpy.hstack([(images - mean) / deviation, numpy.ones((len(images), 1), numpy.float32)])
    x, test_x = prepare(x), prepare(test_x)
    held = numpy.random.default_rng(seed).permutation(len(x)) < len(x) // 5
    right = lambda w, a, b: 100 * float(((a @ w).argmax(axis=1) == b).mean())
    decays = [0.01, 0.1, 1, 10, 100]
    best = max(decays, key=lambda d: right(fit(x[~held], y[~held], d), x[held], y[held]))
    return right(fit(x, y, best), test_x, test_y)


def train(cli, arguments, run, seed):
    done = subprocess.run([cli, "train", *arguments, "--quiet", "--run-dir", run, "--seed", str(seed)],
                          capture_output=True, text=True, check=False)
    found = re.search(r"test accuracy ([\d.]+) %", done.stdout + done.stderr)
    if not found:
        raise SystemExit(done.stdout + done.stderr)
    return float(found.group(1))


def measure(cli, source, per_class, seed):
    with tempfile.TemporaryDirectory() as top:
        top = Path(top)
        folder = top / "photos"
        draw(source, folder, per_class, seed)
        subprocess.run([cli, "new", "--photos", folder, "-o", top / "recipe.netwright"], check=True, capture_output=True)
        begin = time.monotonic()
        recipe = train(cli, [top / "recipe.netwright"], top / "run", seed)
        seconds = time.monotonic() - begin
        by_hand = train(cli, ["convnet-tiny", "--data", folder], top / "by-hand", seed)
        return {"recipe": recipe, "convnet-tiny": by_hand, "logistic regression": logistic_regression(folder, seed),
                "seconds": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="cifar10-images")
    parser.add_argument("--cli", type=Path, default=TOP / "build/release/bin/netwright-cli")
    parser.add_argument("--per-class", default="20,100,500")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--state", type=Path)
    options = parser.parse_args()
    known = json.loads(options.state.read_text()) if options.state and options.state.is_file() else {}
    for per_class in map(int, options.per_class.split(",")):
        rows = []
        for seed in range(1, options.seeds + 1):
            key = f"{per_class}-{seed}"
            known[key] = known.get(key) or measure(options.cli, options.data, per_class, seed)
            rows.append(known[key])
            if options.state:
                options.state.write_text(json.dumps(known))
            print(f"  {key}: " + ", ".join(f"{m} {known[key][m]:.1f}" for m in METHODS), flush=True)
        medians = ", ".join(f"{m} {statistics.median(r[m] for r in rows):.1f} % ({min(r[m] for r in rows):.1f} to "
                            f"{max(r[m] for r in rows):.1f})" for m in METHODS)
        print(f"{per_class} a class: {medians}; the recipe took {statistics.median(r['seconds'] for r in rows):.0f} s")


if __name__ == "__main__":
    main()

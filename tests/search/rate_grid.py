#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The suggestion of `netwright-cli lr-find` beside the best of a grid of learning rates, on six networks.

    python3 tests/search/rate_grid.py --cli build/release/bin/netwright-cli --data DIR

DIR holds mnist (gzip) and cifar-10-batches-bin; of each the first --images training images are used, a quarter of them for validation.
Each rate of the grid (powers of 2) trains --epochs epochs with --seeds seeds; the best rate is that with the lowest mean of the best
validation losses. Prints a row for each network; fails (code 1) if a suggestion is more than twice the best rate or less than half of it.
--only NAME: one network. --small: one network and a short grid, whose factor is only printed.
"""
import argparse
import gzip
import json
import math
import os
import statistics
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
# name, template, data, changed settings. The rule of the suggestion was chosen on the first three.
NETWORKS = [("mlp", "mlp", "mnist", {}),
            ("lenet5", "lenet5", "mnist", {}),
            ("lenet5, Adam", "lenet5", "mnist", {"optimizer": "adam"}),
            ("mlp, SGD", "mlp", "mnist", {"optimizer": "sgd"}),
            ("shapes-labels", "shapes-labels", "", {}),
            ("convnet-tiny", "convnet-tiny", "cifar", {})]


def small_mnist(source, folder, images):
    folder.mkdir()
    for name in FILES:
        whole = gzip.open(source / f"{name}.gz").read()
        count, start, each = images if name.startswith("train") else 100, *((16, 784) if "images" in name else (8, 1))
        (folder / name).write_bytes(whole[:4] + struct.pack(">I", count) + whole[8:start + count * each])
    return folder


def small_cifar(source, folder, images):
    folder.mkdir()
    rows = (source / "data_batch_1.bin").read_bytes()[:3073 * images]
    fifth = 3073 * (images // 5)
    for i in range(5):
        (folder / f"data_batch_{i + 1}.bin").write_bytes(rows[i * fifth:(i + 1) * fifth])
    (folder / "test_batch.bin").write_bytes(rows[:3073 * 100])
    return folder


class Network:
    def __init__(self, template, data, changes, folder, options):
        self.options, self.folder, self.count = options, folder, 0
        self.file = folder / "project.netwright"
        self.data = ["--data", str(data)] if data else []
        self.run("new", "--template", template, "-o", str(self.file))
        doc = json.loads(self.file.read_text())
        doc["training"].update(changes, epochs=options.epochs, threads=options.threads)
        doc["data"].update(validation_fraction=0.25, synthetic_train=options.images // 2)
        self.file.write_text(json.dumps(doc))

    def run(self, *words):
        done = subprocess.run([self.options.cli, *words], capture_output=True, text=True)
        return done.returncode, done.stdout

    def suggestion(self):
        code, out = self.run("lr-find", str(self.file), *self.data, "--json")
        if code:
            sys.exit(f"lr-find ended with {code}")
        found = json.loads(out)
        return found["suggestion"], found["suggestions"]

    def loss(self, rate, seed):
        """The lowest validation loss of a training; infinite if it diverged."""
        self.count += 1
        code, out = self.run("train", str(self.file), *self.data, "--lr", repr(rate), "--seed", str(seed), "--json", "--run-dir",
                             str(self.folder / f"run{self.count}"))
        losses = [e["validation_loss"] for e in map(json.loads, out.splitlines()) if e.get("type") == "epoch"]
        return min(losses) if code == 0 and losses else math.inf


def rates_of(options):
    return [options.lowest * 2**i for i in range(1 + int(round(math.log2(options.highest / options.lowest))))]


def measure(name, network, options):
    suggested, each = network.suggestion()
    means = {rate: statistics.fmean(network.loss(rate, seed) for seed in range(options.seeds)) for rate in rates_of(options)}
    best = min(means, key=means.get)
    at = network_mean(network, suggested, options)
    if not (suggested and options.lowest < best < options.highest):
        print(f"{name}: best rate {best:.3g} is an end of the grid, suggestion {suggested}")
        return math.inf
    factor = max(suggested / best, best / suggested)
    print(f"| {name} | {suggested:.3g} ({min(each):.3g} to {max(each):.3g}) | {best:.3g} | {factor:.1f} | {at:.4f} | {means[best]:.4f} |",
          flush=True)
    if options.verbose:
        print("   " + ", ".join(f"{rate:.3g}: {loss:.4f}" for rate, loss in means.items()), flush=True)
    return factor


def network_mean(network, rate, options):
    return statistics.fmean(network.loss(rate, seed) for seed in range(options.seeds)) if rate else math.inf


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--data", default=os.environ.get("NETWRIGHT_DATA", ""))
    parser.add_argument("--images", type=int, default=4000)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of each training; they change no byte")
    parser.add_argument("--lowest", type=float, default=2**-13)
    parser.add_argument("--highest", type=float, default=1.0)
    parser.add_argument("--only")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.small:
        options.only, options.seeds, options.epochs, options.lowest = "shapes-labels", 1, 1, 0.015625
    factors = []
    print("| network | suggestion (of the seeds) | best of the grid | factor | loss there | loss of the best |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        top = Path(place)
        sources = {"": None}
        if not options.small:
            sources["mnist"] = small_mnist(Path(options.data) / "mnist", top / "mnist", options.images)
            sources["cifar"] = small_cifar(Path(options.data) / "cifar-10-batches-bin", top / "cifar", options.images)
        for name, template, data, changes in NETWORKS:
            if options.only and name != options.only:
                continue
            folder = top / name
            folder.mkdir()
            factors.append(measure(name, Network(template, sources[data], changes, folder, options), options))
    return 0 if options.small and factors else int(max(factors) > 2)


if __name__ == "__main__":
    sys.exit(main())

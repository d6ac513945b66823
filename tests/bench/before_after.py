#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the speed of two netwright-cli programs in one run by alternating them, A B B A …, so that drift of the machine's
speed affects both.

    python tests/bench/before_after.py BEFORE AFTER [--nets lenet5,mlp] [--precisions fp32,bf16] [--batch 64] [--rounds 6]
                                       [--seconds 1] [--threads 2]

Prints one Markdown row per network and precision: medians over the rounds in images per second of training, their range, and
the median of the rounds' ratios; then the seconds of whole processes (`--version`, `check` of ResNet-50, two epochs of LeNet-5
on the data set of its project, `evaluate`). Networks of real data need NETWRIGHT_DATA.
"""
import argparse
import itertools
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def output_of(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def images_per_second(a, program, net, precision):
    lines = output_of([program, "bench", "--device", "cpu", "--precision", precision, "--json", "--nets", net, "--batch", a.batch,
                       "--seconds", a.seconds, "--threads", a.threads, "--repeats", 1]).splitlines()
    return next(json.loads(line)["images_per_s"] for line in lines if line.startswith("{"))


def measure(a, of):
    """[(of BEFORE, of AFTER)] for each round; every second round begins with AFTER."""
    pairs = []
    for number in range(a.rounds):
        programs = (a.before, a.after) if number % 2 == 0 else (a.after, a.before)
        values = [of(program) for program in programs]
        pairs.append(tuple(values if number % 2 == 0 else reversed(values)))
    return pairs


def row(name, pairs, digits):
    columns = [sorted(values) for values in zip(*pairs)]
    cells = [f"{statistics.median(c):,.{digits}f} ({c[0]:,.{digits}f}–{c[-1]:,.{digits}f})" for c in columns]
    print(f"| {name} | {' | '.join(cells)} | {statistics.median(after / before for before, after in pairs):.3f} |", flush=True)


def seconds_of(*command):
    begin = time.perf_counter()
    output_of(command)
    return time.perf_counter() - begin


def whole_processes(folder):
    """{name: function that runs a program once and returns its seconds}."""
    numbers = itertools.count()

    def project(program, net):
        path = folder / f"{net}-{next(numbers)}.netwright"
        output_of([program, "new", "--template", net, "--output", path])
        return path

    def trained(program):
        run = folder / f"run-{next(numbers)}"
        return run, seconds_of(program, "train", project(program, "lenet5"), "--epochs", 2, "--device", "cpu", "--run-dir", run)

    return {
        "`--version`": lambda program: seconds_of(program, "--version"),
        "`check` of `resnet50`": lambda program: seconds_of(program, "check", project(program, "resnet50")),
        "`train` of `lenet5`, 2 epochs": lambda program: trained(program)[1],
        "`evaluate` of it": lambda program: seconds_of(program, "evaluate", trained(program)[0]),
    }


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("before", type=Path)
    ap.add_argument("after", type=Path)
    ap.add_argument("--nets", default="lenet5,mlp")
    ap.add_argument("--precisions", default="fp32,bf16")
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--rounds", type=int, default=6)
    ap.add_argument("--seconds", type=float, default=1)
    ap.add_argument("--threads", type=int, default=2)
    a = ap.parse_args()
    print("| training, images/s | before | after | ratio |\n|---|---|---|---|")
    for net, precision in itertools.product(a.nets.split(","), a.precisions.split(",")):
        row(f"`{net}` {precision}", measure(a, lambda program: images_per_second(a, program, net, precision)), 0)
    print("\n| whole process, s | before | after | ratio |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, of in whole_processes(Path(folder)).items():
            row(name, measure(a, of), 4)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a network with several seeds, prunes each run in several ways, trains the smaller networks, and measures all of them in 8 bits.

    python3 tests/bench/pruned.py resnet18-cifar --runs FOLDER [--seeds 1 2 3] [--share 0.5] [--device cuda:0 --precision fp16] [--epochs N]

What FOLDER holds already is not trained again. Prints one JSON object for each network (seed, way, multiply-adds, test accuracy in fp32 and in 8
bits, seconds of training) and one Markdown row of all seeds for each way. The test accuracy is that of the best checkpoint by validation accuracy.
"""
import argparse
import concurrent.futures
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
WAYS = {"l1": ("--criterion", "l1"), "fisher": ("--criterion", "fisher"), "fisher, teacher": ("--criterion", "fisher", "--distill", "{run}")}


def call(a, *words):
    done = subprocess.run([a.cli, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr[-2000:]}")
    return done.stdout


def train(a, project, run, seed, *more):
    """Seconds of the training; 0 if the run was there."""
    if (run / "run.json").exists():
        return 0.0
    begin = time.monotonic()
    call(a, "train", project, "--seed", seed, "--device", a.device, "--precision", a.precision, "--run-dir", run, "--quiet", *more)
    return time.monotonic() - begin


def multiply_adds(a, project):
    return json.loads(call(a, "check", project, "--json"))["multiply_adds"]


def measure(a, project, run, **known):
    """One network's record; 8 bits are measured on the run's test part by `compress --int8`."""
    small = run.with_name(run.name + "-int8")
    made = json.loads(call(a, "compress", run, "--int8", "--run-dir", small, "--seconds", a.latency_seconds, "--json"))
    record = {**known, "multiply_adds": multiply_adds(a, project), "fp32": made["accuracy"]["before"], "int8": made["accuracy"]["after"],
              "change_interval": made["changes"]["change_interval"], "bytes": made["bytes"], "latency": made.get("latency")}
    print(json.dumps(record), flush=True)
    return record


def study(a, seed):
    base = a.runs / f"{a.template}-{seed}"
    epochs = ("--epochs", a.epochs) if a.epochs else ()
    seconds = train(a, a.template, base, seed, *(("--data", a.data) if a.data else ()), *epochs)
    records = [measure(a, a.template, base, seed=seed, way="as trained", share=0, seconds=seconds)]
    for way in a.ways:
        name = f"{a.template}-{seed}-{way.replace(', ', '-')}"
        project = a.runs / f"{name}.netwright"
        if not project.exists():
            call(a, "compress", base, "--prune", a.share, *(w.format(run=base) for w in WAYS[way]), "-o", project,
                 *(("--epochs", a.fine_epochs) if a.fine_epochs else ()), *(("--lr", a.fine_lr) if a.fine_lr else ()))
        seconds = train(a, project, a.runs / name, seed)
        records.append(measure(a, project, a.runs / name, seed=seed, way=way, share=a.share, seconds=seconds))
    return records


def rows(records):
    print("| network | multiply-adds, million | test accuracy, % | 8 bits, % | seconds of training |\n|---|---|---|---|---|")
    for way in dict.fromkeys(r["way"] for r in records):
        of = sorted((r for r in records if r["way"] == way), key=lambda r: r["seed"])
        tested, whole = ([100 * r[k] for r in of] for k in ("fp32", "int8"))
        text = [", ".join(f"{v:.2f}" for v in values) + f" (mean {statistics.mean(values):.2f})" for values in (tested, whole)]
        seconds = ", ".join(f"{r['seconds']:.0f}" for r in of)
        macs = ", ".join(f"{r['multiply_adds'] / 1e6:.1f}" for r in of)
        print(f"| {way} | {macs} | {text[0]} | {text[1]} | {seconds} |", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("template")
    ap.add_argument("--cli", default=TOP / "build/release/bin/netwright-cli")
    ap.add_argument("--runs", type=Path, required=True)
    ap.add_argument("--data", default=None, help="folder of the data set; default: where the program finds it")
    ap.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    ap.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    ap.add_argument("--share", type=float, default=0.5, help="share of the multiply-adds to remove")
    ap.add_argument("--epochs", type=int, default=0, help="of the first training; 0: as the template says")
    ap.add_argument("--fine-epochs", type=int, default=0, help="of the training after pruning; 0: half of the first's")
    ap.add_argument("--fine-lr", type=float, default=0, help="its learning rate; 0: a tenth of the first's")
    ap.add_argument("--device", default="cpu")
    ap.add_argument("--precision", default="fp32")
    ap.add_argument("--jobs", type=int, default=1, help="seeds at a time")
    ap.add_argument("--latency-seconds", type=float, default=0.5)
    a = ap.parse_args()
    a.runs.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        done = [pool.submit(study, a, seed) for seed in a.seeds]
        records, failed = [], 0
        for one in done:
            try:
                records += one.result()
            except RuntimeError as error:
                failed += 1
                print(error, file=sys.stderr)
    rows(records)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

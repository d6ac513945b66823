#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares Netwright and PyTorch in one run by alternating them, A B A B …, so that drift of the machine's speed affects both.

    python tests/bench/compare.py --peer torch_bench.py [--nets lenet5,mlp] [--batches 64,128] [--modes eager,bf16] [--rounds 3]
                                  [--seconds 2] [--threads 2] [--precisions fp32,bf16] [--competitor] [--job torch_mnist.py --epochs 10] [--json FILE]

Prints one Markdown row per network and batch: medians over the rounds in images per second, their spread, and the ratio to the
fastest mode of the peer. --peer is a script that prints the JSON lines of `netwright-cli bench` (net, mode, images_per_s) for the
same networks; Netwright runs through the Trainer on newly loaded batches. --competitor keeps one processor busy meanwhile.
--job is a script that trains a network on real MNIST and prints wall_s and test_accuracy last: whole jobs, from the start of the
process to its end, are then compared too (needs NETWRIGHT_DATA). For random networks see random_nets.py.
"""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def lines_of(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr[-500:]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


@contextlib.contextmanager
def competitor(wanted):
    """A process that keeps one processor busy while the block runs."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if wanted else None
    try:
        yield
    finally:
        if busy:
            busy.kill()
            busy.wait()


def measure_speeds(a):
    """{(net, batch): {mode: [images per second of each round]}}; Netwright's modes are "netwright fp32" and "netwright bf16"."""
    speeds = {}
    for _ in range(a.rounds):
        for net in a.nets.split(","):
            for batch in a.batches.split(","):
                row = speeds.setdefault((net, int(batch)), {})
                common = ["--nets", net, "--batch", batch, "--seconds", a.seconds, "--threads", a.threads, "--repeats", 1]
                for precision in a.precisions.split(","):
                    for line in lines_of([a.cli, "bench", "--device", "cpu", "--precision", precision, "--json", *common]):
                        row.setdefault(f"netwright {precision}", []).append(line["images_per_s"])
                for line in lines_of([sys.executable, a.peer, "--modes", a.modes, *common]):
                    row.setdefault(line["mode"], []).append(line["images_per_s"])
    return speeds


def print_speeds(speeds, precisions, modes):
    heads = [f"Netwright {p}" for p in precisions] + ["PyTorch " + m for m in modes] + [f"ratio of {p} to the fastest" for p in precisions]
    print(f"| network, batch | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
    for (net, batch), row in speeds.items():
        ours, others = [row[f"netwright {p}"] for p in precisions], [statistics.median(row[m]) for m in modes]
        cells = [f"{statistics.median(r):,.0f} ({min(r):,.0f}–{max(r):,.0f})" for r in ours] + [f"{o:,.0f}" for o in others]
        cells += [f"{statistics.median(r) / max(others):.1f}" for r in ours]
        print(f"| `{net}`{f', {batch}' if batch else ''} | {' | '.join(cells)} |")


def measure_jobs(a):
    """{net: {"Netwright fp32", … or "PyTorch": [(seconds, test accuracy)]}} of whole processes; each decompresses the data and trains."""
    data, jobs = os.environ.get("NETWRIGHT_DATA") or sys.exit("NETWRIGHT_DATA names no folder with MNIST"), {}
    for _ in range(a.rounds):
        for net in a.nets.split(","):
            row = jobs.setdefault(net, {})
            for precision in a.precisions.split(","):
                with tempfile.TemporaryDirectory() as folder:
                    start = time.perf_counter()
                    last = lines_of([a.cli, "train", net, "--epochs", a.epochs, "--validation", 0, "--threads", a.threads, "--precision", precision, "--json",
                                     "--run-dir", f"{folder}/run"])[-1]
                    row.setdefault(f"Netwright {precision}", []).append((time.perf_counter() - start, last["test_accuracy"]))
            start = time.perf_counter()
            last = lines_of([sys.executable, a.job, data, "--net", net, "--epochs", a.epochs, "--threads", a.threads])[-1]
            row.setdefault("PyTorch", []).append((time.perf_counter() - start, last["test_accuracy"]))
    return jobs


def print_jobs(jobs, epochs):
    heads = list(next(iter(jobs.values())))
    print(f"\n| {epochs} epochs of real MNIST, start to end | {' | '.join(heads)} | ratios |\n|---|{'---|' * len(heads)}---|")
    for net, row in jobs.items():
        seconds, accuracy = ({who: statistics.median(v[i] for v in row[who]) for who in row} for i in (0, 1))
        cells = [f"{seconds[who]:.1f} s, {100 * accuracy[who]:.2f} %" for who in heads]
        ratios = ", ".join(f"{seconds['PyTorch'] / seconds[who]:.1f}" for who in heads[:-1])
        print(f"| `{net}` | {' | '.join(cells)} | {ratios} |")


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--peer", required=True)
    ap.add_argument("--cli", default=here / "build/release/bin/netwright-cli")
    ap.add_argument("--nets", default="lenet5,mlp")
    ap.add_argument("--batches", default="0", help="0: the network's own")
    ap.add_argument("--modes", default="eager,bf16")
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--seconds", type=float, default=2)
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--precisions", default="fp32", help="ours; accuracy.py says what they learn")
    ap.add_argument("--competitor", action="store_true")
    ap.add_argument("--job")
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--json", help="also write all readings to this file")
    a = ap.parse_args()
    with competitor(a.competitor):
        speeds = measure_speeds(a)
        print_speeds(speeds, a.precisions.split(","), a.modes.split(","))
        jobs = measure_jobs(a) if a.job else {}
    if jobs:
        print_jobs(jobs, a.epochs)
    if a.json:
        readings = {"speeds": [dict(net=n, batch=b, images_per_s=row) for (n, b), row in speeds.items()], "jobs": jobs}
        pathlib.Path(a.json).write_text(json.dumps(readings, indent=1) + "\n")


if __name__ == "__main__":
    main()

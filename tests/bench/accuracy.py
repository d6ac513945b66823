#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the test accuracy of the templates over several seeds; each run trains on the complete training set.

    python tests/bench/accuracy.py [--nets lenet5,mlp,mlp-binary] [--seeds 0,1,2,3,4] [--epochs 10] [--precisions fp32,bf16]
                               [--data DIR]

Prints one Markdown row per network and precision: median, lowest and highest test accuracy in per cent, and the median of the seconds.
Without --data the real MNIST is searched where netwright-cli searches it (NETWRIGHT_DATA, the user's data folder).
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile


def ended(cli, net, precision, seed, a):
    with tempfile.TemporaryDirectory() as folder:
        command = [cli, "train", net, "--seed", str(seed), "--validation", "0", "--precision", precision, "--json", "--run-dir", f"{folder}/run"]
        command += ["--epochs", str(a.epochs)] if a.epochs else []
        command += ["--data", a.data] if a.data else []
        done = subprocess.run(command, capture_output=True, text=True)
        last = json.loads(done.stdout.splitlines()[-1])
        if last["reason"] != "finished":
            sys.exit(f"{net}, seed {seed}: {last} {done.stderr[-500:]}")
        return last


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cli", default=here / "build/release/bin/netwright-cli")
    ap.add_argument("--nets", default="lenet5,mlp,mlp-binary")
    ap.add_argument("--seeds", default="0,1,2,3,4")
    ap.add_argument("--epochs", type=int, default=0, help="0: as the template says")
    ap.add_argument("--precisions", default="fp32")
    ap.add_argument("--data", default="")
    a = ap.parse_args()
    print("| network | precision | median % | lowest | highest | seconds |\n|---|---|---|---|---|---|")
    for net in a.nets.split(","):
        for precision in a.precisions.split(","):
            runs = [ended(a.cli, net, precision, seed, a) for seed in a.seeds.split(",")]
            accuracy = [100 * r["test_accuracy"] for r in runs]
            seconds = statistics.median(r["wall_s"] for r in runs)
            print(f"| {net} | {precision} | {statistics.median(accuracy):.2f} | {min(accuracy):.2f} | {max(accuracy):.2f} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()

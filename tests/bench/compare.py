#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Netwright and PyTorch side by side in one run: A B A B …, so that a machine whose speed drifts is fair to both.

    python tests/bench/compare.py --peer torch_bench.py [--nets lenet5,mlp] [--rounds 3] [--seconds 2] [--threads 2]

Prints one Markdown row per network: medians over the rounds in images per second, their spread, and the ratio.
--peer is a script that prints the JSON lines of `netwright-cli bench` (fields net, mode, images_per_s) for the same networks.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys


def lines_of(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr[-500:]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--peer", required=True)
    ap.add_argument("--cli", default=here / "build/release/bin/netwright-cli")
    ap.add_argument("--nets", default="lenet5,mlp")
    ap.add_argument("--modes", default="eager,bf16")
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--seconds", type=float, default=2)
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--batch", type=int, default=0)
    ap.add_argument("--json", help="also write all readings to this file")
    a = ap.parse_args()
    ours, peer = {}, {}
    common = ["--seconds", str(a.seconds), "--threads", str(a.threads), "--repeats", "1"]
    if a.batch:
        common += ["--batch", str(a.batch)]
    for _ in range(a.rounds):
        for net in a.nets.split(","):
            for row in lines_of([a.cli, "bench", "--nets", net, "--device", "cpu", "--json", *common]):
                ours.setdefault(net, []).append(row["images_per_s"])
            for row in lines_of([sys.executable, a.peer, "--nets", net, "--modes", a.modes, *common]):
                peer.setdefault((net, row["mode"]), []).append(row["images_per_s"])
    print(f"| network | Netwright images/s | {' | '.join('PyTorch ' + m for m in a.modes.split(','))} | ratio to the faster |")
    print("|---|---|" + "---|" * (len(a.modes.split(",")) + 1))
    for net in a.nets.split(","):
        mine = statistics.median(ours[net])
        others = [statistics.median(peer[net, m]) for m in a.modes.split(",")]
        spread = f"{min(ours[net]):,.0f}–{max(ours[net]):,.0f}"
        print(f"| {net} | {mine:,.0f} ({spread}) | {' | '.join(f'{o:,.0f}' for o in others)} | {mine / max(others):.2f} |")
    if a.json:
        readings = {"ours": ours, "peer": {f"{n} {m}": v for (n, m), v in peer.items()}}
        pathlib.Path(a.json).write_text(json.dumps(readings, indent=1) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the first epoch over an image folder, an epoch from the data cache of an earlier run, and PyTorch's DataLoader.
The three alternate, A B C A B C …, so that drift of the machine's speed affects all.

    python tests/bench/loader.py --data FOLDER [--rounds 3] [--workers 2] [--batch 64] [--program build/release/bin/loader_bench]

FOLDER contains only class folders of images of one size. Every time is from the start of reading (PyTorch: of the ImageFolder's
scan, after torch was imported) to the last batch of shuffled float images in memory: torchvision's ImageFolder with ToTensor in
`--workers` processes; Netwright with one thread per processor, from the files (NETWRIGHT_DATA_CACHE=0) and from the data cache.
Peak memory is that of the main process, without PyTorch's workers. Netwright stores the decoded set: 3 bytes per pixel.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def torch_epoch(a):
    from torch.utils.data import DataLoader
    from torchvision.datasets import ImageFolder
    from torchvision.transforms import ToTensor
    begin = time.perf_counter()
    images = sum(len(labels) for _, labels in DataLoader(ImageFolder(a.data, ToTensor()), a.batch, shuffle=True, num_workers=a.workers))
    seconds = time.perf_counter() - begin
    print(json.dumps({"images": images, "epoch_s": seconds, "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


def run(command, **environment):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr[-500:]}")
    return json.loads(done.stdout.splitlines()[-1])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", required=True)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--workers", type=int, default=2)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--program", default=pathlib.Path(__file__).parents[2] / "build/release/bin/loader_bench")
    p.add_argument("--torch", action="store_true", help=argparse.SUPPRESS)
    a = p.parse_args()
    if a.torch:
        return torch_epoch(a)
    ours, peer = [a.program, a.data, a.batch], [sys.executable, __file__, "--torch", "--data", a.data, "--workers", a.workers, "--batch", a.batch]
    times = {"PyTorch": [], "Netwright, from the files": [], "Netwright, from the kept pixels": []}
    with tempfile.TemporaryDirectory() as kept:
        run(ours, XDG_CACHE_HOME=kept)          # fills the data cache and the system's page cache
        for _ in range(a.rounds):
            for name, one in (("PyTorch", lambda: run(peer)), ("Netwright, from the files", lambda: run(ours, NETWRIGHT_DATA_CACHE="0")),
                              ("Netwright, from the kept pixels", lambda: run(ours, XDG_CACHE_HOME=kept))):
                times[name].append(one())
    slowest = statistics.median(t["epoch_s"] for t in times["PyTorch"])
    print("| loader | images | epoch, s (range) | images/s | times PyTorch | peak memory, MiB |\n|---|---|---|---|---|---|")
    for name, all_times in times.items():
        seconds, images = [t["epoch_s"] for t in all_times], all_times[0]["images"]
        middle = statistics.median(seconds)
        speed = f"{images / middle:,.0f}".replace(",", " ")
        print(f"| {name} | {images} | {middle:.2f} ({min(seconds):.2f}–{max(seconds):.2f}) | {speed} | {slowest / middle:.1f} | {max(t['peak_rss_mib'] for t in all_times):.0f} |")


if __name__ == "__main__":
    main()

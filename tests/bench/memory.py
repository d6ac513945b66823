#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the memory of a run: the plan's estimate, the process's peak and growth, and PyTorch's peak for the same network.

    python tests/bench/memory.py [--nets lenet5,resnet18-cifar] [--seconds 20] [--peer torch_bench.py]

Resident memory is read from /proc every 50 ms. "at the first steps" is the first reading after a step was reported, "last" the
last one before the run is stopped. --peer: a script that trains the same networks (see compare.py). Peaks are those of whole
processes, including libraries and data set.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time


def resident_mib(pid, key="VmRSS"):
    try:
        return int(re.search(rf"{key}:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1024
    except (OSError, TypeError):
        return 0.0


def watch(process, first_line, seconds):
    """Readings of the resident memory in MiB for `seconds`, from the moment a line containing `first_line` is printed."""
    seen = threading.Event()

    def read():
        for line in process.stdout:
            if first_line in line:
                seen.set()

    threading.Thread(target=read, daemon=True).start()
    while not seen.wait(0.05):
        if process.poll() is not None:
            sys.exit("the training ended before it began")
    readings, end = [], time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        readings.append(resident_mib(process.pid))
        time.sleep(0.05)
    return readings


def ours(net, a):
    with tempfile.TemporaryDirectory() as folder:
        project = f"{folder}/net.netwright"
        subprocess.run([a.cli, "new", "--template", net, "-o", project], check=True, capture_output=True)
        output = subprocess.run([a.cli, "check", project, "--plan"], check=True, capture_output=True, text=True).stdout
        plan = float(re.search(r"memory of the training: ([\d.]+) MiB", output)[1])
        command = [a.cli, "train", project, "--epochs", "1000000", "--threads", a.threads, "--json", "--run-dir", f"{folder}/run"]
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        readings = watch(process, '"loss"', a.seconds)
        peak = resident_mib(process.pid, "VmHWM")
        process.kill()
        process.wait()
        return plan, readings, peak


def peers(net, a):
    command = [sys.executable, a.peer, "--nets", net, "--modes", "eager", "--seconds", a.seconds, "--repeats", 1, "--threads", a.threads]
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, resident_mib(process.pid, "VmHWM"))
        time.sleep(0.05)
    return peak


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cli", default=here / "build/release/bin/netwright-cli")
    ap.add_argument("--nets", default="lenet5,resnet18-cifar")
    ap.add_argument("--seconds", type=float, default=20)
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--peer")
    a = ap.parse_args()
    print("| network | the plan says, MiB | at the first steps | last | growth | peak | PyTorch's peak | ratio |\n|---|---|---|---|---|---|---|---|")
    for net in a.nets.split(","):
        plan, readings, peak = ours(net, a)
        other = peers(net, a) if a.peer else 0
        ratio = f"{peak / other:.2f}" if other else ""
        print(f"| `{net}` | {plan:.1f} | {readings[0]:.1f} | {readings[-1]:.1f} | {readings[-1] - readings[0]:.1f} | {peak:.1f} | {other:.1f} | {ratio} |", flush=True)


if __name__ == "__main__":
    main()

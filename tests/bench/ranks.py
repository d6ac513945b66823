#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a network on one thread, on one device of several threads, on several devices and on several MPI ranks, in turns, or as a pipeline.

    python3 tests/bench/ranks.py NETWORK [--batch 64] [--count 2] [--images N] [--epochs 3] [--rounds 3] [--data FOLDER] [--cli PROGRAM]
    python3 tests/bench/ranks.py NETWORK --pipeline [--micro-batches 2,4,8] [--schedules 1f1b,gpipe] ...

Without --data the images are synthetic digits. Prints one Markdown row for each way: images per second of the last epoch (median and range), and
the median of the rounds' ratios to one thread and to the devices; the parts of a rank's step in milliseconds, and the share of the exchange of
gradients that computing hides. With --pipeline: the share of the stages' time in which they wait, predicted and measured in each epoch.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PARTS = ("compute_s", "communication_s", "wait_s", "input_s")


def environment():
    """Without what an outer mpirun has set; root may start ranks."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PMI_"))}
    return dict(kept, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def project_of(a, folder):
    path = Path(folder) / "network.netwright"
    subprocess.run([a.cli, "new", "--template", a.network, "-o", str(path)], check=True, capture_output=True)
    document = json.loads(path.read_text())
    if not a.data:
        document["data"].update(kind="synthetic", path="", synthetic_train=a.images, synthetic_test=100)
    document["training"].update(precision="fp32", batch=a.batch)
    path.write_text(json.dumps(document))
    return path


def events_of(a, project, run, before, options):
    """The events of one training."""
    command = [*before, a.cli, "train", str(project), "--run-dir", str(run), "--epochs", str(a.epochs), "--seed", "7", "--probes", "0",
               "--statistics", "0", "--quiet", *options, *(["--data", a.data, "--validation", "0"] if a.data else [])]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr[-800:]}")
    return [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]


def devices(count):
    return ["--device", ",".join(f"cpu:{i}" for i in range(count)), "--threads", str(count)]


def mpirun(count):
    return ["mpirun", "-n", str(count), "--oversubscribe", "--bind-to", "none"]


def ways(count):
    """{name: (what precedes the program, its options)}"""
    return {"one thread": ([], ["--threads", "1"]), f"one device, {count} threads": ([], ["--threads", str(count)]),
            f"{count} devices": ([], devices(count)), f"{count} ranks": (mpirun(count), ["--threads", "1"])}


def hidden(spans):
    """The share of the time in which gradients were on their way that the device spent in its backward pass; None: there were none."""
    backward = [s for s in spans if s["part"] == "backward"]
    buckets = [(s["begin_s"], s["end_s"]) for s in spans if s["part"] == "bucket"]
    if not backward or not buckets:
        return None
    covered = sum(max(0.0, min(end, backward[0]["end_s"]) - begin) for begin, end in buckets)
    return covered / sum(end - begin for begin, end in buckets)


def step_parts(events):
    """Text of the milliseconds of a step's parts on each rank in the last epoch, with the hidden share."""
    told = [e for e in events if e["type"] == "ranks" and e.get("whole_epoch")]
    texts = []
    for rank in told[-1]["ranks"] if told else []:
        parts = ", ".join(f"{rank.get(p, 0) / rank['steps'] * 1e3:.3g}" for p in PARTS)
        share = hidden(rank.get("spans", []))
        texts.append(parts + (f"; {share:.0%} hidden" if share is not None else ""))
    return " / ".join(texts)


def compare(a, project, folder):
    rates, last = {name: [] for name in ways(a.count)}, {}
    for number in range(a.rounds):
        for name, (before, options) in ways(a.count).items():
            events = events_of(a, project, Path(folder) / f"{number} {name}", before, options)
            rates[name].append([e for e in events if e["type"] == "epoch"][-1]["images_per_s"])
            last[name] = events
    one, several = list(rates.values())[0], list(rates.values())[2]
    print(f"| {a.network}, {a.batch} | images/s | to one thread | to devices | compute, communication, wait, images in ms |\n|---|---|---|---|---|")
    for name, all_rates in rates.items():
        ratio = [statistics.median(x / y for x, y in zip(all_rates, other)) for other in (one, several)]
        print(f"| {name} | {statistics.median(all_rates):,.0f} ({min(all_rates):,.0f}–{max(all_rates):,.0f}) | {ratio[0]:.2f} | {ratio[1]:.2f} | "
              f"{step_parts(last[name])} |", flush=True)


def pipelines(a, project, folder):
    print(f"| {a.network}, {a.batch} | stages | predicted | measured in each epoch |\n|---|---|---|---|")
    for schedule in a.schedules.split(","):
        for parts in a.micro_batches.split(","):
            for name, before, options in (("threads", [], devices(a.count)), ("ranks", mpirun(a.count), ["--device", "cpu", "--threads", "1"])):
                events = events_of(a, project, Path(folder) / f"{schedule} {parts} {name}", before,
                                   [*options, "--parallel", "model", "--micro-batches", parts, "--pipeline", schedule])
                predicted = next(e["predicted_bubble"] for e in events if e["type"] == "pipeline")
                measured = ", ".join(f"{e['bubble']:.1%}" for e in events if e["type"] == "pipeline_times")
                print(f"| {schedule}, {parts} micro-batches | {a.count} {name} | {predicted:.1%} | {measured} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--count", type=int, default=2)
    parser.add_argument("--images", type=int, default=60000)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--data", default="")
    parser.add_argument("--pipeline", action="store_true")
    parser.add_argument("--micro-batches", default="2,4,8")
    parser.add_argument("--schedules", default="1f1b,gpipe")
    parser.add_argument("--cli", default=str(TOP / "build/release/bin/netwright-cli"))
    a = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        (pipelines if a.pipeline else compare)(a, project_of(a, folder), folder)


if __name__ == "__main__":
    main()

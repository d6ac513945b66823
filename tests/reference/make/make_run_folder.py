#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes tests/reference/run-0.1: the folder of a stopped run as version 0.1 wrote it, with some events of each type. Run this
script with a netwright-cli of 0.1 only: the folder tests that later versions read the files of that version.

make_run_folder.py NETWRIGHT_CLI_OF_0.1"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

CLI = sys.argv[1]
HERE = pathlib.Path(__file__).resolve().parent.parent / "run-0.1"
KEPT = {"steps": 4, "device": 3, "split": 2}  # the newest of their type before each end; all events of other types
# A run on the CPU has no GPU metrics: these are example values in the fields that 0.1 wrote.
GPU = {"memory_mhz": 3201.0, "memory_total_bytes": 1.4e11, "memory_used_bytes": 1e10, "name": "H200",
       "nvlink_in_bytes_per_s": 3e10, "nvlink_out_bytes_per_s": 2e10, "own_memory_bytes": 9e9, "own_utilization": 90.0,
       "pcie_in_bytes_per_s": 5e9, "pcie_out_bytes_per_s": 1e8, "power_w": 650.5, "processor_mhz": 1980.0,
       "temperature_c": 61.0, "utilization": 98.0}


def control(run: pathlib.Path, *words: str) -> bool:
    return subprocess.run([CLI, "control", str(run), *words], capture_output=True).returncode == 0


def events(run: pathlib.Path) -> list[dict]:
    path = run / "events.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def wait_for(run: pathlib.Path, kind: str, count: int = 1) -> None:
    while sum(e["type"] == kind for e in events(run)) < count:
        time.sleep(0.05)


def train(project: pathlib.Path, run: pathlib.Path) -> None:
    process = subprocess.Popen([CLI, "train", str(project), "--run-dir", str(run), "-q", "--probes", "4"])
    wait_for(run, "device")
    control(run, "pause")
    wait_for(run, "paused")
    control(run, "set", "learning_rate", "0.002")
    control(run, "continue")
    wait_for(run, "epoch", 2)
    control(run, "stop")
    process.wait()
    process = subprocess.Popen([CLI, "resume", str(run), "-q"])
    wait_for(run, "resumed")
    wait_for(run, "epoch", 3)
    control(run, "stop")
    process.wait()


def shortened(lines: list[dict]) -> list[dict]:
    parts: list[list[dict]] = [[]]
    for event in lines:
        parts[-1].append(event)
        if event["type"] == "ended":
            parts.append([])
    kept = []
    for part in parts:
        for at, event in enumerate(part):
            newer = sum(e["type"] == event["type"] for e in part[at + 1:])
            if newer < KEPT.get(event["type"], len(part)):
                kept.append(event)
    return kept


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        project, run = pathlib.Path(folder) / "two-moons.netwright", pathlib.Path(folder) / "run"
        subprocess.run([CLI, "new", "--template", "mlp-moons", "-o", str(project)], check=True)
        document = json.loads(project.read_text())
        document["data"].update(synthetic_train=2000, synthetic_test=200)
        document["training"].update(epochs=100000, batch=64, keep_checkpoints=1, checkpoint_epochs=100000)
        project.write_text(json.dumps(document))
        train(project, run)
        lines = shortened(events(run))
        next(e for e in lines if e["type"] == "device")["gpus"] = [GPU]
        health = {"level": "warning", "schema": 1, "step": 1, "t": 0.01, "text": "the disk is slow", "type": "health",
                  "what": {"args": [], "source": "the disk is slow"}}
        lines.insert(1, health)
        text = "".join(json.dumps(e, sort_keys=True, separators=(",", ":")) + "\n" for e in lines)
        (run / "events.jsonl").write_text(text)
        for name in ("lock", "metrics.csv", "metrics.bin"):
            (run / name).unlink(missing_ok=True)
        for name in run.glob("events.out.*"):
            name.unlink()
        shutil.rmtree(HERE, ignore_errors=True)
        shutil.copytree(run, HERE)


main()

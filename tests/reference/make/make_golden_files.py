#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes tests/reference/golden/VERSION: files as this version writes them, which later versions must open. Run once for each version, with its
netwright-cli, before it is published; the files are never changed afterwards.

make_golden_files.py NETWRIGHT_CLI"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CLI = os.path.abspath(sys.argv[1])
VERSION = subprocess.run([CLI, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden" / VERSION
TEMPLATES = ["lenet5", "mlp-moons", "shapes-labels", "shapes-values", "convnet-tiny", "mobilenet-small", "resnet18-cifar", "vit_tiny"]
SPACE = {"format": 1, "parameters": [{"name": "learning_rate", "type": "real", "low": 0.001, "high": 0.1, "log": True},
                                     {"name": "batch", "type": "choice", "values": [32, 64]}]}


def cli(*words, folder=None, queue=None):
    environment = {**os.environ, **({"NETWRIGHT_QUEUE": str(queue)} if queue else {})}
    return subprocess.run([CLI, *map(str, words)], check=True, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True).stdout


def projects(work):
    (GOLDEN / "projects").mkdir()
    for name in TEMPLATES:
        cli("new", "--template", name, "-o", GOLDEN / "projects" / f"{name}.netwright")
    small = json.loads((GOLDEN / "projects/mlp-moons.netwright").read_text())
    small["data"].update(synthetic_train=600, synthetic_test=200)
    (work / "moons.netwright").write_text(json.dumps(small))


def runs(work):
    run = GOLDEN / "runs/moons"
    cli("train", work / "moons.netwright", "--epochs", 2, "--run-dir", run, "-q")
    (run / "notes.json").write_text(json.dumps({"name": "first", "notes": "a note", "schema": 1, "tags": ["kept"]}))
    for file in [*run.glob("events.out.*"), run / "metrics.csv", run / "log.txt", run / "lock"]:
        file.unlink(missing_ok=True)


def studies(work):
    (GOLDEN / "spaces").mkdir()
    (GOLDEN / "spaces/two.json").write_text(json.dumps(SPACE))
    (GOLDEN / "studies").mkdir()
    for pruner in ("none", "asha"):
        folder = work / f"study-{pruner}"
        cli("sweep", work / "moons.netwright", "--space", GOLDEN / "spaces/two.json", "--trials", 3, "--epochs", 3, "--pruner", pruner,
            "--dir", folder)
        shutil.copy(next(folder.glob("*.jsonl")), GOLDEN / f"studies/{pruner}.jsonl")


def queues(work):
    (GOLDEN / "queues").mkdir()
    queue = work / "queue"
    for _ in range(2):
        cli("queue", "add", "--hold", "train", work / "moons.netwright", queue=queue)
    text = (queue / "journal.jsonl").read_text().replace(str(work), "/home/user").replace(os.getcwd(), "/home/user")
    (GOLDEN / "queues/two.jsonl").write_text(text)


def bundles(work):
    (GOLDEN / "bundles").mkdir()
    cli("export", GOLDEN / "runs/moons", "--bundle", GOLDEN / "bundles/moons")


def main():
    shutil.rmtree(GOLDEN, ignore_errors=True)
    GOLDEN.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as work:
        for make in (projects, runs, studies, queues, bundles):
            make(pathlib.Path(work))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A LeNet-5 study on MNIST: `netwright-cli sweep --pruner asha`, the same with `--pruner none`, and Optuna 5.0, whose trials all
train to their end.

    python tests/search/asha_peer.py --cli build/release/bin/netwright-cli --data DIR --trials 60 --epochs 9 --seeds 3

All three have the same space, data, trials and seeds, and train with the same program. DIR is a folder with MNIST's four files
(gzip). --images N: of the training images the first N are taken and --share of them held out for validation, so that a study takes
minutes. Prints the best validation accuracy and the epochs of each for each seed, and the means; fails (code 1) if the mean of our
best with ASHA is below Optuna's by more than --margin, or its epochs are more than 60 % of Optuna's. A Python with optuna runs it.
"""
import argparse
import gzip
import json
import statistics
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SPACE = [{"name": "learning_rate", "type": "real", "low": 1e-4, "high": 0.5, "log": True},
         {"name": "batch", "type": "int", "low": 16, "high": 256, "log": True},
         {"name": "optimizer", "type": "choice", "values": ["sgd", "adam", "rmsprop"]},
         {"name": "conv1.out_channels", "type": "int", "low": 4, "high": 24, "step": 4},
         {"name": "conv2.out_channels", "type": "int", "low": 8, "high": 48, "step": 8},
         {"name": "l2", "type": "real", "low": 1e-7, "high": 1e-2, "log": True}]


FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


def cut(bytes_, count):
    """The first items of an IDX file (yann.lecun.com/exdb/mnist)."""
    sizes = struct.unpack(f">{bytes_[3]}I", bytes_[4:4 + 4 * bytes_[3]])
    count = min(count, sizes[0])
    each = 1
    for size in sizes[1:]:
        each *= size
    start = 4 + 4 * len(sizes)
    return bytes_[:4] + struct.pack(">I", count) + bytes_[8:start] + bytes_[start:start + count * each]


def small_mnist(source, folder, images):
    folder.mkdir()
    for name in FILES:
        whole = gzip.open(source / f"{name}.gz").read()
        (folder / name).write_bytes(cut(whole, images if name.startswith("train") else 100))
    return folder


def project(base, values, options):
    """The text of LeNet-5 with a trial's values."""
    doc = json.loads(base)
    for name, value in values.items():
        node, _, field = name.rpartition(".")
        if not node:
            doc["training"][name] = value
        for n in doc["network"]["nodes"]:
            if node and n["name"] == node:
                n.setdefault("attrs", {})[field] = value
    doc["training"]["epochs"] = options.epochs
    return json.dumps(doc)


def best_of(events):
    return max(e["validation_accuracy"] for e in events if e.get("type") == "epoch")


def suggest(trial, p):
    if p["type"] == "choice":
        return trial.suggest_categorical(p["name"], p["values"])
    if p["type"] == "int":
        return trial.suggest_int(p["name"], p["low"], p["high"], step=p.get("step", 1), log=p.get("log", False))
    return trial.suggest_float(p["name"], p["low"], p["high"], log=p.get("log", False))


def play_optuna(optuna, base, folder, seed, options):
    epochs = 0

    def objective(trial):
        nonlocal epochs
        file = folder / f"optuna{trial.number}.netwright"
        file.write_text(project(base, {p["name"]: suggest(trial, p) for p in SPACE}, options))
        done = subprocess.run([options.cli, "train", str(file), "--data", options.data, "--validation", str(options.share), "--json",
                               "--seed", str(seed), "--run-dir", str(folder / f"optuna{trial.number}")], capture_output=True, text=True)
        events = [json.loads(line) for line in done.stdout.splitlines()]
        epochs += sum(e.get("type") == "epoch" for e in events)
        if done.returncode:
            raise optuna.TrialPruned()
        return best_of(events)

    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed), direction="maximize")
    study.optimize(objective, n_trials=options.trials)
    return study.best_value, epochs


def play_ours(folder, pruner, seed, options):
    (folder / "space.json").write_text(json.dumps({"parameters": SPACE}))
    study = folder / pruner
    subprocess.run([options.cli, "sweep", str(folder / "lenet5.netwright"), "--space", str(folder / "space.json"), "--trials",
                    str(options.trials), "--epochs", str(options.epochs), "--pruner", pruner, "--data", options.data, "--validation",
                    str(options.share), "--seed", str(seed), "--dir", str(study), "--quiet"], check=True, stdout=subprocess.DEVNULL)
    records = [json.loads(line) for line in (study / "journal.jsonl").read_text().splitlines()]
    best = max(r["values"][0] for r in records if r["type"] == "trial_ended" and r["state"] == "complete")
    return best, sum(r["type"] == "report" for r in records)


def play_all(optuna, seed, options):
    """(best validation accuracy, epochs) of each of the three."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base = folder / "lenet5.netwright"
        subprocess.run([options.cli, "new", "--template", "lenet5", "-o", str(base)], check=True, capture_output=True)
        doc = json.loads(base.read_text())
        doc["training"]["threads"] = options.threads
        base.write_text(json.dumps(doc))
        plays = {"ASHA": lambda: play_ours(folder, "asha", seed, options),
                 "Optuna": lambda: play_optuna(optuna, base.read_text(), folder, seed, options),
                 "full training": lambda: play_ours(folder, "none", seed, options)}
        played = {}
        for who, play in plays.items():
            played[who] = play()
            print(f"seed {seed}: {who}: {played[who][0]:.4f} with {played[who][1]} epochs", flush=True)
    return played


def verdict(all_played, options):
    mean = {who: [statistics.fmean(p[who][i] for p in all_played) for i in (0, 1)] for who in all_played[0]}
    for who, (best, epochs) in mean.items():
        print(f"mean of {len(all_played)}: {who}: {best:.4f} with {epochs:.0f} epochs, {100 * epochs / mean['Optuna'][1]:.0f} % of Optuna's")
    return 1 if mean["ASHA"][0] < mean["Optuna"][0] - options.margin or mean["ASHA"][1] > 0.6 * mean["Optuna"][1] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="of each training; they change no byte")
    parser.add_argument("--images", type=int, default=8000)
    parser.add_argument("--share", type=float, default=0.25)
    parser.add_argument("--margin", type=float, default=0.001)
    options = parser.parse_args()
    try:
        import optuna
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 77
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    print(f"Optuna {optuna.__version__}")
    with tempfile.TemporaryDirectory() as name:
        options.data = str(small_mnist(Path(options.data), Path(name) / "mnist", options.images))
        return verdict([play_all(optuna, options.seed + i, options) for i in range(options.seeds)], options)


if __name__ == "__main__":
    sys.exit(main())

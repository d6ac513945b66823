#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A LeNet-5 study on MNIST: `netwright-cli sweep --pruner asha` beside Optuna 5.0, whose trials all train to their end.

    python tests/search/asha_peer.py --cli build/release/bin/netwright-cli --data DIR --trials 60 --epochs 9

Optuna's trials are trained by the same program. Prints the best validation accuracy and the epochs of both; fails (code 1) if
ours is lower than Optuna's by more than --margin, or needs more than 60 % of its epochs. --share S: the fraction of the training
images that is held out for validation, so that a study takes minutes. A Python with optuna runs it.
"""
import argparse
import json
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


def play_optuna(optuna, base, folder, options):
    epochs = 0

    def objective(trial):
        nonlocal epochs
        values = {}
        for p in SPACE:
            if p["type"] == "choice":
                values[p["name"]] = trial.suggest_categorical(p["name"], p["values"])
            elif p["type"] == "int":
                values[p["name"]] = trial.suggest_int(p["name"], p["low"], p["high"], step=p.get("step", 1), log=p.get("log", False))
            else:
                values[p["name"]] = trial.suggest_float(p["name"], p["low"], p["high"], log=p.get("log", False))
        file = folder / f"optuna{trial.number}.netwright"
        file.write_text(project(base, values, options))
        done = subprocess.run([options.cli, "train", str(file), "--data", options.data, "--validation", str(options.share), "--json",
                               "--run-dir", str(folder / f"optuna{trial.number}")], capture_output=True, text=True)
        events = [json.loads(line) for line in done.stdout.splitlines()]
        epochs += sum(e.get("type") == "epoch" for e in events)
        if done.returncode:
            raise optuna.TrialPruned()
        return best_of(events)

    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=options.seed), direction="maximize")
    study.optimize(objective, n_trials=options.trials)
    return study.best_value, epochs


def play_ours(folder, options):
    (folder / "space.json").write_text(json.dumps({"parameters": SPACE}))
    subprocess.run([options.cli, "sweep", "lenet5", "--space", str(folder / "space.json"), "--trials", str(options.trials), "--epochs",
                    str(options.epochs), "--pruner", "asha", "--data", options.data, "--validation", str(options.share), "--seed",
                    str(options.seed), "--dir", str(folder / "ours"), "--quiet"], check=True, stdout=subprocess.DEVNULL)
    records = [json.loads(line) for line in (folder / "ours" / "journal.jsonl").read_text().splitlines()]
    best = max(r["values"][0] for r in records if r["type"] == "trial_ended" and r["state"] == "complete")
    return best, sum(r["type"] == "report" for r in records)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, default=0.9)
    parser.add_argument("--margin", type=float, default=0.001)
    options = parser.parse_args()
    try:
        import optuna
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 77
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base = folder / "lenet5.netwright"
        subprocess.run([options.cli, "new", "--template", "lenet5", "-o", str(base)], check=True, stdout=subprocess.DEVNULL)
        ours, our_epochs = play_ours(folder, options)
        print(f"Netwright: {ours:.4f} with {our_epochs} epochs", flush=True)
        theirs, their_epochs = play_optuna(optuna, base.read_text(), folder, options)
        print(f"Optuna {optuna.__version__}: {theirs:.4f} with {their_epochs} epochs")
    share = our_epochs / their_epochs
    print(f"epochs: {100 * share:.0f} %")
    return 1 if ours < theirs - options.margin or share > 0.6 else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""A run's folder: its epochs and metrics as tables, its network's predictions."""
import csv
import json
from pathlib import Path

from netwright.program import run


def table(columns):
    """A pandas.DataFrame of these columns; a dict of numpy arrays, or of lists, where pandas or numpy is missing."""
    try:
        import pandas
        return pandas.DataFrame(columns)
    except ImportError:
        pass
    try:
        import numpy
        return {name: numpy.asarray(values) for name, values in columns.items()}
    except ImportError:
        return columns


def columns_of(rows):
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name) for row in rows] for name in names}


class Run:
    """A run folder. It is read when asked, so a run that is training can be followed."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.definition = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        self.name = self.definition["name"]
        self.classes = self.definition["classes"]

    def __repr__(self):
        return f"Run({str(self.folder)!r})"

    def facts(self):
        """Results, settings and checkpoints, as `netwright-cli runs show --json` prints them."""
        return json.loads(run("runs", "show", self.folder, "--json"))

    def epochs(self):
        """One row for each epoch: losses, accuracies, learning rate."""
        return table(columns_of(self.facts()["epochs"]))

    def metrics(self, name=None):
        """Every point of every curve, or of one ("train/loss"): step, epoch, time_s, name, value."""
        with open(self.folder / "metrics.csv", encoding="utf-8", newline="") as file:
            rows = [r for r in csv.DictReader(file) if name is None or r["name"] == name]
        kinds = {"step": int, "epoch": float, "time_s": float, "value": float}
        return table({key: [kinds.get(key, str)(r[key]) for r in rows] for key in ("step", "epoch", "time_s", "name", "value")})

    def predict(self, *images, checkpoint="best"):
        """One dict for each image file: file, predicted, class, confidence, probability."""
        return [json.loads(line) for line in run("predict", self.folder, *images, "--checkpoint", checkpoint, "--json").splitlines()]

    def evaluate(self, split="test", checkpoint="best"):
        """Accuracy, loss, confusion matrix and the metrics of every class."""
        return json.loads(run("evaluate", self.folder, "--split", split, "--checkpoint", checkpoint, "--json"))


def open_run(folder):
    """The run in this folder. Raises FileNotFoundError if there is none."""
    return Run(folder)

# SPDX-License-Identifier: Apache-2.0
"""Writes training and test set as tables of pixels, and reads them back for the twin; test sets are often degenerate."""
import csv
import math

import numpy as np

PIXEL, LABELS, VALUES = "p", "label", "values"


def targets_of(r, loss, outputs, samples, degenerate):
    """A list of the target cells of each sample. Degenerate: constant columns, classes without samples."""
    if loss in ("CrossEntropy", "BCE"):
        classes = max(2, outputs)
        kept = r.sample(range(classes), r.randint(1, classes - 1)) if degenerate else range(classes)
        return [[f"c{r.choice(list(kept))}"] for _ in range(samples)]
    constant = [degenerate and r.random() < 0.6 for _ in range(outputs)]
    if loss == "BCEWithLogits":
        fixed = [r.randint(0, 1) for _ in range(outputs)]
        return [[fixed[k] if constant[k] else r.randint(0, 1) for k in range(outputs)] for _ in range(samples)]
    level = [r.choice([0.1, -1.7, 0.0]) for _ in range(outputs)]
    return [[level[k] if constant[k] else round(r.gauss(0, 1), 4) for k in range(outputs)] for _ in range(samples)]


def write(file, r, names, targets, shape):
    """A column for each target, then the pixels in the order height, width, channel."""
    pixels = math.prod(shape)
    with open(file, "w", newline="") as out:
        table = csv.writer(out)
        table.writerow([*names, *(f"{PIXEL}{i}" for i in range(pixels))])
        for n, row in enumerate(targets):
            bright = 40 + 30 * (n % 5)
            table.writerow([*row, *(min(255, r.randrange(128) + bright) for _ in range(pixels))])


def draw_tables(r, folder, shape, loss, outputs, samples):
    """Writes train.csv and test.csv; the data choice of the project."""
    classes = loss in ("CrossEntropy", "BCE")
    names = ["label"] if classes else [f"t{k}" for k in range(outputs)]
    train = targets_of(r, loss, outputs, samples, False)
    if classes:
        train[:max(2, outputs)] = [[f"c{k}"] for k in range(max(2, outputs))]
    degenerate = r.random() < 0.5
    tested = r.choice([1, 2, 3]) if r.random() < 0.2 else r.randint(8, 30)
    write(folder / "train.csv", r, names, train, shape)
    write(folder / "test.csv", r, names, targets_of(r, loss, outputs, tested, degenerate), shape)
    target = "class" if classes else "labels" if loss == "BCEWithLogits" else "values"
    return {"kind": "csv", "path": str(folder / "train.csv"), "test_path": str(folder / "test.csv"), "target": target,
            "target_column": ",".join(names), "channels": shape[0], "height": shape[1], "width": shape[2],
            "normalize": r.random() < 0.8, "validation_fraction": 0.0, "resize": "bilinear"}


def read(file, columns):
    with open(file, newline="") as table:
        rows = list(csv.reader(table))[1:]
    return [row[:columns] for row in rows], np.array([row[columns:] for row in rows], dtype=np.float64)


def load(data):
    """(training images, training targets, test images, test targets, names of the classes) of a project's data choice."""
    columns = data["target_column"].count(",") + 1
    sets = [read(data[key], columns) for key in ("path", "test_path")]
    shape = data["height"], data["width"], data["channels"]
    images = [pixels.reshape(-1, *shape).transpose(0, 3, 1, 2) / 255 for _, pixels in sets]
    mean, deviation = np.zeros((1, shape[2], 1, 1)), np.ones((1, shape[2], 1, 1))
    if data["normalize"]:
        mean, deviation = (f(images[0], axis=(0, 2, 3), keepdims=True) for f in (np.mean, np.std))
        deviation = np.where(deviation > 0, deviation, 1)
    images = [(x - mean) / deviation for x in images]
    classes = sorted({row[0] for rows, _ in sets for row in rows}) if data["target"] == "class" else []
    if classes:
        targets = [np.array([classes.index(row[0]) for row in rows]) for rows, _ in sets]
    else:
        targets = [np.array(rows, dtype=np.float32).astype(np.float64) for rows, _ in sets]
    return images[0], targets[0], images[1], targets[1], classes

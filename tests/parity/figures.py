# SPDX-License-Identifier: Apache-2.0
"""Compares the metrics that the product reports with those of metrics.py, computed from the twin's answers."""
import numpy as np

import metrics

ALLOWED, FLOOR = 40, 2e-6
COUNTED = ("accuracy", "precision", "recall", "f1", "roc_auc", "average_precision", "top_k", "expected_error", "largest_error")


def flatten(value, name, into):
    """{"macro": {"f1": 1}} becomes {"macro.f1": 1}."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        into[name] = value
        return into
    for key, one in items:
        flatten(one, f"{name}.{key}" if name else str(key), into)
    return into


def close(numbers, distance):
    """Are two numbers of a row so close?"""
    return bool((np.diff(np.sort(numbers, axis=-1), axis=-1) < distance).any())


def turned_by_rounding(target, exact, rounded):
    """May an error of rounding turn an order, a decision or a bin? Equal rows are equal in any precision."""
    distance = 8 * float(np.abs(exact - rounded).max()) + 2e-7
    edges = np.abs(exact[..., None] - np.linspace(0, 1, 11)).min() < distance
    return edges or close(exact.T, distance) or (target == "class" and close(exact, distance))


def metrics_of(target, answers, targets):
    if target == "values":
        return metrics.of_values(answers, targets)
    answers = answers.astype(np.float32)
    if target == "labels":
        return metrics.of_labels(answers, targets)
    return metrics.of_classes(answers, targets)


def compare_figures(target, said, exact, rounded, targets, problems):
    """[(figure, error, rounding)]. What cannot be told from rounding is left out; what is undefined must be null."""
    ours = flatten({**(said.get("metrics") or {}), "values": said.get("values", []), "accuracy": said["accuracy"]}, "", {})
    twin, other = (flatten(metrics_of(target, a, targets), "", {}) for a in (exact, rounded))
    turned, found = target != "values" and turned_by_rounding(target, exact, rounded), []
    for name, value in twin.items():
        figure = "r2" if target == "values" and name == "accuracy" else next(
            (part for part in reversed(name.split(".")) if not part.isdigit()), name)
        if turned and figure in COUNTED and value is not None:
            continue
        found += [(figure, *compare_one(name, ours.get(name, "missing"), value, other[name], problems))]
    return found


def compare_one(name, ours, value, other, problems):
    """(error, rounding), relative to 1 or to a larger value."""
    if value is None or not isinstance(ours, (int, float)):
        if ours is not value:
            problems.append(f"metric {name}: {ours}, by its definition {value}")
        return 0.0, 0.0
    scale = max(1.0, abs(value))
    error, rounding = abs(ours - value) / scale, abs(other - value) / scale
    if not error <= FLOOR + ALLOWED * rounding:
        problems.append(f"metric {name}: {ours}, by its definition {value}")
    return error, rounding

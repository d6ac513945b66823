# SPDX-License-Identifier: Apache-2.0
"""Metrics by their definitions (as scikit-learn's), written with numpy and as directly as possible. None: undefined."""
import numpy as np


def divide(part, whole):
    return part / whole if whole else 0.0


def roc_auc(score, positive):
    """The share of pairs (positive, negative) in the right order; a tie counts half."""
    yes, no = score[positive], score[~positive]
    if not len(yes) or not len(no):
        return None
    return float(np.mean((yes[:, None] > no).astype(float) + (yes[:, None] == no) / 2))


def average_precision(score, positive):
    """Sum over distinct thresholds of (growth of recall) x precision."""
    if not positive.any():
        return None
    area, recall = 0.0, 0.0
    for threshold in sorted(set(score), reverse=True):
        chosen = score >= threshold
        now = positive[chosen].sum() / positive.sum()
        area += (now - recall) * positive[chosen].mean()
        recall = now
    return float(area)


def calibration(confidence, right, bins=10):
    """Expected and largest calibration error (Guo et al., 2017) over bins (from, to] of equal width."""
    expected = largest = 0.0
    edges = np.linspace(0, 1, bins + 1)
    for k in range(bins):
        inside = (confidence > edges[k]) & (confidence <= edges[k + 1])
        if inside.any():
            gap = abs(confidence[inside].mean() - right[inside].mean())
            expected += gap * inside.mean()
            largest = max(largest, gap)
    return {"expected_error": float(expected), "largest_error": float(largest)}


def class_metrics(score, positive, read):
    hits = (read & positive).sum()
    return {"support": int(positive.sum()), "precision": divide(hits, read.sum()), "recall": divide(hits, positive.sum()),
            "f1": divide(2 * hits, read.sum() + positive.sum()), "roc_auc": roc_auc(score, positive),
            "average_precision": average_precision(score, positive)}


def mean(classes, figure, weighted):
    """Over the classes that define the figure."""
    known = [(c[figure], c["support"] if weighted else 1) for c in classes if c[figure] is not None]
    weights = sum(w for _, w in known)
    empty = None if figure in ("roc_auc", "average_precision") else 0.0
    return sum(v * w for v, w in known) / weights if weights else empty


def means(classes):
    figures = [f for f in classes[0] if f != "support"]
    return {name: {f: mean(classes, f, weighted) for f in figures} for name, weighted in (("macro", False), ("weighted", True))}


def of_classes(p, label):
    """p: (samples, classes). The first of equal probabilities counts as the larger."""
    best = p.argmax(1)
    classes = [class_metrics(p[:, c], label == c, best == c) for c in range(p.shape[1])]
    rank = [list(np.argsort(-row, kind="stable")).index(t) for row, t in zip(p, label)]
    top = [float(np.mean(np.array(rank) <= k)) for k in range(min(5, p.shape[1]))]
    return {"classes": classes, **means(classes), "top_k": top, "calibration": calibration(p.max(1), best == label),
            "accuracy": float(np.mean(best == label))}


def of_labels(p, targets):
    """p: (samples, labels). A sample is right if all its labels are."""
    yes, truth = p > 0.5, targets > 0.5
    classes = [class_metrics(p[:, k], truth[:, k], yes[:, k]) for k in range(p.shape[1])]
    confidence, right = np.where(yes, p, 1 - p), yes == truth
    return {"classes": classes, **means(classes), "calibration": calibration(confidence.ravel(), right.ravel()),
            "accuracy": float(right.all(1).mean())}


def of_values(answers, targets):
    """R2 of each column, and weighted by variance over those that are not constant."""
    rows, errors, spreads = [], 0.0, 0.0
    for a, t in zip(answers.T, targets.T):
        error = float(((a - t) ** 2).sum())
        constant = bool((t == t[0]).all())
        spread = 0.0 if constant else float(((t - t.mean()) ** 2).sum())
        errors, spreads = errors + (0 if constant else error), spreads + spread
        rows.append({"r2": None if constant else 1 - error / spread, "mean": float(t.mean()), "deviation": float(t.std()),
                     "mae": float(abs(a - t).mean()), "rmse": (error / len(t)) ** 0.5})
    return {"values": rows, "accuracy": 1 - errors / spreads if spreads else None}

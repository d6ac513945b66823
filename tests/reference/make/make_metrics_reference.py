#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes metrics.json, which tests/engine/predict/metrics_test.cpp compares with: scikit-learn's results for 300 generated predictions.

    python tests/reference/make/make_metrics_reference.py    # needs scikit-learn and torch (for make_reference's formula)

Scores of sample i and class c are floor(u("scores", 4 i + c) * 40) / 40, plus 3/4 where c is the label, normalized to a sum of 1
in float32; many scores are therefore equal. Labels are floor(u("labels", i) * 3.5): class 3 is rare.
"""
import json
import pathlib

import numpy as np
from make_reference import u
from sklearn import metrics
from sklearn.calibration import calibration_curve

SAMPLES, CLASSES = 300, 4


def of_labels(scores):
    """Four labels per sample; label c is present if u("many", 4 i + c) < 0.4. Probabilities are the scores above, clamped to 1."""
    truth = u("many", SAMPLES * CLASSES).numpy().reshape(SAMPLES, CLASSES) < 0.4
    p = np.minimum(np.float32(1), scores.astype(np.float32))
    precision, recall, f1, support = metrics.precision_recall_fscore_support(truth, p > 0.5, zero_division=0)
    return {"labels": {"precision": precision.tolist(), "recall": recall.tolist(), "f1": f1.tolist(), "support": support.tolist(),
                       "macro_f1": metrics.f1_score(truth, p > 0.5, average="macro"), "subset_accuracy": metrics.accuracy_score(truth, p > 0.5),
                       "roc_auc": metrics.roc_auc_score(truth, p, average=None).tolist(), "average_precision": metrics.average_precision_score(truth, p, average=None).tolist()}}


def of_values():
    """Two targets per sample, 10 u("true", 2 i + c), and two predictions, the target plus u("off", 2 i + c) - 1/2."""
    truth = (10 * u("true", SAMPLES * 2).numpy()).astype(np.float32).reshape(SAMPLES, 2)
    predicted = (truth + u("off", SAMPLES * 2).numpy().reshape(SAMPLES, 2) - 0.5).astype(np.float32)
    return {"values": {"mae": metrics.mean_absolute_error(truth, predicted, multioutput="raw_values").tolist(), "rmse": metrics.root_mean_squared_error(truth, predicted, multioutput="raw_values").tolist(),
                       "r2": metrics.r2_score(truth.astype(np.float64), predicted.astype(np.float64), multioutput="raw_values").tolist(),
                       "r2_of_all": metrics.r2_score(truth.astype(np.float64), predicted.astype(np.float64), multioutput="variance_weighted")}}


def of_constant_values():
    """Three targets per sample: 10 u("true", 3 i + c), 0.5 in every sample, 5 u("true", 3 i + c); predictions as above."""
    truth = u("true", SAMPLES * 3).numpy().reshape(SAMPLES, 3) * np.array([10, 0, 5])
    truth[:, 1] = 0.5
    truth = truth.astype(np.float32)
    predicted = (truth + u("off", SAMPLES * 3).numpy().reshape(SAMPLES, 3) - 0.5).astype(np.float32)
    r2 = [metrics.r2_score(truth.astype(np.float64), predicted.astype(np.float64), multioutput=how) for how in ("raw_values", "variance_weighted")]
    return {"constant_values": {"r2": r2[0].tolist(), "r2_of_all": r2[1]}}


def main():
    labels = np.floor(u("labels", SAMPLES).numpy() * 3.5).astype(int)
    scores = np.floor(u("scores", SAMPLES * CLASSES).numpy() * 40).reshape(SAMPLES, CLASSES) / 40
    scores[np.arange(SAMPLES), labels] += 0.75
    p = scores.astype(np.float32)
    p = p / p.sum(1, keepdims=True, dtype=np.float32)
    read = p.argmax(1)
    precision, recall, f1, support = metrics.precision_recall_fscore_support(labels, read, zero_division=0)
    out = {"precision": precision.tolist(), "recall": recall.tolist(), "f1": f1.tolist(), "support": support.tolist(), "roc_auc": [], "average_precision": []}
    for c in range(CLASSES):
        out["roc_auc"].append(metrics.roc_auc_score(labels == c, p[:, c]))
        out["average_precision"].append(metrics.average_precision_score(labels == c, p[:, c]))
    for name in ("macro", "weighted"):
        out[name] = list(metrics.precision_recall_fscore_support(labels, read, average=name, zero_division=0)[:3])
    fpr, tpr, _ = metrics.roc_curve(labels == 1, p[:, 1], drop_intermediate=False)
    out["roc"] = [fpr.tolist(), tpr.tolist()]
    y, x, _ = metrics.precision_recall_curve(labels == 1, p[:, 1], drop_intermediate=False)
    out["precision_recall"] = [x.tolist()[::-1], y.tolist()[::-1]]
    out["top_k"] = [metrics.top_k_accuracy_score(labels, p + np.linspace(1e-7, 0, CLASSES), k=k) for k in range(1, CLASSES)] + [1.0]
    confidence, right = p.max(1), read == labels
    true, mean = calibration_curve(right, confidence, n_bins=10)
    out["calibration"] = [mean.tolist(), true.tolist()]
    out.update(of_labels(scores) | of_values() | of_constant_values())
    (pathlib.Path(__file__).resolve().parents[1] / "metrics.json").write_text(json.dumps(out) + "\n")


if __name__ == "__main__":
    main()

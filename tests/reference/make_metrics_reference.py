#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes metrics.json, which tests/engine/predict/metrics_test.cpp compares with: scikit-learn's word on 300 made-up predictions.

    python tests/reference/make_metrics_reference.py    # needs scikit-learn and torch (for make_reference's formula)

Scores of sample i and class c are floor(u("scores", 4 i + c) * 40) / 40, plus 3/4 where c is the label, made to add up to 1 in
float32; so many are equal. Labels are floor(u("labels", i) * 3.5): class 3 is rare.
"""
import json
import pathlib

import numpy as np
from make_reference import u
from sklearn import metrics
from sklearn.calibration import calibration_curve

SAMPLES, CLASSES = 300, 4


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
    pathlib.Path(__file__).with_name("metrics.json").write_text(json.dumps(out) + "\n")


if __name__ == "__main__":
    main()

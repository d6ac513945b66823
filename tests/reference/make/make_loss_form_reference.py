#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes loss_forms.json: losses with weights and focus, and their gradients by the scores, in float64, by
torch.nn.functional and torchvision.ops.sigmoid_focal_loss; the focal loss of a softmax is written out, since neither has
it. "divisor" is what the sum over samples is divided by. Needs torch and torchvision."""
import json
import pathlib

import torch
import torch.nn.functional as F
import torchvision

torch.manual_seed(7)
N, K = 5, 4
SCORES = (torch.randn(N, K, dtype=torch.float64) * 2).float().double()
LABELS = torch.tensor([0, 3, 1, 1, 2])
SHARES = torch.softmax(torch.randn(N, K, dtype=torch.float64), 1).float().double()
TARGETS = torch.tensor([[1, 0, 0, 1], [0, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1], [0, 1, 1, 0]], dtype=torch.float64)
WEIGHTS = torch.tensor([0.5, 2.0, 1.25, 4.0], dtype=torch.float64)


def focal(x, wanted, gamma):
    p = torch.softmax(x, 1)
    return -(wanted * (1 - p) ** gamma * torch.log_softmax(x, 1)).sum(1)


def one_hot(smoothing):
    return F.one_hot(LABELS, K).double() * (1 - smoothing) + smoothing / K


of_labels = WEIGHTS[LABELS].sum()
cases = [
    ("weights", "cross_entropy", "labels", {"class_weights": WEIGHTS},
     lambda x: F.cross_entropy(x, LABELS, weight=WEIGHTS), of_labels),
    ("weights_smoothed", "cross_entropy", "labels", {"class_weights": WEIGHTS, "label_smoothing": 0.2},
     lambda x: F.cross_entropy(x, LABELS, weight=WEIGHTS, label_smoothing=0.2), of_labels),
    ("weights_of_shares", "cross_entropy", "shares", {"class_weights": WEIGHTS, "label_smoothing": 0.1},
     lambda x: F.cross_entropy(x, SHARES, weight=WEIGHTS, label_smoothing=0.1), N),
    ("focal", "cross_entropy", "labels", {"focal_gamma": 2.0}, lambda x: focal(x, one_hot(0), 2).mean(), N),
    ("focal_below_one", "cross_entropy", "labels", {"focal_gamma": 0.5}, lambda x: focal(x, one_hot(0), 0.5).mean(), N),
    ("focal_weights_smoothed", "cross_entropy", "labels",
     {"focal_gamma": 1.5, "class_weights": WEIGHTS, "label_smoothing": 0.1},
     lambda x: focal(x, WEIGHTS * one_hot(0.1), 1.5).sum() / of_labels, of_labels),
    ("focal_of_shares", "cross_entropy", "shares", {"focal_gamma": 2.0}, lambda x: focal(x, SHARES, 2).mean(), N),
    ("positive", "bce_with_logits", "targets", {"pos_weight": WEIGHTS},
     lambda x: F.binary_cross_entropy_with_logits(x, TARGETS, pos_weight=WEIGHTS), N),
    ("binary_focal", "bce_with_logits", "targets", {"focal_gamma": 2.0},
     lambda x: torchvision.ops.sigmoid_focal_loss(x, TARGETS, alpha=-1, gamma=2, reduction="mean"), N),
    # alpha and 1 - alpha differ from pos_weight by a common factor alone
    ("binary_focal_alpha", "bce_with_logits", "targets",
     {"focal_gamma": 1.5, "pos_weight": torch.full((K,), 0.25 / 0.75, dtype=torch.float64)},
     lambda x: torchvision.ops.sigmoid_focal_loss(x, TARGETS, alpha=0.25, gamma=1.5, reduction="mean") / 0.75, N),
]


def listed(value):
    return value.flatten().tolist() if isinstance(value, torch.Tensor) else value


def measured(name, kernel, wanted, attrs, function, divisor):
    x = SCORES.clone().requires_grad_()
    loss = function(x)
    loss.backward()
    return {"name": name, "kernel": kernel, "wanted": wanted, "attrs": {k: listed(v) for k, v in attrs.items()},
            "loss": loss.item(), "divisor": float(divisor), "gradient": listed(x.grad)}


(pathlib.Path(__file__).resolve().parents[1] / "loss_forms.json").write_text(json.dumps(
    {"made_with": {"torch": torch.__version__, "torchvision": torchvision.__version__}, "scores": listed(SCORES),
     "labels": listed(LABELS), "shares": listed(SHARES), "targets": listed(TARGETS),
     "cases": [measured(*case) for case in cases]}, indent=1) + "\n")

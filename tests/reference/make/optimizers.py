#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes optimizers.json, which tests/kernels/optimizers_test.cpp compares with: six steps of each optimizer, float32.

    python tests/reference/make/optimizers.py      # needs torch; writes tests/reference/optimizers.json

SGD, Adam, AdamW, RMSprop, Adagrad and NAdam are torch.optim's. Lion (Chen et al., 2023, algorithm 2) and LARS (You, Gitman
and Ginsburg, 2017, algorithm 1; the unscaled rate where a norm is 0) are implemented here from their papers.

Two weights of 5 and 33 elements; t is the index of the weight, i that of the element. All numbers are exact in float32:

    weight at the start    ((11 i + 3 t) mod 23 - 11) / 16
    gradient of a step     ((7 i + 13 step + 5 t) mod 31 - 15) / 64 + 1 / 256

"fields" are the optimizer's fields in Netwright; l1 and l2 are the settings of that name (l2 is torch.optim's weight_decay where
it is added to the gradient). Stored: both weights after the first and the last step.
"""
import json
import pathlib

import torch

SIZES, STEPS = (5, 33), 6
o = torch.optim


def start(t):
    return ((11 * torch.arange(SIZES[t]) + 3 * t) % 23 - 11).float() / 16


def gradient(t, step):
    return ((7 * torch.arange(SIZES[t]) + 13 * step + 5 * t) % 31 - 15).float() / 64 + 1 / 256


class Lion(o.Optimizer):
    def __init__(self, params, lr, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                beta1, beta2 = group["betas"]
                mixed = beta1 * m + (1 - beta1) * p.grad
                assert mixed.abs().min() > 1e-4, "a sign that rounding could turn proves nothing"
                p.mul_(1 - group["lr"] * group["weight_decay"]).sub_(group["lr"] * mixed.sign())
                m.mul_(beta2).add_(p.grad, alpha=1 - beta2)


class Lars(o.Optimizer):
    def __init__(self, params, lr, momentum=0.9, weight_decay=0.0, trust_coefficient=0.001):
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay, trust=trust_coefficient))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                v = self.state[p].setdefault("v", torch.zeros_like(p))
                decay, w, g = group["weight_decay"], p.norm(), p.grad.norm()
                trust = group["trust"] * w / (g + decay * w) if w > 0 and g > 0 else 1.0
                v.mul_(group["momentum"]).add_(group["lr"] * trust * (p.grad + decay * p))
                p.sub_(v)


def run(make, max_norm, frozen_start):
    weights = [torch.nn.Parameter(torch.zeros(n) if frozen_start else start(t)) for t, n in enumerate(SIZES)]
    optimizer = make(weights)
    kept = []
    for step in range(STEPS):
        for t, w in enumerate(weights):
            w.grad = gradient(t, step)
        if max_norm:
            torch.nn.utils.clip_grad_norm_(weights, max_norm)
        optimizer.step()
        if step in (0, STEPS - 1):
            kept.append([[float(f"{v:.9g}") for v in w.tolist()] for w in weights])
    return kept


L2 = {"l2": 0.05}
CASES = [
    ("plain", "sgd", 0.1, {"momentum": 0}, lambda p: o.SGD(p, 0.1)),
    ("momentum", "sgd", 0.1, {"momentum": 0.9}, lambda p: o.SGD(p, 0.1, momentum=0.9)),
    ("momentum_l2", "sgd", 0.1, {"momentum": 0.9, **L2}, lambda p: o.SGD(p, 0.1, momentum=0.9, weight_decay=0.05)),
    ("nesterov_l2", "sgd", 0.1, {"momentum": 0.9, "nesterov": True, **L2},
     lambda p: o.SGD(p, 0.1, momentum=0.9, nesterov=True, weight_decay=0.05)),
    ("momentum_clipped", "sgd", 0.1, {"momentum": 0.9}, lambda p: o.SGD(p, 0.1, momentum=0.9), 0.25),
    ("defaults", "adam", 0.01, {}, lambda p: o.Adam(p, 0.01)),
    ("other_betas_l2", "adam", 0.01, {"beta1": 0.8, "beta2": 0.99, "epsilon": 1e-6, **L2},
     lambda p: o.Adam(p, 0.01, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.05)),
    ("defaults", "adamw", 0.01, {}, lambda p: o.AdamW(p, 0.01)),
    ("decay", "adamw", 0.01, {"weight_decay": 0.3}, lambda p: o.AdamW(p, 0.01, weight_decay=0.3)),
    ("defaults", "rmsprop", 0.01, {}, lambda p: o.RMSprop(p, 0.01)),
    ("momentum_l2", "rmsprop", 0.01, {"momentum": 0.9, **L2},
     lambda p: o.RMSprop(p, 0.01, momentum=0.9, weight_decay=0.05)),
    ("centered", "rmsprop", 0.01, {"alpha": 0.9, "epsilon": 1e-4, "centered": True},
     lambda p: o.RMSprop(p, 0.01, alpha=0.9, eps=1e-4, centered=True)),
    ("centered_momentum", "rmsprop", 0.01, {"centered": True, "momentum": 0.5, "alpha": 0.95},
     lambda p: o.RMSprop(p, 0.01, alpha=0.95, centered=True, momentum=0.5)),
    ("defaults", "adagrad", 0.1, {}, lambda p: o.Adagrad(p, 0.1)),
    ("rate_decay_l2", "adagrad", 0.1, {"learning_rate_decay": 0.5, "epsilon": 1e-3, **L2},
     lambda p: o.Adagrad(p, 0.1, lr_decay=0.5, eps=1e-3, weight_decay=0.05)),
    ("defaults", "nadam", 0.01, {}, lambda p: o.NAdam(p, 0.01)),
    ("fast_momentum_l2", "nadam", 0.01, {"beta1": 0.8, "beta2": 0.99, "epsilon": 1e-4, "momentum_decay": 0.5, **L2},
     lambda p: o.NAdam(p, 0.01, betas=(0.8, 0.99), eps=1e-4, momentum_decay=0.5, weight_decay=0.05)),
    ("constant_momentum", "nadam", 0.01, {"momentum_decay": 0}, lambda p: o.NAdam(p, 0.01, momentum_decay=0)),
    ("defaults", "lion", 0.01, {}, lambda p: Lion(p, 0.01)),
    ("decay", "lion", 0.01, {"beta1": 0.95, "beta2": 0.8, "weight_decay": 0.3},
     lambda p: Lion(p, 0.01, (0.95, 0.8), 0.3)),
    ("defaults", "lars", 1.0, {}, lambda p: Lars(p, 1.0)),
    ("decay", "lars", 0.5, {"momentum": 0.8, "weight_decay": 0.2, "trust_coefficient": 0.1},
     lambda p: Lars(p, 0.5, 0.8, 0.2, 0.1)),
    ("plain", "lars", 0.5, {"momentum": 0, "trust_coefficient": 0.1}, lambda p: Lars(p, 0.5, 0, 0, 0.1)),
    ("from_zero", "lars", 0.1, {"trust_coefficient": 0.1}, lambda p: Lars(p, 0.1, trust_coefficient=0.1), None, True),
]

cases = []
for name, optimizer, rate, fields, make, *rest in CASES:
    max_norm, zeros = (*rest, None, None)[:2]
    first, last = run(make, max_norm, zeros)
    cases.append({"name": name, "optimizer": optimizer, "learning_rate": rate, "fields": fields, "max_norm": max_norm or 0,
                  "start_at_zero": bool(zeros), "first": first, "last": last})
out = pathlib.Path(__file__).parent.with_name("optimizers.json")
out.write_text(json.dumps({"made_with": f"PyTorch {torch.__version__.split('+')[0]}", "cases": cases}, separators=(",", ":")) + "\n")

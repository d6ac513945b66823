# SPDX-License-Identifier: Apache-2.0
"""Optimizers and learning-rate schedules of the twin: torch.optim where it has them, Lion and LARS from their papers."""
import math

import torch


class Lion(torch.optim.Optimizer):
    """Chen et al., "Symbolic discovery of optimization algorithms", 2023, algorithm 2."""

    def __init__(self, groups, lr, betas):
        super().__init__(groups, dict(lr=lr, betas=betas, weight_decay=0.0))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                mixed = beta1 * m + (1 - beta1) * p.grad
                self.state[p]["unsure"] = (mixed != 0) & (mixed.abs() < 3e-5 * mixed.abs().max())
                p.sub_(group["lr"] * (torch.sign(mixed) + group["weight_decay"] * p))
                m.mul_(beta2).add_((1 - beta2) * p.grad)


class Lars(torch.optim.Optimizer):
    """You, Gitman and Ginsburg, "Large batch training of convolutional networks", 2017, algorithm 1."""

    def __init__(self, groups, lr, momentum, trust):
        super().__init__(groups, dict(lr=lr, momentum=momentum, trust=trust, weight_decay=0.0))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            decay = group["weight_decay"]
            for p in group["params"]:
                norm, of_gradient = p.norm(), p.grad.norm()
                local = group["trust"] * norm / (of_gradient + decay * norm) if norm > 0 and of_gradient > 0 else 1.0
                v = self.state[p].setdefault("v", torch.zeros_like(p))
                v.mul_(group["momentum"]).add_(group["lr"] * local * (p.grad + decay * p))
                p.sub_(v)


def make_optimizer(s, decaying, others):
    """`s`: the settings of a project. Weight decay acts on the weights `decaying` only."""
    decay = s.get("weight_decay", 0.0)
    groups = [{"params": decaying, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]
    groups = [g for g in groups if g["params"]]
    lr, betas, eps = s["learning_rate"], (s.get("beta1"), s.get("beta2")), s.get("epsilon")
    o = torch.optim
    makers = {
        "sgd": lambda: o.SGD(groups, lr, momentum=s["momentum"], nesterov=s.get("nesterov", False)),
        "adam": lambda: o.Adam(groups, lr, betas, eps), "adamw": lambda: o.AdamW(groups, lr, betas, eps),
        "nadam": lambda: o.NAdam(groups, lr, betas, eps, momentum_decay=s["momentum_decay"]),
        "rmsprop": lambda: o.RMSprop(groups, lr, s["alpha"], eps, momentum=s["momentum"], centered=s["centered"]),
        "adagrad": lambda: o.Adagrad(groups, lr, s["learning_rate_decay"], eps=eps),
        "lion": lambda: Lion(groups, lr, betas),
        "lars": lambda: Lars(groups, lr, s["momentum"], s["trust_coefficient"]),
    }
    return makers[s["optimizer"]]()


def learning_rate(s, step, per_epoch):
    """Linear warm-up from 0, then constant, in steps of epochs, or one period of a cosine (SGDR) over the rest."""
    top, warm = s["learning_rate"], int(math.floor(s["warmup_epochs"] * per_epoch + 0.5))
    if step < warm:
        return top * (step + 1) / warm
    if s["schedule"] == "step":
        return top * s["step_gamma"] ** (step // per_epoch // s["step_epochs"])
    if s["schedule"] == "cosine":
        done = (step - warm) / (s["epochs"] * per_epoch - warm)
        return s["min_learning_rate"] + (top - s["min_learning_rate"]) * (1 + math.cos(math.pi * done)) / 2
    return top

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes schedules.json: the learning rate of every update by torch.optim.lr_scheduler, and averages of weights by
torch.optim.swa_utils. Needs torch."""
import json
import os

import torch
from torch.optim import lr_scheduler as lr

PER_EPOCH, EPOCHS, RATE = 7, 12, 0.3
STEPS = PER_EPOCH * EPOCHS
FIGURES = [0.5, 0.6, 0.6, 0.60001, 0.59, 0.7, 0.7, 0.69, 0.7, 0.65, 0.6, 0.6]
LOSSES = [1.0, 0.9, 0.9, 0.89995, 0.95, 0.5, 0.5, 0.6, 0.5, 0.7, 0.7, 0.7]


def optimizer():
    return torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=RATE, momentum=0.9)


def rates(make):
    o = optimizer()
    schedule = make(o)
    out = []
    for _ in range(STEPS):
        out.append(o.param_groups[0]["lr"])
        o.step()
        schedule.step()
    return out


def plateau(figures, mode, **options):
    o = optimizer()
    schedule = lr.ReduceLROnPlateau(o, mode=mode, **options)
    out = []
    for figure in figures:
        out.append(o.param_groups[0]["lr"])
        schedule.step(figure)
    return out


def swa(start, rate, anneal, make, strategy):
    """As in the documentation of torch.optim.swa_utils; `start`: 1-based, the first epoch that is averaged."""
    o = optimizer()
    schedule, averaging = make(o), None
    out = []
    for epoch in range(EPOCHS):
        out += [o.param_groups[0]["lr"]] * PER_EPOCH
        o.step()
        if epoch + 1 >= start:
            averaging = averaging or torch.optim.swa_utils.SWALR(o, swa_lr=rate, anneal_epochs=anneal, anneal_strategy=strategy)
            averaging.step()
        else:
            schedule.step()
    return out


def averages(decay):
    model = torch.nn.Linear(2, 1, bias=False)
    average = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(decay))
    out = []
    for step in range(5):
        with torch.no_grad():
            model.weight.copy_(torch.tensor([[step * step - 2.0, 1.0 / (step + 1)]]))
        average.update_parameters(model)
        out.append(average.module.weight.flatten().tolist())
    return out


def main():
    cases = [
        ({"schedule": "one_cycle"}, lambda o: lr.OneCycleLR(o, RATE, total_steps=STEPS, cycle_momentum=False)),
        ({"schedule": "one_cycle", "pct_start": 0.4, "div_factor": 10.0, "final_div_factor": 50.0},
         lambda o: lr.OneCycleLR(o, RATE, total_steps=STEPS, pct_start=0.4, div_factor=10, final_div_factor=50, cycle_momentum=False)),
        ({"schedule": "polynomial"}, lambda o: lr.PolynomialLR(o, total_iters=STEPS, power=1)),
        ({"schedule": "polynomial", "polynomial_power": 2.5}, lambda o: lr.PolynomialLR(o, total_iters=STEPS, power=2.5)),
        ({"schedule": "cosine", "min_learning_rate": 0.01}, lambda o: lr.CosineAnnealingLR(o, STEPS, eta_min=0.01)),
        ({"schedule": "cosine_restarts", "restart_epochs": 2, "restart_factor": 2, "min_learning_rate": 0.02},
         lambda o: lr.CosineAnnealingWarmRestarts(o, 2 * PER_EPOCH, 2, eta_min=0.02)),
        ({"schedule": "cosine_restarts", "restart_epochs": 3},
         lambda o: lr.CosineAnnealingWarmRestarts(o, 3 * PER_EPOCH)),
    ]
    plateaus = [
        ({"monitor": "validation_accuracy", "plateau_epochs": 1, "plateau_gamma": 0.5}, FIGURES, "max",
         dict(patience=1, factor=0.5)),
        ({"monitor": "validation_loss", "plateau_epochs": 0, "plateau_gamma": 0.1, "min_learning_rate": 0.01}, LOSSES, "min",
         dict(patience=0, factor=0.1, min_lr=0.01)),
        ({"monitor": "validation_loss", "plateau_epochs": 1, "plateau_gamma": 0.3, "plateau_threshold": 0.0}, LOSSES, "min",
         dict(patience=1, factor=0.3, threshold=0.0)),
    ]
    constant = lambda o: lr.ConstantLR(o, factor=1.0)
    stepped = lambda o: lr.StepLR(o, 2, 0.5)
    swas = [(4, 0.05, 3, {}, constant), (1, 0.5, 0, {}, constant), (6, 0.01, 10, {}, constant),
            (5, 0.2, 4, {"schedule": "step", "step_epochs": 2, "step_gamma": 0.5}, stepped),
            (4, 0.05, 3, {"swa_linear": True}, constant), (6, 0.01, 10, {"swa_linear": True}, constant),
            (5, 0.2, 4, {"schedule": "step", "step_epochs": 2, "step_gamma": 0.5, "swa_linear": True}, stepped)]
    out = {"torch": torch.__version__, "per_epoch": PER_EPOCH, "epochs": EPOCHS, "learning_rate": RATE,
           "cases": [{"settings": s, "rates": rates(m)} for s, m in cases],
           "plateau": [{"settings": s, "figures": f, "rates": plateau(f, mode, **o)} for s, f, mode, o in plateaus],
           "swa": [{"settings": {"swa_start": s, "swa_learning_rate": r, "swa_anneal_epochs": a, **more},
                    "rates": swa(s, r, a, m, "linear" if more.get("swa_linear") else "cos")} for s, r, a, more, m in swas],
           "averages": {"decay": 0.9, "values": averages(0.9)}}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "schedules.json"), "w") as f:
        json.dump(out, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Writes tests/reference/loss_scale.json: the scales of torch.amp.GradScaler over a sequence of steps, some of which overflow.

"changes" lists [step, scale] for every step that changed the scale; the scale is the one after the step.
"""
import json
import pathlib

import torch

STEPS, OVERFLOWS = 9000, [3, 4, 2003, 2004, 2005, 5000, 6999, 8999]

scaler = torch.amp.GradScaler("cpu", init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000)
weight = torch.nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([weight], lr=0.0)
changes, before = [], scaler.get_scale()
for step in range(STEPS):
    optimizer.zero_grad()
    scaler.scale(weight.sum()).backward()
    if step in OVERFLOWS:
        weight.grad.fill_(float("inf"))
    scaler.step(optimizer)
    scaler.update()
    if scaler.get_scale() != before:
        before = scaler.get_scale()
        changes.append([step, before])
(pathlib.Path(__file__).resolve().parents[1] / "loss_scale.json").write_text(
    json.dumps({"steps": STEPS, "overflows": OVERFLOWS, "changes": changes, "torch": torch.__version__}, indent=1) + "\n")

# SPDX-License-Identifier: Apache-2.0
"""Prints the numbers of tests/kernels/update_test.cpp: five weights after three steps of PyTorch's optimizers.

Made with PyTorch 2.x on a CPU: python3 optimizers.py
"""
import torch


def gradient(step, w):
    """A fixed gradient: no two weights and no two steps alike."""
    i = torch.arange(5, dtype=torch.float32)
    return (i + 1) * 0.1 * (1 - 2 * (i % 2)) + 0.05 * step


def run(make, max_norm=None):
    w = torch.nn.Parameter(torch.tensor([0.5, -0.25, 0.125, 1.0, -2.0]))
    optimizer = make([w])
    for step in range(3):
        w.grad = gradient(step, w)
        if max_norm:
            torch.nn.utils.clip_grad_norm_([w], max_norm)
        optimizer.step()
    return ", ".join(f"{v:.9g}f" for v in w.tolist())


o = torch.optim
for name, make, norm in [
    ("sgd", lambda p: o.SGD(p, 0.1), None),
    ("momentum", lambda p: o.SGD(p, 0.1, momentum=0.9), None),
    ("nesterov, l2", lambda p: o.SGD(p, 0.1, momentum=0.9, nesterov=True, weight_decay=0.01), None),
    ("adam", lambda p: o.Adam(p, 0.01), None),
    ("adam, l2", lambda p: o.Adam(p, 0.01, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.1), None),
    ("adamw", lambda p: o.AdamW(p, 0.01, weight_decay=0.1), None),
    ("momentum, clipped", lambda p: o.SGD(p, 0.1, momentum=0.9), 0.25),
]:
    print(name, "{" + run(make, norm) + "}")

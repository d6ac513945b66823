#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes bf16.json, which tests/engine/train/bf16_test.cpp compares with: twenty training steps of two networks in bf16.

    python tests/reference/make/make_bf16_reference.py       # needs torch; writes tests/reference/bf16.json

Networks, weights, batches and optimizers are those of make_reference.py. PyTorch rounds the operands of linear layers and
convolutions (their input, their weight and the gradient of their output) to bfloat16 and back; sums, biases, activations, loss
and optimizer are computed in float32 in one run and in float64 in another.

Stored: the losses of twenty steps over four batches in turn (step modulo 4), in float32 and float64; of the first step, from
float64, the values of each gradient that make_reference.py stores.
"""
import json
import pathlib

import torch
import torch.nn.functional as F
from make_reference import CYCLE, Lenet5, Mlp, batch_of, distance, fill, optimizer, u

STEPS = 20


def rounded(x):
    return x.bfloat16().to(x.dtype)


class Operand(torch.autograd.Function):
    """Rounds in the forward pass; passes the gradient through unchanged."""
    @staticmethod
    def forward(ctx, x):
        return rounded(x)

    @staticmethod
    def backward(ctx, dy):
        return dy


class Product(torch.autograd.Function):
    """Identity in the forward pass; rounds the gradient, which is an operand of two more products."""
    @staticmethod
    def forward(ctx, y):
        return y.clone()

    @staticmethod
    def backward(ctx, dy):
        return rounded(dy)


def with_rounded_operands(plain):
    return lambda x, w, *more, **named: Product.apply(plain(Operand.apply(x), Operand.apply(w), *more, **named))


def gradients_of(model):
    grads = {}
    for name, p in model.named_parameters():
        g = p.grad.detach().double().flatten()
        count = min(64, g.numel())
        grads[name] = {"norm": float(g.norm()), "samples": [float(f"{float(g[k * g.numel() // count]):.8g}") for k in range(count)],
                       "projection": float(g @ (2 * u(name + "/projection", g.numel()) - 1))}
    return grads


def run(net, build, dtype):
    model = build().to(dtype).train()
    fill(model)
    opt, losses, first = optimizer(net, model.parameters()), [], {}
    for step in range(STEPS):
        x, y = batch_of(step % CYCLE, (1, 28, 28), dtype)
        opt.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        first = first or gradients_of(model)
        opt.step()
        losses.append(float(f"{loss.item():.9g}"))
    return losses, first


def main():
    torch.set_num_threads(1)
    plain = {net: run(net, build, torch.float64) for net, build in (("mlp", Mlp), ("lenet5", Lenet5))}
    F.linear, F.conv2d = with_rounded_operands(F.linear), with_rounded_operands(F.conv2d)
    made = {"made_with": f"PyTorch {torch.__version__.split('+')[0]}"}
    for net, build in (("mlp", Mlp), ("lenet5", Lenet5)):
        (single, first), (double, gradients) = run(net, build, torch.float32), run(net, build, torch.float64)
        made[net] = {"float32": single, "float64": double, "gradients": gradients}
        print(net, "losses: float32 against float64 at most", max(abs(a / b - 1) for a, b in zip(single, double)),
              "without rounding at most", max(abs(a / b - 1) for a, b in zip(plain[net][0], double)))
        for name, g in gradients.items():
            print(" ", name, "float32 against float64", distance(first[name]["samples"], g["samples"]),
                  "without rounding", distance(plain[net][1][name]["samples"], g["samples"]))
    (pathlib.Path(__file__).resolve().parents[1] / "bf16.json").write_text(json.dumps(made, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes templates.json, which tests/engine/layers/torch_templates_test.cpp compares with: one training step of torchvision's
networks of the same names, on images of 64 pixels, in double precision.

    python tests/reference/make/make_template_reference.py [NET…]      # needs torch and torchvision; writes templates.json

Nothing is left out at random: the shares of Dropout and StochasticDepth are 0. With u(name, i) of make_reference.py, computed in
double and rounded to float32 once:

    image element, label      2 u("images", i) - 1, 1000 u("labels", i) rounded down
    batch norm of a network with ReLU or ReLU6, which few numbers should be near the kinks of:
        weight                (5 + v) / 20 with v = 2 u - 1: between 0.2 and 0.3
        bias                  1.5 where v >= 0, else -1.5
    other bias                (2 u - 1) / 10
    weight of rank 1 or 3     3/4 + u / 2
    other weights             (2 u - 1) / sqrt(elements of one output)

Stored for each network: the loss, the sizes of all values of the state dictionary, and of each parameter's gradient the norm, eight
samples and a projection.
"""
import json
import math
import pathlib
import sys

import torch
import torch.nn.functional as F
import torchvision
from make_reference import u
from torchvision import models

BATCH, SIZE, CLASSES, SAMPLES = 4, 64, 1000, 8

NETS = {
    "squeezenet1_1": lambda: models.squeezenet1_1(dropout=0.0),
    "mobilenet_v2": lambda: models.mobilenet_v2(dropout=0.0),
    "densenet121": models.densenet121,
    "efficientnet_b0": lambda: models.efficientnet_b0(dropout=0.0, stochastic_depth_prob=0.0),
    "convnext_tiny": lambda: models.convnext_tiny(stochastic_depth_prob=0.0),
    "vit_tiny": lambda: models.VisionTransformer(image_size=SIZE, patch_size=16, num_layers=12, num_heads=3, hidden_dim=192,
                                                 mlp_dim=768),
}


def fill(model):
    modules = dict(model.named_modules())
    kinks = any(isinstance(m, (torch.nn.ReLU, torch.nn.ReLU6)) for m in modules.values())
    for name, p in model.named_parameters():
        values = u(name, p.numel())
        if kinks and isinstance(modules[name.rpartition(".")[0]], torch.nn.BatchNorm2d):
            v = 2 * values - 1
            values = (5 + v) / 20 if name.endswith("weight") else 1.5 * torch.sign(v + 1e-9)
        elif name.endswith("bias"):
            values = (2 * values - 1) / 10
        elif p.dim() in (1, 3):
            values = 0.75 + values / 2
        else:
            values = (2 * values - 1) / math.sqrt(p[0].numel())
        p.data.copy_(values.float().reshape(p.shape))


def step(build):
    model = build().double().train()
    fill(model)
    x = (2 * u("images", BATCH * 3 * SIZE * SIZE) - 1).float().double().reshape(BATCH, 3, SIZE, SIZE)
    loss = F.cross_entropy(model(x), (u("labels", BATCH) * CLASSES).long())
    loss.backward()
    grads = {}
    for name, p in model.named_parameters():
        g = p.grad.flatten()
        count = min(SAMPLES, g.numel())
        grads[name] = {"norm": float(f"{float(g.norm()):.9g}"),
                       "samples": [float(f"{float(g[k * g.numel() // count]):.7g}") for k in range(count)],
                       "projection": float(f"{float(g @ (2 * u(name + '/projection', g.numel()) - 1)):.9g}")}
    return {"loss": loss.item(), "state": {n: list(v.shape) for n, v in model.state_dict().items()}, "gradients": grads}


def main():
    place = pathlib.Path(__file__).resolve().parents[1] / "templates.json"
    nets = json.loads(place.read_text())["nets"] if sys.argv[1:] else {}
    for name in sys.argv[1:] or NETS:
        nets[name] = step(NETS[name])
        print(name, nets[name]["loss"], len(nets[name]["gradients"]))
    made = {"made_with": f"PyTorch {torch.__version__.split('+')[0]}, torchvision {torchvision.__version__.split('+')[0]}",
            "nets": nets}
    place.write_text(json.dumps(made, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the numbers that tests/engine/train/pytorch_parity_test.cpp compares with: three training steps of three networks.

    python tests/reference/make/make_reference.py            # needs torch; writes tests/reference/*.json

Both sides generate weights, images and labels by one formula over 32-bit integers, so no tensor needs to be stored:

    fmix(h)        MurmurHash3's 32-bit finaliser (public domain, Appleby)
    fnv(name)      FNV-1a, 32 bit, over the name's bytes
    u(name, i)     (fmix((i + 0x9e3779b9 * fnv(name)) mod 2^32) >> 8) / 2^24, in [0, 1)

    weight of rank >= 2   (2 u - 1) / sqrt(fan_in)            bias                  (2 u - 1) / 10
    batch norm's weight   (5 + (2 u - 1)) / 20                running mean, var     0, 1
    batch norm's bias     named bn1: 3/2 where u >= 1/2, -3/2 elsewhere; others: 1 + (2 u - 1) / 10

These weights and biases of batch norm keep the inputs of a ReLU away from zero. With the default ones a few of the five million
activations of a ResNet-18 step are so close to zero that rounding decides their sign; PyTorch's float32 and float64 results then
differ by 0.4 % in some gradients of the first step and by 36 % in the third, and no comparison within 1e-4 is possible.

    image element         2 u("images" + step, i) - 1, i counting in (N,C,H,W) order
    label of sample n     floor(u("labels" + step, n) * 10)

Everything is computed in double and rounded to float32 once. Stored for each step: the loss in float32 and float64; for each
parameter, from the float64 network: the gradient's L2 norm, 64 samples (element floor(k * size / 64)), and the projection
sum_i g_i (2 u(name + "/projection", i) - 1).

losses.json holds, in both precisions, the losses of a hundred steps over four such batches in turn (step modulo 4).
"""
import json
import math
import pathlib

import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH, STEPS, LONG_STEPS, CYCLE, CLASSES = 8, 3, 100, 4, 10


def fnv(name):
    h = 0x811C9DC5
    for byte in name.encode():
        h = ((h ^ byte) * 0x01000193) & 0xFFFFFFFF
    return h


def u(name, count):
    h = (torch.arange(count, dtype=torch.int64) + 0x9E3779B9 * fnv(name) % 2**32) & 0xFFFFFFFF
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & 0xFFFFFFFF
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & 0xFFFFFFFF
    h ^= h >> 16
    return (h >> 8).double() / 2**24


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(784, 128), nn.Linear(128, 64), nn.Linear(64, 10)

    def forward(self, x):
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x.flatten(1))))))


class Lenet5(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 5, padding=2), nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x.flatten(1))))))


class Basic(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout)
        self.conv2, self.bn2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False), nn.BatchNorm2d(cout)
        if stride != 1 or cin != cout:
            self.downsample = nn.Sequential(nn.Conv2d(cin, cout, 1, stride, bias=False), nn.BatchNorm2d(cout))

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + (self.downsample(x) if hasattr(self, "downsample") else x))


class Resnet18Cifar(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64)
        cin = 64
        for i, cout in enumerate([64, 128, 256, 512]):
            setattr(self, f"layer{i + 1}", nn.Sequential(Basic(cin, cout, 1 if i == 0 else 2), Basic(cout, cout, 1)))
            cin = cout
        self.fc = nn.Linear(512, CLASSES)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        for i in range(4):
            x = getattr(self, f"layer{i + 1}")(x)
        return self.fc(x.mean((2, 3)))


def fill(model):
    modules = dict(model.named_modules())
    for name, p in model.named_parameters():
        values = 2 * u(name, p.numel()) - 1
        if p.dim() >= 2:
            values = values / math.sqrt(p[0].numel())
        elif isinstance(modules[name.rpartition(".")[0]], nn.BatchNorm2d):
            if name.endswith("weight"):
                values = (5 + values) / 20
            else:
                values = torch.where(values >= 0, 1.5, -1.5).double() if "bn1." in name else 1 + values / 10
        else:
            values = values / 10
        p.data.copy_(values.float().reshape(p.shape))  # both precisions start from the same float32 numbers


def optimizer(net, parameters):
    if net == "mlp":
        return torch.optim.Adam(parameters, 1e-3)
    return torch.optim.SGD(parameters, 1e-3 if net == "resnet18-cifar" else 1e-2, momentum=0.9,
                           weight_decay=5e-4 if net == "resnet18-cifar" else 0)


def batch_of(step, shape, dtype):
    x = (2 * u(f"images{step}", BATCH * math.prod(shape)) - 1).float().to(dtype).reshape(BATCH, *shape)
    return x, (u(f"labels{step}", BATCH) * CLASSES).long()


def long_run(net, build, shape, dtype):
    model = build().to(dtype).train()
    fill(model)
    opt, losses = optimizer(net, model.parameters()), []
    for step in range(LONG_STEPS):
        x, y = batch_of(step % CYCLE, shape, dtype)
        opt.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        losses.append(float(f"{loss.item():.9g}"))
    return losses


def run(net, build, shape, dtype):
    model = build().to(dtype).train()
    fill(model)
    opt, steps = optimizer(net, model.parameters()), []
    for step in range(STEPS):
        x, y = batch_of(step, shape, dtype)
        opt.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        grads = {}
        for name, p in model.named_parameters():
            g = p.grad.detach().double().flatten()
            count = min(64, g.numel())
            grads[name] = {"norm": float(g.norm()),
                           "samples": [float(f"{float(g[k * g.numel() // count]):.8g}") for k in range(count)],
                           "projection": float(g @ (2 * u(name + "/projection", g.numel()) - 1))}
        steps.append({"loss": loss.item(), "gradients": grads})
        opt.step()
    return steps


def distance(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)) / max(1e-300, sum(y * y for y in b)))


def main():
    torch.set_num_threads(2)
    here = pathlib.Path(__file__).resolve().parents[1]
    nets = [("mlp", Mlp, (1, 28, 28)), ("lenet5", Lenet5, (1, 28, 28)), ("resnet18-cifar", Resnet18Cifar, (3, 32, 32))]
    losses = {net: {"float32": long_run(net, build, shape, torch.float32), "float64": long_run(net, build, shape, torch.float64)} for net, build, shape in nets}
    (here / "losses.json").write_text(json.dumps(losses, separators=(",", ":")) + "\n")
    for net, l in losses.items():
        print(net, "first and last loss", l["float64"][0], l["float64"][-1], "PyTorch's own float32 against float64, at most",
              max(abs(a / b - 1) for a, b in zip(l["float32"], l["float64"])))
    for net, build, shape in nets:
        single, double = run(net, build, shape, torch.float32), run(net, build, shape, torch.float64)
        steps = [{"loss": d["loss"], "loss_float32": s["loss"], "gradients": d["gradients"]} for s, d in zip(single, double)]
        made = {"made_with": f"PyTorch {torch.__version__.split('+')[0]}", "batch": BATCH, "shape": shape, "steps": steps}
        (here / f"{net}.json").write_text(json.dumps(made, separators=(",", ":")) + "\n")
        print(net, [s["loss"] for s in steps], "PyTorch's own float32 against float64: loss",
              max(abs(s["loss_float32"] / s["loss"] - 1) for s in steps), "gradient samples",
              [max(distance(s["gradients"][n]["samples"], d["gradients"][n]["samples"]) for n in d["gradients"])
               for s, d in zip(single, double)])


if __name__ == "__main__":
    main()

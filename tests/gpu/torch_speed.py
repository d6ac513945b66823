#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Throughput of PyTorch training on the GPU in common modes, as JSON lines like those of `netwright-cli bench --json`.

    python3 torch_speed.py [--nets mlp,lenet5] [--modes eager,amp,compile,graph] [--seconds 3] [--repeats 5] [--limit 180]

The images are in GPU memory before the measurement; every step consists of forward pass, loss, backward pass and update. The
result is the median over the repeats. amp: fp16 autocast with a loss scaler, channels last; compile: amp under
torch.compile(mode="max-autotune"); graph: the eager step captured in a CUDA graph. Each is measured in a process of its own: one
that fails, hangs or spoils the GPU's context gives a line with its error, and the others are measured all the same.
"""
import argparse
import json
import statistics
import subprocess
import sys
import time

import torch
from torch import nn

BATCHES = {"mlp": 64, "lenet5": 64, "vgg13-cifar": 512, "resnet18-cifar": 128, "resnet50": 256}


class Residual(nn.Module):
    """A residual block: convolutions with batch norm, added to the block's input."""

    def __init__(self, channels, convolutions, stride):
        super().__init__()
        body, at = [], channels
        for i, (out, kernel) in enumerate(convolutions):
            step = stride if kernel == 3 and stride > 1 and not any(isinstance(m, nn.Conv2d) and m.stride[0] > 1 for m in body) else 1
            body += [nn.Conv2d(at, out, kernel, step, kernel // 2, bias=False), nn.BatchNorm2d(out)]
            if i + 1 < len(convolutions):
                body.append(nn.ReLU(inplace=True))
            at = out
        self.body = nn.Sequential(*body)
        same = stride == 1 and at == channels
        self.way = nn.Identity() if same else nn.Sequential(nn.Conv2d(channels, at, 1, stride, bias=False), nn.BatchNorm2d(at))

    def forward(self, x):
        return torch.relu(self.body(x) + self.way(x))


def residual_net(stem, channels, stages, expand):
    layers = list(stem)
    for width, repeats, stride in stages:
        for i in range(repeats):
            convolutions = [(width, 1), (width, 3), (4 * width, 1)] if expand else [(width, 3), (width, 3)]
            layers.append(Residual(channels, convolutions, stride if i == 0 else 1))
            channels = convolutions[-1][0]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 1000 if expand else 10))


def vgg13():
    layers, channels = [], 3
    for width in (64, 128, 256, 512, 512):
        for _ in range(2):
            layers += [nn.Conv2d(channels, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)]
            channels = width
        layers.append(nn.MaxPool2d(2))
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(512, 10))


def network(name):
    """(network, shape of one image)"""
    relu, pool = nn.ReLU, nn.MaxPool2d
    if name == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 128), relu(), nn.Linear(128, 64), relu(), nn.Linear(64, 10)), (1, 28, 28)
    if name == "lenet5":
        return nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), relu(), pool(2), nn.Conv2d(6, 16, 5), relu(), pool(2), nn.Flatten(),
                             nn.Linear(400, 120), relu(), nn.Linear(120, 84), relu(), nn.Linear(84, 10)), (1, 28, 28)
    if name == "vgg13-cifar":
        return vgg13(), (3, 32, 32)
    if name == "resnet18-cifar":
        stem = [nn.Conv2d(3, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64), relu(inplace=True)]
        return residual_net(stem, 64, [(64, 2, 1), (128, 2, 2), (256, 2, 2), (512, 2, 2)], False), (3, 32, 32)
    stem = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), relu(inplace=True), pool(3, 2, 1)]
    return residual_net(stem, 64, [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)], True), (3, 224, 224)


def make_step(name, mode, batch):
    """A function that runs one training step and returns the loss as a tensor on the GPU."""
    torch.manual_seed(1)
    net, shape = network(name)
    net = net.cuda()
    images, labels = torch.randn(batch, *shape, device="cuda"), torch.randint(0, 10, (batch,), device="cuda")
    half = mode in ("amp", "compile")
    if half and len(shape) == 3 and name != "mlp":
        net, images = net.to(memory_format=torch.channels_last), images.to(memory_format=torch.channels_last)
    adam = name == "mlp"
    optimizer = torch.optim.Adam(net.parameters(), 1e-3, capturable=mode == "graph") if adam else torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
    scaler, loss_of = torch.amp.GradScaler("cuda", enabled=half), nn.CrossEntropyLoss()
    forward = torch.compile(net, mode="max-autotune") if mode == "compile" else net

    def step():
        optimizer.zero_grad(set_to_none=mode != "graph")
        with torch.autocast("cuda", torch.float16, enabled=half):
            loss = loss_of(forward(images), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        return loss

    return captured(step) if mode == "graph" else step


def captured(step):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step()

    def replay():
        graph.replay()
        return loss

    return replay


def measure(name, mode, batch, seconds, repeats):
    step, rates = make_step(name, mode, batch), []
    for _ in range(10):
        loss = step()
    torch.cuda.synchronize()
    while len(rates) < repeats:
        begin, steps = time.perf_counter(), 0
        while time.perf_counter() - begin < seconds:
            for _ in range(10):
                loss = step()
            torch.cuda.synchronize()
            steps += 10
        rates.append(steps * batch / (time.perf_counter() - begin))
    return {"net": name, "mode": f"torch-{mode}", "batch": batch, "device": "cuda:0", "images_per_s": round(statistics.median(rates), 1),
            "peak_memory_bytes": torch.cuda.max_memory_reserved(), "last_loss": float(loss)}


def in_own_process(name, mode, a):
    """The line of one measurement, or one with the reason why there is none."""
    command = [sys.executable, __file__, "--one", name, mode, "--seconds", str(a.seconds), "--repeats", str(a.repeats)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=a.limit, check=False)
    except subprocess.TimeoutExpired:
        return {"net": name, "mode": f"torch-{mode}", "error": f"it did not end within {a.limit:g} s"}
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    sys.stderr.write(done.stderr)
    return {"net": name, "mode": f"torch-{mode}", "error": (done.stderr.strip().splitlines() or ["it said nothing"])[-1][:300]}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--nets", default="mlp,lenet5,vgg13-cifar,resnet18-cifar,resnet50")
    p.add_argument("--modes", default="eager,amp,compile,graph")
    p.add_argument("--seconds", type=float, default=3)
    p.add_argument("--repeats", type=int, default=5)
    p.add_argument("--limit", type=float, default=180, help="seconds that one measurement may take in all")
    p.add_argument("--one", nargs=2, metavar=("NET", "MODE"), help="measure this in this process")
    a = p.parse_args()
    if a.one:
        print(json.dumps(measure(*a.one, BATCHES[a.one[0]], a.seconds, a.repeats)), flush=True)
        return
    for name in a.nets.split(","):
        for mode in a.modes.split(","):
            print(json.dumps(in_own_process(name, mode, a)), flush=True)


if __name__ == "__main__":
    main()

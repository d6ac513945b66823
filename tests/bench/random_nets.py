#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares Netwright and PyTorch in one run on random small networks, which the kernels were not tuned for.

    python tests/bench/random_nets.py [--seeds 1,2,3] [--count 20] [--rounds 3] [--seconds 0.5] [--batch 64] [--json FILE]

Each network has 2 to 5 convolutions of 4 to 64 channels, kernels 1, 3, 5 or 7, strides 1 and 2, any padding, pools, batch norms
and skip connections on images of 28 or 32 pixels. Netwright runs through the Trainer on newly loaded batches; PyTorch trains
the same network on four batches in memory (eager and bf16). The two alternate, A B A B; the results are medians over the rounds.
Needs torch. Prints one Markdown row per network and the median and worst ratio of each seed.
"""
import argparse
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


def draw(seed):
    """A network as a list of ops; each op is a dict with its PyTorch arguments. Shapes are inferred, so that every op is valid."""
    r = random.Random(seed)
    channels, size = r.choice([(1, 28), (3, 32)])
    image = (channels, size)
    ops = []
    for _ in range(r.randint(2, 5)):
        kernel = r.choice([k for k in (1, 3, 5, 7) if k <= size])
        padding = r.randint(0, kernel // 2) if size > kernel else kernel // 2
        stride = r.choice([1, 1, 1, 2]) if size >= 8 else 1
        out = r.randint(4, 64)
        ops.append(dict(op="conv", cin=channels, cout=out, kernel=kernel, stride=stride, padding=padding))
        size = (size + 2 * padding - kernel) // stride + 1
        channels = out
        if r.random() < 0.5:
            ops.append(dict(op="bn", channels=channels))
        ops.append(dict(op="relu"))
        if r.random() < 0.35:
            ops.append(dict(op="skip", channels=channels, kernel=r.choice([1, 3])))
        if size >= 6 and r.random() < 0.5:
            ops.append(dict(op=r.choice(["maxpool", "maxpool", "avgpool"])))
            size //= 2
    features = channels * size * size
    if r.random() < 0.3 or features > 20000:
        ops.append(dict(op="gap"))
        features = channels
    else:
        ops.append(dict(op="flatten"))
    if r.random() < 0.6:
        hidden = r.randint(16, 128)
        ops += [dict(op="linear", cin=features, cout=hidden), dict(op="relu")]
        features = hidden
    ops.append(dict(op="linear", cin=features, cout=10))
    return image, ops


class Skip(nn.Module):
    def __init__(self, channels, kernel):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel, padding=kernel // 2)

    def forward(self, x):
        return F.relu(x + self.conv(x))


def torch_net(ops):
    make = dict(conv=lambda o: nn.Conv2d(o["cin"], o["cout"], o["kernel"], o["stride"], o["padding"]), bn=lambda o: nn.BatchNorm2d(o["channels"]),
                relu=lambda o: nn.ReLU(), skip=lambda o: Skip(o["channels"], o["kernel"]), maxpool=lambda o: nn.MaxPool2d(2),
                avgpool=lambda o: nn.AvgPool2d(2), gap=lambda o: nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten()),
                flatten=lambda o: nn.Flatten(), linear=lambda o: nn.Linear(o["cin"], o["cout"]))
    return nn.Sequential(*[make[o["op"]](o) for o in ops])


def project(image, ops, base, batch):
    """The same network as a project file; data, optimizer and learning rate are those of a template."""
    nodes, wires = [], []

    def add(kind, inputs, attrs=None):
        number = len(nodes) + 1
        node = dict(id=number, name=f"n{number}", type=kind, x=0.0, y=100.0 * number)
        if attrs:
            node["attrs"] = attrs
        nodes.append(node)
        wires.extend([source, 0, number, port] for port, source in enumerate(inputs))
        return number

    last = add("Input", [], dict(channels=image[0], height=image[1], width=image[1]))
    for o in ops:
        op = o["op"]
        if op == "conv":
            last = add("Conv2d", [last], dict(out_channels=o["cout"], kernel_size=[o["kernel"]] * 2, stride=[o["stride"]] * 2, padding=[o["padding"]] * 2))
        elif op == "skip":
            conv = add("Conv2d", [last], dict(out_channels=o["channels"], kernel_size=[o["kernel"]] * 2, padding=[o["kernel"] // 2] * 2))
            last = add("ReLU", [add("Add", [last, conv])])
        elif op == "linear":
            last = add("Linear", [last], dict(out_features=o["cout"]))
        elif op in ("maxpool", "avgpool"):
            last = add("MaxPool2d" if op == "maxpool" else "AvgPool2d", [last], dict(kernel_size=[2, 2], stride=[2, 2]))
        elif op == "gap":
            last = add("Flatten", [add("GlobalAvgPool2d", [last])])
        else:
            last = add(dict(bn="BatchNorm2d", relu="ReLU", flatten="Flatten")[op], [last])
    add("CrossEntropy", [last])
    return dict(base, network=dict(nodes=nodes, connections=wires, frames=[], notes=[]), blocks={},
                data=dict(base["data"], kind="mnist" if image[0] == 1 else "cifar"),
                training=dict(base["training"], batch=batch))


def torch_rate(image, ops, mode, a):
    torch.manual_seed(0)
    layout = torch.channels_last if mode == "bf16" else torch.contiguous_format
    net = torch_net(ops).to(memory_format=layout).train()
    optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9, fused=True)
    x = [torch.rand(a.batch, image[0], image[1], image[1]).to(memory_format=layout) for _ in range(4)]
    y = [torch.randint(10, (a.batch,)) for _ in range(4)]

    def step(i):
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", torch.bfloat16, enabled=mode == "bf16"):
            loss = F.cross_entropy(net(x[i & 3]), y[i & 3])
        loss.backward()
        optimizer.step()

    for i in range(3):
        step(i)
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < a.seconds:
        step(steps)
        steps += 1
    return steps * a.batch / (time.perf_counter() - start)


def our_rate(file, precision, a):
    command = [a.cli, "bench", "--nets", file, "--json", "--precision", precision, "--seconds", str(a.seconds), "--repeats", "1", "--threads", str(a.threads)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr[-500:]}")
    return json.loads(done.stdout.splitlines()[-1])["images_per_s"]


def words(image, ops):
    short = dict(conv=lambda o: f"c{o['cout']}k{o['kernel']}" + (f"s{o['stride']}" if o["stride"] > 1 else ""), skip=lambda o: f"+k{o['kernel']}",
                 linear=lambda o: f"l{o['cout']}", bn=lambda o: "bn", maxpool=lambda o: "M", avgpool=lambda o: "A", gap=lambda o: "G")
    return f"{image[1]}px " + " ".join(short[o["op"]](o) for o in ops if o["op"] in short)


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cli", default=here / "build/release/bin/netwright-cli")
    ap.add_argument("--seeds", default="1,2,3")
    ap.add_argument("--count", type=int, default=20)
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--seconds", type=float, default=0.5)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--json", help="also write all readings to this file")
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    readings = []
    print("| network | Netwright fp32, images/s | Netwright automatic | PyTorch eager | PyTorch bf16 | fp32 to eager | automatic to bf16 | faster to faster |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder) / "base.netwright"
        subprocess.run([a.cli, "new", "--template", "lenet5", "-o", base], check=True, capture_output=True)
        base = json.loads(base.read_text())
        for seed in a.seeds.split(","):
            ratios = dict(eager=[], bf16=[], faster=[])
            for number in range(a.count):
                image, ops = draw(f"{seed}/{number}")
                file = pathlib.Path(folder) / f"net-{seed}-{number}.netwright"
                file.write_text(json.dumps(project(image, ops, base, a.batch)))
                rates = dict(ours=[], ours_automatic=[], eager=[], bf16=[])
                for _ in range(a.rounds):
                    rates["ours"].append(our_rate(file, "fp32", a))
                    rates["ours_automatic"].append(our_rate(file, "automatic", a))
                    for mode in ("eager", "bf16"):
                        rates[mode].append(torch_rate(image, ops, mode, a))
                ours, ours_automatic, eager, bf16 = (statistics.median(rates[k]) for k in ("ours", "ours_automatic", "eager", "bf16"))
                now = dict(eager=ours / eager, bf16=ours_automatic / bf16, faster=max(ours, ours_automatic) / max(eager, bf16))
                for of, ratio in now.items():
                    ratios[of].append(ratio)
                readings.append(dict(seed=seed, number=number, network=words(image, ops), ratios=now, **rates))
                print(f"| {seed}/{number} {words(image, ops)} | {ours:,.0f} | {ours_automatic:,.0f} | {eager:,.0f} | {bf16:,.0f} | " + " | ".join(f"{r:.2f}" for r in now.values()) + " |", flush=True)
            print(f"| **seed {seed}**: median, worst | | | | | " + " | ".join(f"{statistics.median(r):.2f}, {min(r):.2f}" for r in ratios.values()) + " |", flush=True)
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps(readings, indent=1) + "\n")


if __name__ == "__main__":
    main()

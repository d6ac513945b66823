#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes explain.json, which tests/engine/predict/explain_test.cpp compares with: five explanations of one small network.

    python tests/reference/make/make_explain_reference.py    # needs torch; writes tests/reference/explain.json

Weights and the image follow the formula of make_reference.py; the running statistics are mean (2 u - 1) / 2 and variance 1/2 + u.
The explanations are computed in float64 from autograd's gradients: Grad-CAM (arXiv 1610.02391), Grad-CAM++ (1710.11063, the common
form, in which the exponential of the score cancels), saliency (1312.6034), integrated gradients (1703.01365) from black by the
midpoint rule with 64 intervals, occlusion (1311.2901) by 4 × 4 patches of the mean colour with stride 2.
"""
import json
import pathlib

import torch
import torch.nn as nn
import torch.nn.functional as F
from make_reference import fill, u

CLASSES, CHANNELS, SIZE, TARGET, STEPS, PATCH = 5, 3, 13, 2, 64, 4
MEAN, DEVIATION = (0.4, 0.5, 0.6), (0.2, 0.25, 0.3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.norm = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.conv2, self.skip = nn.Conv2d(8, 12, 3, padding=1), nn.Conv2d(8, 12, 1)
        self.fc = nn.Linear(12, CLASSES)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv1(x))), 2)
        self.sum = F.gelu(self.conv2(x)) + self.skip(x)
        self.relu2 = F.relu(self.sum)
        return self.fc(F.dropout(self.relu2, 0.5, self.training).mean((2, 3)))


def listed(x):
    return [round(v, 9) for v in x.flatten().tolist()]


def cam(maps, slopes, plus_plus):
    if plus_plus:
        g2, g3 = slopes**2, slopes**3
        share = torch.where(slopes != 0, g2 / (2 * g2 + maps.sum((2, 3), keepdim=True) * g3 + 1e-6), 0)
        weight = (share * slopes.clamp(min=0)).sum((2, 3), keepdim=True)
    else:
        weight = slopes.mean((2, 3), keepdim=True)
    heat = (weight * maps).sum(1, keepdim=True).clamp(min=0)
    return F.interpolate(heat, (SIZE, SIZE), mode="bilinear", align_corners=False)


def slope(net, x):
    x = x.clone().requires_grad_()
    return torch.autograd.grad(net(x)[:, TARGET].sum(), x)[0]


def occlusion(net, x):
    starts = list(range(0, SIZE - PATCH, PATCH // 2)) + [SIZE - PATCH]
    drop, covered = torch.zeros(SIZE, SIZE).double(), torch.zeros(SIZE, SIZE).double()
    for top in starts:
        for left in starts:
            y = x.clone()
            y[:, :, top:top + PATCH, left:left + PATCH] = 0
            drop[top:top + PATCH, left:left + PATCH] += (net(x) - net(y))[0, TARGET]
            covered[top:top + PATCH, left:left + PATCH] += 1
    return drop / covered


def main():
    net = Net()
    fill(net)
    net.norm.running_mean.copy_(((2 * u("norm.running_mean", 8) - 1) / 2).float())
    net.norm.running_var.copy_((0.5 + u("norm.running_var", 8)).float())
    net = net.double().eval()
    pixels = (u("image", CHANNELS * SIZE * SIZE) * 256).floor().reshape(1, CHANNELS, SIZE, SIZE) / 255
    mean, deviation = (torch.tensor(v).double().reshape(1, 3, 1, 1) for v in (MEAN, DEVIATION))
    x, black = (pixels - mean) / deviation, -mean / deviation
    scores = net(x)
    out = {"scores": listed(scores.detach()), "target": TARGET}
    for layer in ("sum", "relu2"):
        y = net(x)
        maps = getattr(net, layer)
        slopes = torch.autograd.grad(y[0, TARGET], maps)[0]
        out["grad-cam " + layer] = listed(cam(maps, slopes, False).detach())
        out["grad-cam++ " + layer] = listed(cam(maps, slopes, True).detach())
    out["saliency"] = listed(slope(net, x).abs().amax(1))
    way = torch.cat([black + (k + 0.5) / STEPS * (x - black) for k in range(STEPS)])
    out["integrated-gradients"] = listed(((x - black) * slope(net, way).mean(0, keepdim=True)).sum(1))
    out["occlusion"] = listed(occlusion(net, x).detach())
    (pathlib.Path(__file__).resolve().parents[1] / "explain.json").write_text(json.dumps(out) + "\n")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Compares rounded numbers and their gradients with PyTorch's fake quantization.

    fake_quantize.py CASES.json

CASES: "values", a list of {scale, zero, x, y, dx} with dy = 1.5, and "weights", {dims, values, rounded} by rows of the first axis.
"""
import json
import sys

import torch


def compared(case):
    x = torch.tensor(case["x"], requires_grad=True)
    y = torch.fake_quantize_per_tensor_affine(x, case["scale"], case["zero"], 0, 255)
    y.backward(torch.full_like(x, 1.5))
    steps = (y.detach() - torch.tensor(case["y"])).abs() / case["scale"]
    gradients = (x.grad - torch.tensor(case["dx"])).abs()
    return steps, gradients, x.grad == 0


def weights_difference(w):
    values = torch.tensor(w["values"]).reshape(w["dims"])
    scales = values.abs().flatten(1).amax(1) / 127
    made = torch.fake_quantize_per_channel_affine(values, scales, torch.zeros(len(scales), dtype=torch.int32), 0, -127, 127)
    return (made.flatten() - torch.tensor(w["rounded"])).abs().max().item()


def main():
    cases = json.load(open(sys.argv[1]))
    steps, gradients, clipped = (torch.cat(parts) for parts in zip(*map(compared, cases["values"])))
    print(json.dumps({
        "value_steps": steps.max().item(), "differing_values": (steps > 0.01).float().mean().item(),
        "differing_gradients": (gradients > 1e-4).float().mean().item(), "clipped": clipped.float().mean().item(),
        "weights": weights_difference(cases["weights"])}))


if __name__ == "__main__":
    main()

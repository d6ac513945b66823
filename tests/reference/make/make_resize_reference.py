#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes resize.json, which tests/engine/core/resize_test.cpp and tests/engine/images/decoder_test.cpp compare with:
torchvision's Resize of PIL images (bilinear, which always smooths what becomes smaller), and its Resize of tensors
with the mode "nearest". The bytes are the upper bytes of a linear congruential generator. Run with torchvision 0.29,
Pillow 13:

    python tests/reference/make/make_resize_reference.py
"""
import json
import pathlib

import numpy as np
import torch
from PIL import Image
from torchvision import transforms

NEAREST = transforms.InterpolationMode.NEAREST
SIZES = [  # height, width, channels, to height, to width
    (24, 24, 1, 16, 16), (24, 24, 3, 16, 16), (7, 5, 3, 3, 4), (13, 29, 1, 28, 28), (31, 17, 3, 8, 33), (1, 40, 1, 1, 7), (50, 1, 3, 9, 2), (2, 2, 1, 5, 5), (100, 64, 3, 28, 28),
    (9, 12, 1, 9, 5), (640, 3, 1, 2, 2)]


def noise(height, width, channels, seed):
    out = []
    for _ in range(height * width * channels):
        seed = (seed * 1664525 + 1013904223) % 2**32
        out.append(seed >> 24)
    return np.array(out, dtype=np.uint8).reshape(height, width, channels)


def main():
    cases = []
    for seed, (height, width, channels, to_height, to_width) in enumerate(SIZES):
        pixels = noise(height, width, channels, seed + 1)
        image = Image.fromarray(pixels[:, :, 0] if channels == 1 else pixels)
        bilinear = np.asarray(transforms.Resize((to_height, to_width))(image))
        nearest = transforms.Resize((to_height, to_width), interpolation=NEAREST)(torch.from_numpy(pixels).permute(2, 0, 1))
        cases.append({"from": [height, width, channels], "to": [to_height, to_width], "bilinear": bilinear.flatten().tolist(), "nearest": nearest.permute(1, 2, 0).flatten().tolist()})
    (pathlib.Path(__file__).resolve().parents[1] / "resize.json").write_text(json.dumps(cases, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()

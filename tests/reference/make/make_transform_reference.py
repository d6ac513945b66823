#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes transforms.json, which tests/engine/data/transform_test.cpp compares with: torchvision's results for one generated image.

    python tests/reference/make/make_transform_reference.py    # needs torch and torchvision

The image has shape (9, 12, 3), height × width × channels. Byte i is (i * i * 7 + i * 31) mod 256, halved in the left third so that
the histograms are not uniform.
"""
import json
import math
import pathlib

import torch
from torchvision.transforms.v2 import InterpolationMode, functional as F

HEIGHT, WIDTH = 9, 12


def image():
    i = torch.arange(HEIGHT * WIDTH * 3)
    hwc = ((i * i * 7 + i * 31) % 256).to(torch.uint8).reshape(HEIGHT, WIDTH, 3)
    hwc[:, : WIDTH // 3] //= 2
    return hwc.permute(2, 0, 1)


def affine(img, angle=0.0, shift=(0, 0), scale=1.0, shear=(0.0, 0.0)):
    return F.affine(img, angle, list(shift), scale, list(shear), interpolation=InterpolationMode.BILINEAR)


CASES = {
    "affine_angle": lambda i: affine(i, angle=17.0),
    "affine_shift": lambda i: affine(i, shift=(3, -2)),
    "affine_scale": lambda i: affine(i, scale=0.8),
    "affine_all": lambda i: affine(i, angle=-25.0, shift=(1, 2), scale=1.2, shear=(8.0, -5.0)),
    "shear_x": lambda i: affine(i, shear=(math.degrees(math.atan(0.2)), 0.0)),
    "vertical_flip": F.vertical_flip,
    "brightness": lambda i: F.adjust_brightness(i, 1.4),
    "contrast": lambda i: F.adjust_contrast(i, 0.6),
    "saturation": lambda i: F.adjust_saturation(i, 1.5),
    "hue": lambda i: F.adjust_hue(i, 0.13),
    "sharpness": lambda i: F.adjust_sharpness(i, 1.8),
    "grayscale": lambda i: F.rgb_to_grayscale(i, num_output_channels=3),
    "posterize": lambda i: F.posterize(i, 5),
    "solarize": lambda i: F.solarize(i, 100.0),
    "autocontrast": F.autocontrast,
    "equalize": F.equalize,
    "blur": lambda i: F.gaussian_blur(i, [5, 5], [1.3, 1.3]),
}


def main():
    out = {name: make(image()).permute(1, 2, 0).flatten().tolist() for name, make in CASES.items()}
    lines = [f'"{name}": {json.dumps(values, separators=(",", ":"))}' for name, values in out.items()]
    (pathlib.Path(__file__).resolve().parents[1] / "transforms.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()

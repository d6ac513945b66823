# SPDX-License-Identifier: Apache-2.0
"""Output shapes (C, H, W) or (features,) of layers, by PyTorch's formulas; the drawing of networks needs them."""
import math

PAIRS = {"stride": 1, "padding": 0, "dilation": 1, "output_padding": 0}


def pair(attrs, name):
    return attrs.get(name, [PAIRS[name]] * 2)


def window(size, a, kernel, i):
    reach = pair(a, "dilation")[i] * (kernel[i] - 1) + 1
    return (size + 2 * pair(a, "padding")[i] - reach) // pair(a, "stride")[i] + 1


def transposed(size, a, i):
    reach = pair(a, "dilation")[i] * (a["kernel_size"][i] - 1) + 1
    return (size - 1) * pair(a, "stride")[i] - 2 * pair(a, "padding")[i] + reach + pair(a, "output_padding")[i]


def shape_of(kind, a, inputs):
    x = inputs[0] if inputs else None
    if kind == "Input":
        return a["channels"], a["height"], a["width"]
    if kind == "Conv2d":
        return (a["out_channels"], *(window(x[i + 1], a, a["kernel_size"], i) for i in (0, 1)))
    if kind == "ConvTranspose2d":
        return (a["out_channels"], *(transposed(x[i + 1], a, i) for i in (0, 1)))
    if kind in ("MaxPool2d", "AvgPool2d"):
        return (x[0], *(window(x[i + 1], a, a["kernel_size"], i) for i in (0, 1)))
    if kind == "AdaptiveAvgPool2d":
        return (x[0], *a["output_size"])
    if kind == "GlobalAvgPool2d":
        return x[0], 1, 1
    if kind == "Upsample":
        return (x[0], *(x[i + 1] * a["scale_factor"][i] for i in (0, 1)))
    if kind == "ZeroPad2d":
        return x[0], x[1] + a["padding_top"] + a["padding_bottom"], x[2] + a["padding_left"] + a["padding_right"]
    if kind == "Flatten":
        return (math.prod(x),)
    if kind == "Linear":
        return (a["out_features"],)
    if kind == "Concat":
        return (sum(s[0] for s in inputs), *x[1:])
    if kind == "Multiply":
        return max(inputs, key=math.prod)
    return x

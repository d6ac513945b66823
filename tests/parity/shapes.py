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


def sliced(a, x):
    place = ["channels", "rows", "columns"].index(a["dim"])
    end = x[place] if a["end"] < 0 else a["end"]
    return tuple(end - a["start"] if k == place else n for k, n in enumerate(x))


def reshaped(a, x):
    sizes = [a["channels"], a["height"], a["width"]]
    known = math.prod(n for n in sizes if n != -1)
    return tuple(math.prod(x) // known if n == -1 else n for n in sizes)


def transposed_dimensions(a, x):
    out = list(x)
    i, j = a["dim0"] - 1, a["dim1"] - 1
    out[i], out[j] = out[j], out[i]
    return tuple(out)


OF_NEWER_LAYERS = {
    "ChannelLinear": lambda a, x: (a["out_features"], *x[1:]),
    "ClassToken": lambda a, x: (x[0], x[1] * x[2] + 1, 1),
    "PatchEmbedding": lambda a, x: (a["embed_dim"], math.prod(n // a["patch_size"] for n in x[1:]), 1),
    "Reshape": reshaped, "Slice": sliced, "Transpose": transposed_dimensions,
}


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
    if kind in ("GlobalAvgPool2d", "GlobalMaxPool2d"):
        return x[0], 1, 1
    if kind in OF_NEWER_LAYERS:
        return OF_NEWER_LAYERS[kind](a, x)
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

# SPDX-License-Identifier: Apache-2.0
"""What each layer type computes, in terms of torch.nn.functional. `a`: its attributes, with the defaults of DEFAULTS."""
import torch
import torch.nn.functional as F

DEFAULTS = {
    "Conv2d": dict(stride=[1, 1], padding=[0, 0], dilation=[1, 1], groups=1),
    "ConvTranspose2d": dict(stride=[2, 2], padding=[0, 0], output_padding=[0, 0], dilation=[1, 1], groups=1),
    "AvgPool2d": dict(count_include_pad=True), "BatchNorm2d": dict(eps=1e-5, momentum=0.1),
    "GroupNorm": dict(num_groups=4, eps=1e-5), "LayerNorm": dict(eps=1e-5), "ELU": dict(alpha=1.0),
    "GELU": dict(approximate="none"), "LeakyReLU": dict(negative_slope=0.01), "Softplus": dict(beta=1.0, threshold=20.0),
    "Upsample": dict(mode="nearest"), "CrossEntropy": dict(label_smoothing=0.0),
}


def upsample(x, a):
    size = [n * f for n, f in zip(x.shape[2:], a["scale_factor"])]
    return F.interpolate(x, size, mode=a["mode"], **({"align_corners": False} if a["mode"] == "bilinear" else {}))


def zero_pad(x, a):
    return F.pad(x, [a[f"padding_{side}"] for side in ("left", "right", "top", "bottom")])


def batch_norm(x, a, w, training):
    if training:
        w["num_batches_tracked"] += 1
    return F.batch_norm(x, w["running_mean"], w["running_var"], w["weight"], w["bias"], training, a["momentum"], a["eps"])


def conv(x, a, w):
    return F.conv2d(x, w["weight"], w.get("bias"), a["stride"], a["padding"], a["dilation"], a["groups"])


def deconv(x, a, w):
    return F.conv_transpose2d(x, w["weight"], w.get("bias"), a["stride"], a["padding"], a["output_padding"], a["groups"],
                              a["dilation"])


def average(x, a):
    return F.avg_pool2d(x, a["kernel_size"], a["stride"], a["padding"], count_include_pad=a["count_include_pad"])


def product(inputs):
    out = inputs[0]
    for x in inputs[1:]:
        out = out * x
    return out


ONE = {
    "AdaptiveAvgPool2d": lambda x, a, w: F.adaptive_avg_pool2d(x, a["output_size"]),
    "AvgPool2d": lambda x, a, w: average(x, a),
    "Conv2d": conv, "ConvTranspose2d": deconv,
    "ELU": lambda x, a, w: F.elu(x, a["alpha"]),
    "Flatten": lambda x, a, w: torch.flatten(x, 1),
    "GELU": lambda x, a, w: F.gelu(x, approximate=a["approximate"]),
    "GlobalAvgPool2d": lambda x, a, w: x.mean((2, 3), keepdim=True),
    "GroupNorm": lambda x, a, w: F.group_norm(x, a["num_groups"], w.get("weight"), w.get("bias"), a["eps"]),
    "Hardsigmoid": lambda x, a, w: F.hardsigmoid(x),
    "Hardswish": lambda x, a, w: F.hardswish(x),
    "Identity": lambda x, a, w: x,
    "LayerNorm": lambda x, a, w: F.layer_norm(x, x.shape[1:], w.get("weight"), w.get("bias"), a["eps"]),
    "LeakyReLU": lambda x, a, w: F.leaky_relu(x, a["negative_slope"]),
    "Linear": lambda x, a, w: F.linear(x, w["weight"], w.get("bias")),
    "MaxPool2d": lambda x, a, w: F.max_pool2d(x, a["kernel_size"], a["stride"], a["padding"]),
    "Mish": lambda x, a, w: F.mish(x), "PReLU": lambda x, a, w: F.prelu(x, w["weight"]),
    "ReLU": lambda x, a, w: F.relu(x), "ReLU6": lambda x, a, w: F.relu6(x), "SELU": lambda x, a, w: F.selu(x),
    "SiLU": lambda x, a, w: F.silu(x), "Sigmoid": lambda x, a, w: torch.sigmoid(x),
    "Softmax": lambda x, a, w: F.softmax(x, 1),
    "Softplus": lambda x, a, w: F.softplus(x, a["beta"], a["threshold"]),
    "Tanh": lambda x, a, w: torch.tanh(x),
    "Upsample": lambda x, a, w: upsample(x, a), "ZeroPad2d": lambda x, a, w: zero_pad(x, a),
}


def apply(kind, inputs, attrs, weights, training):
    a = {**DEFAULTS.get(kind, {}), **attrs}
    if kind == "Add":
        return sum(inputs[1:], inputs[0])
    if kind == "Concat":
        return torch.cat(inputs, 1)
    if kind == "Multiply":
        return product(inputs)
    if kind == "BatchNorm2d":
        return batch_norm(inputs[0], a, weights, training)
    if kind == "Dropout":
        assert not training or a["p"] == 0, "the masks of another generator are not known"
        return inputs[0]
    return ONE[kind](inputs[0], a, weights)

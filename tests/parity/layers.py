# SPDX-License-Identifier: Apache-2.0
"""What each layer type computes, in terms of torch.nn.functional. `a`: its attributes, with the defaults of DEFAULTS."""
import math

import torch
import torch.nn.functional as F

DEFAULTS = {
    "Conv2d": dict(stride=[1, 1], padding=[0, 0], dilation=[1, 1], groups=1),
    "ConvTranspose2d": dict(stride=[2, 2], padding=[0, 0], output_padding=[0, 0], dilation=[1, 1], groups=1),
    "AvgPool2d": dict(count_include_pad=True), "BatchNorm2d": dict(eps=1e-5, momentum=0.1),
    "GroupNorm": dict(num_groups=4, eps=1e-5), "LayerNorm": dict(eps=1e-5), "ELU": dict(alpha=1.0),
    "GELU": dict(approximate="none"), "LeakyReLU": dict(negative_slope=0.01), "Softplus": dict(beta=1.0, threshold=20.0),
    "Hardtanh": dict(min_val=-1.0, max_val=1.0), "InstanceNorm2d": dict(eps=1e-5), "LayerNorm2d": dict(eps=1e-6),
    "LocalResponseNorm": dict(size=5, alpha=1e-4, beta=0.75, k=1.0), "StochasticDepth": dict(p=0.2, layer=1, layers=1),
    "Upsample": dict(mode="nearest"), "CrossEntropy": dict(label_smoothing=0.0),
    "Formula": dict(expression="x * sigmoid(a * x)", a=1.0, b=1.0, c=1.0),
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


def tokens_of(x):
    """(N,C,H,W) as (tokens, N, C), row by row."""
    return x.flatten(2).permute(2, 0, 1)


def image_of(tokens, shape):
    return tokens.permute(1, 2, 0).reshape(shape)


def attention(x, a, w):
    t = tokens_of(x)
    out, _ = F.multi_head_attention_forward(
        t, t, t, x.shape[1], a["num_heads"], w["in_proj_weight"], w.get("in_proj_bias"), None, None, False, 0.0,
        w["out_proj.weight"], w.get("out_proj.bias"), need_weights=False)
    return image_of(out, x.shape)


def class_token(x, a, w):
    token = w[""].reshape(1, 1, -1).expand(1, x.shape[0], x.shape[1])
    t = torch.cat([token, tokens_of(x)])
    return image_of(t, (x.shape[0], x.shape[1], t.shape[0], 1))


def patches(x, a, w):
    return F.conv2d(x, w["weight"], w.get("bias"), a["patch_size"]).flatten(2)[..., None]


def over_channels(x, function):
    """`function` of the channels, innermost."""
    return function(x.movedim(1, -1)).movedim(-1, 1)


def local_response_norm(x, a):
    some = x if x.dim() > 2 else x[..., None]
    return F.local_response_norm(some, a["size"], a["alpha"], a["beta"], a["k"]).reshape(x.shape)


def shuffle(x, groups):
    return x.reshape(x.shape[0], groups, -1, *x.shape[2:]).transpose(1, 2).reshape(x.shape)


def part(x, a):
    end = None if a["end"] < 0 else a["end"]
    place = {"channels": 1, "rows": 2, "columns": 3}[a["dim"]]
    return x[(slice(None),) * place + (slice(a["start"], end),)]


FUNCTIONS = {
    "abs": torch.abs, "cos": torch.cos, "erf": torch.erf, "exp": torch.exp, "log": torch.log, "relu": torch.relu, "sin": torch.sin,
    "sigmoid": torch.sigmoid, "sign": torch.sign, "softplus": F.softplus, "sqrt": lambda v: v ** 0.5, "tanh": torch.tanh,
    "where": torch.where, "pow": torch.pow, "max": lambda x, v: x.clamp(min=v), "min": lambda x, v: x.clamp(max=v),
}


def formula(inputs, a):
    """The expression, which draw_vector.py writes, by Python itself."""
    names = {**FUNCTIONS, **dict(zip("xyz", inputs)), **{n: a[n] for n in "abc"}, "pi": math.pi}
    return eval(a["expression"].replace("^", "**"), names)


ONE = {
    "ChannelLinear": lambda x, a, w: over_channels(x, lambda c: F.linear(c, w["weight"], w.get("bias"))),
    "ChannelShuffle": lambda x, a, w: shuffle(x, a["groups"]),
    "ClassToken": class_token,
    "GlobalMaxPool2d": lambda x, a, w: F.adaptive_max_pool2d(x, 1),
    "Hardtanh": lambda x, a, w: F.hardtanh(x, a["min_val"], a["max_val"]),
    "InstanceNorm2d": lambda x, a, w: F.instance_norm(x, weight=w.get("weight"), bias=w.get("bias"), eps=a["eps"]),
    "LayerNorm2d": lambda x, a, w: over_channels(
        x, lambda c: F.layer_norm(c, c.shape[-1:], w.get("weight"), w.get("bias"), a["eps"])),
    "LayerScale": lambda x, a, w: x * w[""],
    "LocalResponseNorm": lambda x, a, w: local_response_norm(x, a),
    "MultiheadAttention": attention, "PatchEmbedding": patches,
    "PositionalEmbedding": lambda x, a, w: image_of(tokens_of(x) + w[""].transpose(0, 1), x.shape),
    "Reshape": lambda x, a, w: x.reshape(x.shape[0], a["channels"], a["height"], a["width"]),
    "Slice": lambda x, a, w: part(x, a),
    "Transpose": lambda x, a, w: x.transpose(a["dim0"], a["dim1"]),
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


# The share that each layer leaves out.
LEFT_OUT = {"Dropout": lambda a: a["p"], "Dropout2d": lambda a: a["p"],
            "StochasticDepth": lambda a: a["p"] * a["layer"] / a["layers"]}


def apply(kind, inputs, attrs, weights, training):
    a = {**DEFAULTS.get(kind, {}), **attrs}
    if kind == "Add":
        return sum(inputs[1:], inputs[0])
    if kind == "Concat":
        return torch.cat(inputs, 1)
    if kind == "Multiply":
        return product(inputs)
    if kind == "Formula":
        return formula(inputs, a)
    if kind == "BatchNorm2d":
        return batch_norm(inputs[0], a, weights, training)
    if kind in LEFT_OUT:
        assert not training or LEFT_OUT[kind](a) == 0, "the masks of another generator are not known"
        return inputs[0]
    return ONE[kind](inputs[0], a, weights)

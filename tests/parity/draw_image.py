# SPDX-License-Identifier: Apache-2.0
"""Layers between images, with random attributes: odd windows, strides, paddings, dilations, groups, branches, blocks."""
from draft import divisors
from draw_vector import ANY, any_layer, reshape

TOKENS = ["ChannelLinear", "ClassToken", "LayerNorm2d", "MultiheadAttention", "PatchEmbedding", "PositionalEmbedding"]
IMAGE = [*ANY, *TOKENS, "AdaptiveAvgPool2d", "Add", "AvgPool2d", "BatchNorm2d", "Block", "Concat", "Conv2d", "ConvTranspose2d",
         "GlobalMaxPool2d", "InstanceNorm2d", "MaxPool2d", "Multiply", "Reshape", "Transpose", "Upsample", "ZeroPad2d"]
MOST_PIXELS = 20 * 20


def optional(r, attrs, defaults):
    """Attributes that have their default are left out half of the time."""
    return {k: v for k, v in attrs.items() if defaults.get(k) != v or r.random() < 0.5}


def conv(d, r, last, out=None):
    c, *size = d.shape[last]
    out = out or r.randint(1, 9)
    kernel, padding, dilation, stride = [], [], [], []
    for n in size:
        dilation.append(r.choice([1, 1, 2]))
        kernel.append(r.choice([k for k in (1, 2, 3, 4, 5) if dilation[-1] * (k - 1) < n + 4]))
        reach = dilation[-1] * (kernel[-1] - 1) + 1
        padding.append(max(r.randint(0, 2), (reach - n + 1) // 2))
        stride.append(r.choice([1, 1, 2, 3]))
    groups = r.choice([g for g in divisors(c) if out % g == 0])
    attrs = dict(out_channels=out, kernel_size=kernel, padding=padding, dilation=dilation, stride=stride, groups=groups,
                 bias=r.random() < 0.7)
    defaults = dict(kernel_size=[3, 3], stride=[1, 1], padding=[0, 0], dilation=[1, 1], groups=1, bias=True)
    return d.add("Conv2d", [last], {"kernel_size": kernel, **optional(r, attrs, defaults)})


def deconv(d, r, last):
    c, *size = d.shape[last]
    out = r.randint(1, 6)
    a = dict(out_channels=out, kernel_size=[], stride=[], padding=[], output_padding=[], dilation=[])
    for n in size:
        stride, dilation, kernel = r.choice([1, 2, 3]), r.choice([1, 1, 2]), r.randint(1, 4)
        extra = r.randint(0, max(stride, dilation) - 1)
        grown = (n - 1) * stride + dilation * (kernel - 1) + 1 + extra
        if grown > 20:
            stride, dilation, kernel, extra, grown = 1, 1, 1, 0, n
        padding = r.randint(0, min(2, (grown - 1) // 2))
        for key, value in zip(list(a)[1:], (kernel, stride, padding, extra, dilation)):
            a[key].append(value)
    a["groups"] = r.choice([g for g in divisors(c) if out % g == 0])
    a["bias"] = r.random() < 0.7
    return d.add("ConvTranspose2d", [last], a)


def pool(d, r, last, name):
    kernel = [r.randint(1, min(4, n)) for n in d.shape[last][1:]]
    attrs = {"kernel_size": kernel, "stride": [r.randint(1, 3), r.randint(1, 3)],
             "padding": [r.randint(0, k // 2) for k in kernel]}
    if name == "AvgPool2d":
        attrs["count_include_pad"] = r.random() < 0.5
    return d.add(name, [last], attrs)


def same(d, r, last, filters=None):
    """A convolution that keeps height and width."""
    k = r.choice([1, 3])
    return d.add("Conv2d", [last], {"out_channels": filters or d.shape[last][0], "kernel_size": [k, k],
                                    "padding": [k // 2, k // 2], "bias": r.random() < 0.7})


def join(d, r, name, last, branch):
    """The skip connection, the branch and, in half of the cases, a second branch."""
    more = [d.add(r.choice(["Tanh", "SiLU"]), [last])] if r.random() < 0.5 else []
    if name == "Add" and r.random() < 0.3:  # one number for each channel
        more.append(d.add("GlobalAvgPool2d", [last]))
    return d.add(name, [last, branch, *more])


def gate(d, r, last):
    """A scale for each channel, as in squeeze and excitation; or a map of the same size."""
    start = d.add("GlobalAvgPool2d", [last]) if r.random() < 0.6 else last
    return d.add("Multiply", [last, d.add(r.choice(["Sigmoid", "Hardsigmoid"]), [same(d, r, start)])])


def block(d, r, last):
    """An instance, perhaps repeated, of a block with a skip connection; widths are formulas of its parameter."""
    filters = d.shape[last][0]
    name = f"Part{len(d.blocks) + 1}"
    nodes = [("in", "BlockInput", None), ("wide", "Conv2d", {"out_channels": "$filters*2", "kernel_size": [1, 1]}),
             ("act", r.choice(["ReLU", "SiLU", "Mish"]), None),
             ("conv", "Conv2d", {"out_channels": "$filters", "kernel_size": [3, 3], "padding": [1, 1]}),
             ("add", "Add", None), ("out", "BlockOutput", None)]
    graph = {"nodes": [{"id": i, "name": n, "type": t, "x": 0.0, "y": 90.0 * i, **({"attrs": a} if a else {})}
                       for i, (n, t, a) in enumerate(nodes, 1)],
             "connections": [[1, 0, 2, 0], [2, 0, 3, 0], [3, 0, 4, 0], [4, 0, 5, 0], [1, 0, 5, 1], [5, 0, 6, 0]],
             "frames": [], "notes": []}
    d.blocks[name] = {"parameters": [{"name": "filters", "value": 7}], "network": graph}
    attrs = {"block": name, "filters": filters}
    if r.random() < 0.5:
        attrs["repeat"] = r.randint(2, 3)
    return d.add("Block", [last], attrs)


def attention(d, r, last):
    """Self-attention of at most 49 tokens."""
    c, h, w = d.shape[last]
    if h * w > 49:
        last = d.add("AdaptiveAvgPool2d", [last], {"output_size": [min(h, r.randint(2, 7)), min(w, r.randint(2, 7))]})
    return d.add("MultiheadAttention", [last], {"num_heads": r.choice(divisors(c)), "bias": r.random() < 0.7})


def patches(d, r, last):
    """Patches of 2 to 4 pixels; the image is padded to whole ones."""
    _, h, w = d.shape[last]
    size = r.choice([2, 3, 4])
    if h % size or w % size:
        last = d.add("ZeroPad2d", [last], {"padding_left": 0, "padding_right": -w % size, "padding_top": 0, "padding_bottom": -h % size})
    return d.add("PatchEmbedding", [last], {"embed_dim": r.randint(2, 12), "patch_size": size, "bias": r.random() < 0.7})


def channel_norm(d, r, last):
    """Of at least 4 channels: a norm over one number is 0 whatever comes in."""
    if d.shape[last][0] < 4:
        last = d.add("ChannelLinear", [last], {"out_features": r.randint(4, 9), "bias": r.random() < 0.7})
    attrs = {"eps": r.choice([1e-6, 1e-3]), "elementwise_affine": r.random() < 0.7}
    return d.add("LayerNorm2d", [last], optional(r, attrs, {"eps": 1e-6, "elementwise_affine": True}))


def instance_norm(d, r, last):
    if d.shape[last][1] * d.shape[last][2] < 4:
        last = d.add("ZeroPad2d", [last], {f"padding_{side}": 1 for side in ("left", "right", "top", "bottom")})
    attrs = {"eps": r.choice([1e-5, 1e-3]), "affine": r.random() < 0.5}
    return d.add("InstanceNorm2d", [last], optional(r, attrs, {"eps": 1e-5, "affine": False}))


def draw_image(d, r, last, name):
    c, h, w = d.shape[last]
    if name in ("Upsample", "ConvTranspose2d", "ZeroPad2d") and h * w > MOST_PIXELS:
        name = "MaxPool2d"
    if name == "BatchNorm2d":
        attrs = {"eps": r.choice([1e-5, 1e-3]), "momentum": r.choice([0.1, 0.3, 1.0])}
        return d.add(name, [last], optional(r, attrs, dict(eps=1e-5, momentum=0.1)))
    simple = {"Conv2d": lambda: conv(d, r, last), "ConvTranspose2d": lambda: deconv(d, r, last),
              "MaxPool2d": lambda: pool(d, r, last, name), "AvgPool2d": lambda: pool(d, r, last, name),
              "AdaptiveAvgPool2d": lambda: d.add(name, [last], {"output_size": [r.randint(1, 7), r.randint(1, 7)]}),
              "Upsample": lambda: d.add(name, [last], {"scale_factor": [r.randint(1, 2), r.randint(1, 3)],
                                                       "mode": r.choice(["nearest", "bilinear"])}),
              "ZeroPad2d": lambda: d.add(name, [last], {f"padding_{side}": r.randint(0, 3)
                                                        for side in ("left", "right", "top", "bottom")}),
              "Add": lambda: join(d, r, name, last, same(d, r, last)),
              "Concat": lambda: join(d, r, name, last, same(d, r, last, r.randint(1, 4))),
              "Multiply": lambda: gate(d, r, last), "Block": lambda: block(d, r, last),
              "MultiheadAttention": lambda: attention(d, r, last), "PatchEmbedding": lambda: patches(d, r, last),
              "LayerNorm2d": lambda: channel_norm(d, r, last), "InstanceNorm2d": lambda: instance_norm(d, r, last),
              "Reshape": lambda: reshape(d, r, last),
              "ChannelLinear": lambda: d.add(name, [last], {"out_features": r.randint(1, 9), "bias": r.random() < 0.7}),
              "Transpose": lambda: d.add(name, [last], dict(zip(("dim0", "dim1"), r.sample([1, 2, 3], 2))))}
    return simple[name]() if name in simple else any_layer(d, r, last, name)

# SPDX-License-Identifier: Apache-2.0
"""Layers that take vectors and images alike, and those between vectors, with random attributes."""
import math

from draft import divisors

ACTIVATIONS = ["ELU", "GELU", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU", "Mish", "PReLU", "ReLU", "ReLU6", "SELU", "SiLU",
               "Sigmoid", "Softmax", "Softplus", "Tanh"]
FORMULAS = ["x * sigmoid(a * x)", "where(x > 0, x, a * (exp(x) - 1))", "x + sin(b * x)^2 / b", "x * tanh(softplus(x))",
            "0.5 * x * (1 + erf(x / sqrt(2 * c)))", "log(1 + x^2) - c * cos(x)", "max(x, -1) * (x > 0.3)",
            "sign(x) * sqrt(abs(x) + a) - pow(x^2 + c, 0.7)", "exp(-x^2) + min(x, 0.5)"]
DROPOUTS = ["Dropout", "Dropout2d", "StochasticDepth"]
ANY = [*ACTIVATIONS, *DROPOUTS, "ChannelShuffle", "Formula", "GroupNorm", "Identity", "LayerNorm", "LayerScale", "LocalResponseNorm", "Slice"]
VECTOR = [*ANY, "Add", "Concat", "Linear", "Multiply", "Reshape"]
# Attributes without which a layer would be another one, or would not fit.
NEEDED = {"num_groups", "groups", "p", "layer", "layers", "dim", "start", "end", "min_val", "max_val"}


def attrs_of(d, r, last, name):
    """Random attributes of a layer of ANY behind the node `last`."""
    choices = {
        "ELU": {"alpha": r.choice([0.0, 0.3, 1.0, 2.5])},
        "GELU": {"approximate": r.choice(["none", "tanh"])},
        "LeakyReLU": {"negative_slope": r.choice([0.0, 0.01, 0.2, 1.0])},
        "PReLU": {"num_parameters": r.choice(["1", "channels"])},
        "Softplus": {"beta": r.choice([0.5, 1.0, 3.0]), "threshold": r.choice([1.0, 20.0])},
        "Dropout": {"p": 0.0}, "Dropout2d": {"p": 0.0},
        "StochasticDepth": r.choice([{"p": 0.0, "layer": 2, "layers": 3}, {"p": 0.7, "layer": 0, "layers": 4}]),
        "Hardtanh": r.choice([{}, {"min_val": 0.0, "max_val": 6.0}, {"min_val": -0.3, "max_val": 2.5}]),
        "Formula": {"expression": r.choice(FORMULAS), "a": r.choice([0.5, 1.0, 2.0]), "b": r.choice([0.5, 1.0, 3.0]),
                    "c": r.choice([0.5, 1.0])},
        "ChannelShuffle": {"groups": r.choice(mixing_groups(d.shape[last][0]) or [1])},
        "LayerScale": {"init_value": r.choice([0.1, 0.5, 1.0])},
        "LocalResponseNorm": {"size": r.randint(1, 7), "alpha": r.choice([1e-4, 0.5, 2.0]), "beta": r.choice([0.5, 0.75, 2.0]),
                              "k": r.choice([0.5, 1.0, 2.0])},
        "Slice": slice_of(d, r, last),
        "GroupNorm": {"num_groups": r.choice(divisors(d.shape[last][0])), "eps": r.choice([1e-5, 1e-3]),
                      "affine": r.random() < 0.7},
        "LayerNorm": {"eps": r.choice([1e-5, 1e-2]), "elementwise_affine": r.random() < 0.7},
    }
    return {k: v for k, v in choices.get(name, {}).items() if k in NEEDED or r.random() < 0.8}


def mixing_groups(channels):
    """Groups that change the order of channels, and whose exchange with their size changes it otherwise."""
    return [k for k in divisors(channels) if 1 < k < channels and k * k != channels]


def with_composite_channels(d, r, last):
    if mixing_groups(d.shape[last][0]):
        return last
    return d.add("ChannelLinear" if len(d.shape[last]) == 3 else "Linear", [last], {"out_features": r.choice([6, 8, 10, 12])})


def slice_of(d, r, last):
    """A range of at least one place."""
    place = r.randrange(len(d.shape[last]))
    size = d.shape[last][place]
    start = r.randrange(size)
    return {"dim": ["channels", "rows", "columns"][place], "start": start,
            "end": r.choice([-1, r.randint(start + 1, size)])}


def reshape(d, r, last):
    """Other sizes for the same elements; one of them may be left to the layer."""
    n = math.prod(d.shape[last])
    sizes = [(c, h, n // c // h) for c in divisors(n) if c <= 64 for h in divisors(n // c) if h <= 200 and n // c // h <= 200]
    attrs = dict(zip(("channels", "height", "width"), r.choice(sizes or [(n, 1, 1)])))
    if r.random() < 0.5:
        attrs[r.choice(sorted(attrs))] = -1
    return d.add("Reshape", [last], attrs)


def can_normalize(shape):
    """A norm over one number is 0 whatever comes in, and what follows is only rounding."""
    size = 1
    for n in shape:
        size *= n
    return size >= 4


def any_layer(d, r, last, name):
    if name in ("LayerNorm", "GroupNorm") and not can_normalize(d.shape[last]):
        name = "Tanh"
    if name == "ChannelShuffle":
        last = with_composite_channels(d, r, last)
    attrs = attrs_of(d, r, last, name)
    if name == "GroupNorm":
        group = [k for k in divisors(d.shape[last][0]) if can_normalize((d.shape[last][0] // k, *d.shape[last][1:]))]
        attrs["num_groups"] = r.choice(group)
    return d.add(name, [last], attrs)


def linear(d, r, last, features=None):
    return d.add("Linear", [last], {"out_features": features or r.randint(3, 24), "bias": r.random() < 0.8})


def draw_vector(d, r, last, name):
    if name == "Linear":
        return linear(d, r, last)
    if name == "Add":
        more = [any_layer(d, r, last, "Tanh")] if r.random() < 0.5 else []
        return d.add("Add", [last, linear(d, r, last, d.shape[last][0]), *more])
    if name == "Concat":
        return d.add("Concat", [linear(d, r, last) for _ in range(r.randint(2, 3))])
    if name == "Multiply":
        return d.add("Multiply", [last, d.add("Sigmoid", [linear(d, r, last, d.shape[last][0])])])
    if name == "Reshape":
        return d.add("Flatten", [reshape(d, r, last)])
    return any_layer(d, r, last, name)

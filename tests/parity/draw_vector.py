# SPDX-License-Identifier: Apache-2.0
"""Layers that take vectors and images alike, and those between vectors, with random attributes."""
from draft import divisors

ACTIVATIONS = ["ELU", "GELU", "Hardsigmoid", "Hardswish", "LeakyReLU", "Mish", "PReLU", "ReLU", "ReLU6", "SELU", "SiLU",
               "Sigmoid", "Softmax", "Softplus", "Tanh"]
ANY = [*ACTIVATIONS, "Dropout", "GroupNorm", "Identity", "LayerNorm"]
VECTOR = [*ANY, "Add", "Concat", "Linear", "Multiply"]


def attrs_of(d, r, last, name):
    """Random attributes of a layer of ANY behind the node `last`."""
    choices = {
        "ELU": {"alpha": r.choice([0.0, 0.3, 1.0, 2.5])},
        "GELU": {"approximate": r.choice(["none", "tanh"])},
        "LeakyReLU": {"negative_slope": r.choice([0.0, 0.01, 0.2, 1.0])},
        "PReLU": {"num_parameters": r.choice(["1", "channels"])},
        "Softplus": {"beta": r.choice([0.5, 1.0, 3.0]), "threshold": r.choice([1.0, 20.0])},
        "Dropout": {"p": 0.0},
        "GroupNorm": {"num_groups": r.choice(divisors(d.shape[last][0])), "eps": r.choice([1e-5, 1e-3]),
                      "affine": r.random() < 0.7},
        "LayerNorm": {"eps": r.choice([1e-5, 1e-2]), "elementwise_affine": r.random() < 0.7},
    }
    attrs = choices.get(name, {})
    return attrs if name == "Dropout" else {k: v for k, v in attrs.items() if k == "num_groups" or r.random() < 0.8}


def can_normalize(shape):
    """A norm over one number is 0 whatever comes in, and what follows is only rounding."""
    size = 1
    for n in shape:
        size *= n
    return size >= 4


def any_layer(d, r, last, name):
    if name in ("LayerNorm", "GroupNorm") and not can_normalize(d.shape[last]):
        name = "Tanh"
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
    return any_layer(d, r, last, name)

# SPDX-License-Identifier: Apache-2.0
"""Draws random networks as the JSON of a project file: layers of every type, odd sizes, branches, blocks.

The layer of the network's own number (`must`) is always in it, so that as many networks as there are types hold all of them.
"""
from draft import Draft, divisors
from draw_image import IMAGE, draw_image
from draw_vector import DROPOUTS, VECTOR, draw_vector

TYPES = sorted(set(IMAGE) | set(VECTOR))
LOSSES = ["CrossEntropy", "BCEWithLogits", "MSE", "BCE"]
# In every network or many of them; GlobalAvgPool2d and Flatten lead from images to vectors.
ALWAYS = ["Input", "Flatten", "Linear", "GlobalAvgPool2d"]
# Every layer type of the program, but for the instances of blocks.
ALL = sorted({*TYPES, *ALWAYS, *LOSSES, "BlockInput", "BlockOutput"} - {"Block"})


def insert_must(choices, must, r, steps):
    """`steps` names of layer types; the one at a random place is `must` if it is among the choices."""
    names = [r.choice(sorted(choices)) for _ in range(steps)]
    if must in choices:
        names[r.randrange(len(names))] = must
    return names


def to_vector(d, r, last):
    if r.random() < 0.4:
        last = d.add("GlobalAvgPool2d", [last])
    last = d.add("Flatten", [last])
    if d.shape[last][0] > 400:
        last = d.add("Linear", [last], {"out_features": r.randint(5, 20)})
    return last


def draw_network(r, must, outputs, loss, smoothing, eval_only):
    """The draft of a network whose loss is of type `loss`. `eval_only`: with a dropout that is active in training."""
    d = Draft(r)
    channels = r.choice([1, 1, 2, 3, 3, 5])
    last = d.add("Input", [], {"channels": channels, "height": r.randint(3, 13), "width": r.randint(3, 13)})
    for name in insert_must(IMAGE, must, r, r.randint(1, 5)):
        last = draw_image(d, r, last, name)
    last = to_vector(d, r, last)
    for name in insert_must(VECTOR, must, r, r.randint(1, 3)):
        last = draw_vector(d, r, last, name)
    if eval_only:
        last = d.add(r.choice(DROPOUTS), [last], {"p": r.choice([0.1, 0.5, 0.9])})
    last = d.add("Linear", [last], {"out_features": outputs})
    if loss == "BCE":
        last = d.add("Sigmoid", [last])
    d.add(loss, [last], {"label_smoothing": smoothing} if loss == "CrossEntropy" and smoothing else {})
    freeze_some(d, r)
    return d


def freeze_some(d, r):
    """Freezes convolutions and linear layers but the last one, or all layers up to one; gives some a learning rate of their
    own; bypasses activations."""
    last = [node for node in d.nodes if node["type"] == "Linear"][-1]
    border = r.randrange(len(d.nodes)) if r.random() < 0.2 else 0
    for i, node in enumerate(d.nodes):
        if node["type"] in ("ChannelLinear", "Conv2d", "Linear", "MultiheadAttention") and r.random() < 0.08:
            node["frozen"] = True
        if i < border and node["type"] not in ("Input", *LOSSES):
            node["frozen"] = True
        if node["type"] in ("Block", "Conv2d", "Linear", "BatchNorm2d") and r.random() < 0.1:
            node["lr_scale"] = r.choice([0.1, 0.5, 2.0])
        if node is last:
            node.pop("frozen", None)
        if node["type"] in ("ReLU", "Tanh", "GELU") and r.random() < 0.1:
            node["bypassed"] = True


__all__ = ["ALL", "LOSSES", "TYPES", "divisors", "draw_network"]

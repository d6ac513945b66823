# SPDX-License-Identifier: Apache-2.0
"""Trains the twin as the settings of a project ask for. Notes what only rounding decides: `twin.unsure`."""
import torch

from optimizers import learning_rate, make_optimizer
from philox import order


NOISE = 1e-11  # a gradient that is smaller is 0 but for rounding: a bias before a batch norm


def add_penalties(s, weights, unsure):
    """L1 and L2 act through the gradient, behind clipping. The sign that L1 takes jumps at 0."""
    for name, w in weights.items():
        value, l1 = w.detach(), s.get("l1", 0.0)
        w.grad += s.get("l2", 0.0) * value + l1 * torch.sign(value)
        if l1:
            unsure[name] |= near_zero(value)


def near_zero(values):
    """Elements whose sign may be another one in float32."""
    return (values != 0) & (values.abs() < 3e-5 * values.abs().max())


def note_noise(twin, learned):
    for name, w in learned.items():
        if 0 < w.grad.abs().max() < NOISE:
            twin.unsure[name].fill_(True)
        if name.endswith(".in_proj_bias"):  # softmax takes no notice of what is added to all keys
            twin.unsure[name][len(w) // 3:2 * len(w) // 3] = True


def note_signs(twin, learned, optimizer):
    """Lion's."""
    for name, w in learned.items():
        signs = optimizer.state[w].get("unsure")
        if signs is not None:
            twin.unsure[name] |= signs


def clip(s, weights):
    if s["clip_value"] > 0:
        torch.nn.utils.clip_grad_value_(weights, s["clip_value"])
    if s["clip_norm"] > 0:
        torch.nn.utils.clip_grad_norm_(weights, s["clip_norm"])


def split_by_rate(optimizer, scales):
    """Weights of layers with a factor of their own get groups of their own."""
    optimizer.param_groups[:] = [
        {**group, "params": [w for w in group["params"] if scales[w] == scale], "scale": scale}
        for group in optimizer.param_groups for scale in sorted({scales[w] for w in group["params"]})]


def train(twin, s, images, targets):
    """The loss of each step, before its update."""
    learned = {n: w for n, w in twin.weights.items() if twin.learned(n)}
    decaying = {n: w for n, w in learned.items() if twin.decays(n, s.get("decay_bias_and_norm", True))}
    others = [w for n, w in learned.items() if n not in decaying]
    optimizer = make_optimizer(s, list(decaying.values()), others)
    split_by_rate(optimizer, {w: twin.owner[n].lr_scale for n, w in learned.items()})
    twin.unsure = {n: torch.zeros_like(w, dtype=torch.bool) for n, w in learned.items()}
    batches = range(0, len(images), s["batch"])
    losses = []
    for epoch in range(s["epochs"]):
        places = order(len(images), s["seed"], epoch)
        for begin in batches:
            some = places[begin:begin + s["batch"]]
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(s, len(losses), len(batches)) * group["scale"]
            losses.append(step(twin, s, optimizer, learned, decaying, images[some], targets[some]))
    return losses


def step(twin, s, optimizer, learned, decaying, images, targets):
    loss = twin.loss_of(twin.scores(images, True), targets)
    for w in learned.values():
        w.grad = torch.zeros_like(w)
    loss.backward()
    note_noise(twin, learned)
    clip(s, list(learned.values()))
    add_penalties(s, decaying, twin.unsure)
    optimizer.step()
    note_signs(twin, learned, optimizer)
    return loss.item()

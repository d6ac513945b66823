# SPDX-License-Identifier: Apache-2.0
"""A case: a random network, its training settings and its data. The case of (seed, number) is always the same."""
import random

from draw import LOSSES, TYPES, draw_network
from tables import draw_tables

OPTIMIZERS = ["adagrad", "adam", "adamw", "lars", "lion", "nadam", "rmsprop", "sgd"]


def optimizer_fields(r, name):
    """Learning rate and hyper-parameters, by the optimizer."""
    eps = r.choice([1e-8, 1e-4])
    betas = {"beta1": r.choice([0.9, 0.8]), "beta2": r.choice([0.999, 0.98])}
    decay = {"weight_decay": r.choice([0.0, 0.01, 0.3])}
    return {
        "sgd": dict(learning_rate=0.05, **r.choice([dict(momentum=0.0), dict(momentum=0.9), dict(momentum=0.8, nesterov=True)])),
        "adam": dict(learning_rate=0.01, epsilon=eps, **betas),
        "adamw": dict(learning_rate=0.01, epsilon=eps, **betas, **decay),
        "nadam": dict(learning_rate=0.01, epsilon=eps, momentum_decay=r.choice([0.004, 0.0, 0.5]), **betas),
        "rmsprop": dict(learning_rate=0.005, epsilon=eps, alpha=r.choice([0.99, 0.9]), momentum=r.choice([0.0, 0.5]),
                        centered=r.random() < 0.5),
        "adagrad": dict(learning_rate=0.03, epsilon=r.choice([1e-10, 1e-3]), learning_rate_decay=r.choice([0.0, 0.2])),
        "lion": dict(learning_rate=0.003, beta1=r.choice([0.9, 0.95]), beta2=r.choice([0.99, 0.8]), **decay),
        "lars": dict(learning_rate=1.0, momentum=r.choice([0.9, 0.0]), trust_coefficient=r.choice([0.02, 0.1]), **decay),
    }[name]


def penalties(r, name):
    """LARS scales by the norm of the gradient and its own weight decay; L1 and L2 beside it are not defined by its paper."""
    if name == "lars":
        return {}
    return {"l1": r.choice([0.0, 0.0, 0.01]), "l2": r.choice([0.0, 0.02]), "decay_bias_and_norm": r.random() < 0.5}


def clips(r):
    """None, by value, by norm, or both."""
    kind = r.randrange(4)
    return {"clip_value": r.choice([0.003, 0.05]) if kind & 1 else 0.0, "clip_norm": r.choice([0.02, 0.5]) if kind & 2 else 0.0}


def schedule(r):
    """Epochs and the learning-rate schedule; the warm-up may end within an epoch."""
    return {"epochs": r.randint(2, 4), "schedule": r.choice(["constant", "step", "cosine"]), "step_epochs": r.randint(1, 2),
            "step_gamma": r.choice([0.1, 0.5]), "min_learning_rate": r.choice([0.0, 1e-4]),
            "warmup_epochs": r.choice([0.0, 0.0, 0.5, 1.0])}


def draw_case(seed, number, folder):
    """(project, name of the optimizer). The tables are written to `folder`."""
    r = random.Random(f"{seed}/{number}")
    name, loss = OPTIMIZERS[number % len(OPTIMIZERS)], LOSSES[number // len(OPTIMIZERS) % len(LOSSES)]
    outputs = {"BCE": 1, "CrossEntropy": r.randint(2, 5), "BCEWithLogits": r.randint(2, 4)}.get(loss, r.randint(1, 4))
    eval_only = number % 10 == 9
    net = draw_network(r, TYPES[number % len(TYPES)], outputs, loss, r.choice([0.0, 0.1, 0.3]), eval_only)
    samples = r.randint(12, 36)
    batch = r.choice([b for b in range(4, samples + 1) if samples % b != 1])
    devices = ["cpu:0", "cpu:1"] if number % 6 == 5 else ["cpu"]
    training = dict(batch=batch, seed=r.randrange(2 ** 32), optimizer=name, precision="fp32", threads=r.randint(2, 3),
                    devices=devices, random_crop=False, horizontal_flip=False, checkpoint_epochs=1000, **optimizer_fields(r, name),
                    **penalties(r, name), **clips(r), **schedule(r))
    data = draw_tables(r, folder, net.shape[1], loss, outputs, samples)
    return {"format": 1, "network": net.graph(), "blocks": net.blocks, "data": data, "training": training}, eval_only

# SPDX-License-Identifier: Apache-2.0
"""Compares the product with the twin on one case. Every error is taken beside that of the twin in float32: rounding alone
makes an error of this size, which large values, long sums and small divisors may make much larger than 1e-7."""
import copy

import numpy as np
import torch

from draw_case import draw_case
from figures import compare_figures
from product import Product, losses_of, weights_of, write_image
from tables import load, read
from training import train
from twin import Twin

NOTHING = 1e-30   # a learning rate that is lost in rounding; the product takes no 0
ALLOWED = 40      # times the error of the twin in float32 ...
FLOOR = {"forward": 2e-6, "loss": 5e-6, "weights": 1e-5, "update": 1e-4}  # ... and at least so much
UNKNOWN = 1e-3    # rounding decides such a value
INSTRUCTIONS = ["portable", "avx2", "avx512", ""]


def relative(ours, exact, smallest=1e-3):
    """Largest difference, relative to the largest exact value or a larger `smallest`."""
    ours, exact = (np.asarray(v, dtype=np.float64) for v in (ours, exact))
    return float(np.max(np.abs(ours - exact), initial=0.0) / max(np.max(np.abs(exact), initial=0.0), smallest))


class Case:
    def __init__(self, seed, number, cli, folder):
        self.errors, self.unknown, self.problems, self.figures = [], [], [], []
        self.folder = folder
        self.project, self.eval_only = draw_case(seed, number, folder)
        self.settings = self.project["training"]
        self.product = Product(cli, folder, INSTRUCTIONS[number // 7 % len(INSTRUCTIONS)])
        self.data = load(self.project["data"])

    def twins(self, weights):
        return [Twin(self.project, weights, dtype) for dtype in (torch.float64, torch.float32)]

    def judge(self, kind, of, ours, exact, rounded, smallest=1e-3):
        """Keeps the error of `ours`; `of`: the type of a layer, "" for the whole network."""
        error, rounding = relative(ours, exact, smallest), relative(rounded, exact, smallest)
        if rounding > UNKNOWN:
            self.unknown.append((kind, of))
            return
        self.errors.append((kind, of, error, rounding))
        if not error <= FLOOR[kind] + ALLOWED * rounding:
            self.problems.append(f"{kind} {of}: {error:.3g}, in float32 {rounding:.3g}")

    def run(self):
        start = self.initial_weights()
        if not self.eval_only:
            self.compare_training(start)

    def initial_weights(self):
        """A run that learns nothing writes its initial weights; only the statistics of batch norms move."""
        still = copy.deepcopy(self.project)
        still["training"].update(learning_rate=NOTHING, min_learning_rate=0.0, epochs=1)
        run = self.product.train(still, "initial")
        weights = weights_of(run)
        self.compare_forward(run, weights)
        if not self.eval_only:
            pair = self.twins(weights)
            for twin in pair:
                twin.restart_statistics()
            losses = [train(twin, still["training"], *self.data[:2]) for twin in pair]
            self.judge("loss", "", losses_of(run), *losses)
            self.compare_weights(weights, pair)
        # what began as 0 is about NOTHING now
        return {n: torch.where(w.abs() < 1e-20, torch.zeros_like(w), w) for n, w in weights.items()}

    def compare_training(self, start):
        run = self.product.train(self.project, "trained")
        pair = self.twins(start)
        for twin in pair:
            twin.restart_statistics()
        losses = [train(twin, self.settings, *self.data[:2]) for twin in pair]
        self.judge("loss", "", losses_of(run), *losses)
        weights = weights_of(run)
        self.compare_weights(weights, pair, start)
        self.compare_forward(run, weights)

    def compare_weights(self, weights, pair, start=None):
        """Weights, and with `start` also what training has changed."""
        exact = pair[0]
        if set(weights) != set(exact.weights):
            self.problems.append(f"other weights: {set(weights) ^ set(exact.weights)}")
        for name, w in weights.items():
            kind, both = exact.owner[name].kind, [twin.weights[name].detach().double() for twin in pair]
            sure = self.sure(exact, name)
            if not sure.any():
                self.unknown.append(("weights", kind))
                continue
            # a mean is as exact as the values that it is the mean of
            spread = exact.weights[name[:-len("mean")] + "var"].max().item() ** 0.5 if name.endswith("running_mean") else 0
            self.judge("weights", kind, w[sure], *[after[sure] for after in both], smallest=max(spread, 1e-3))
            if start and exact.learned(name):
                changes = [(after - start[name].double())[sure] for after in (w, *both)]
                self.judge("update", kind, *changes, smallest=1e-12)

    def sure(self, twin, name):
        """The elements that more than rounding decides. A bias before a batch norm moves its running mean."""
        unsure = torch.zeros_like(twin.weights[name], dtype=torch.bool)
        if name in twin.unsure:
            unsure = twin.unsure[name]
        elif name.endswith("running_mean") and any(mask.all() for mask in twin.unsure.values()):
            unsure = ~unsure
        return ~unsure

    @torch.no_grad()
    def compare_forward(self, run, weights):
        """Metrics and predictions of a run, beside the twin with the run's own weights."""
        images, targets = self.data[2:4]
        pair = self.twins(weights)
        scores = [twin.scores(images, False) for twin in pair]
        answers = [twin.answers(s).numpy().astype(np.float64) for twin, s in zip(pair, scores)]
        if self.project["data"]["channels"] in (1, 3):
            self.judge("forward", "", self.product.predict(run, self.image_files()), *answers)
        said = self.product.evaluate(run)
        losses = [twin.loss_of(s, targets).item() for twin, s in zip(pair, scores)]
        self.judge("loss", "", [said["loss"]], *[[v] for v in losses])
        plain = [twin.loss_of(s, targets, 0.0).item() for twin, s in zip(pair, scores)]
        self.judge("loss", "", [said["cross_entropy"]], *[[v] for v in plain])
        self.figures += compare_figures(self.project["data"]["target"], said, *answers, targets, self.problems)

    def image_files(self):
        """The test images as files."""
        d = self.project["data"]
        pixels = read(d["test_path"], d["target_column"].count(",") + 1)[1]
        files = []
        for n, row in enumerate(pixels):
            files.append(self.folder / f"{n:03d}.pnm")
            write_image(files[-1], row.reshape(d["height"], d["width"], d["channels"]))
        return files

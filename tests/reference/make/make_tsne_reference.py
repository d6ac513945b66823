#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tsne.json: the divergence that scikit-learn's exact t-SNE reaches for points that the test generates by the same formula.

    python tests/reference/make/make_tsne_reference.py     (needs numpy and scikit-learn)
"""
import json
import math
import pathlib

import numpy
import sklearn
from sklearn.manifold import TSNE

POINTS, WIDTH, CLUSTERS = 200, 12, 5


def points():
    """Five clusters; the noise consists of sines of widely spaced numbers, so that it is reproducible."""
    rows = numpy.zeros((POINTS, WIDTH), numpy.float32)
    for i in range(POINTS):
        for k in range(WIDTH):
            heap = 6 * math.sin(1 + 7.3 * (i % CLUSTERS) + 2.9 * k)
            rows[i, k] = heap + math.sin(12.9898 * (i + 1) + 78.233 * (k + 1) * (i + 1))
    return rows


def main():
    rows = points()
    found = [TSNE(method="exact", perplexity=p, init="pca", random_state=0).fit(rows).kl_divergence_ for p in (10, 30)]
    out = {"scikit-learn": sklearn.__version__, "points": POINTS, "width": WIDTH, "clusters": CLUSTERS, "perplexity": [10, 30], "divergence": [float(v) for v in found]}
    (pathlib.Path(__file__).resolve().parents[1] / "tsne.json").write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the installed wheel does where pandas and NumPy are: installed_wheel.py RUN PHOTO... Played by installer/packages_test.sh."""
import sys

import netwright
import numpy
import pandas

run = netwright.open_run(sys.argv[1])
epochs, points = run.epochs(), run.metrics("train/loss")
assert isinstance(epochs, pandas.DataFrame) and isinstance(points, pandas.DataFrame), type(epochs)
assert list(epochs["epoch"]) == [1, 2], epochs
assert points["value"].dtype == float and len(points) >= 1, points

sys.modules["pandas"] = None  # as where NumPy alone is installed
arrays = run.epochs()
assert isinstance(arrays["epoch"], numpy.ndarray) and arrays["epoch"].tolist() == [1, 2], arrays

answers = run.predict(*sys.argv[2:])
assert [a["file"].split("/")[-1] for a in answers] == sys.argv[2:], answers
for answer in answers:
    assert answer["class"] in run.classes and abs(sum(answer["probability"]) - 1) < 1e-4, answer
print(f"{run.name}: {len(epochs)} epochs, {len(points)} points, {len(answers)} photos")

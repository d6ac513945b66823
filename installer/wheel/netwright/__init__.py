# SPDX-License-Identifier: Apache-2.0
"""Netwright's runs in Python: opened as pandas or numpy, and asked what images show.

    import netwright
    run = netwright.open_run("runs/2026-11-26-lenet5-a7")
    run.epochs()             # a pandas.DataFrame, or a dict of numpy arrays or lists where those are missing
    run.predict("digit.png")

Training, search, export and everything else are commands of the program: netwright.run("train", "lenet5.netwright").
"""
from netwright.program import NetwrightError, run
from netwright.runs import Run, open_run

__all__ = ["NetwrightError", "Run", "open_run", "run"]
__version__ = "@VERSION@"

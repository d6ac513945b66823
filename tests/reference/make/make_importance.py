#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes importance.json: studies with the importances that Optuna 5.0's PED-ANOVA gives their parameters (not normalized).

    python tests/reference/make/make_importance.py            # a Python with optuna 5.0
    python tests/reference/make/make_importance.py --check    # compares with the file instead

tests/engine/search/importance_test.cpp compares engine/search/importance.cpp with it.
"""
import json
import math
import random
import sys
from pathlib import Path

import optuna
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.importance import PedAnovaImportanceEvaluator

optuna.logging.set_verbosity(optuna.logging.ERROR)
FILE = Path(__file__).resolve().parents[1] / "importance.json"


def distribution(p):
    if p["type"] == "choice":
        return CategoricalDistribution(p["values"])
    if p["type"] == "int":
        return IntDistribution(p["low"], p["high"], log=p.get("log", False), step=p.get("step", 1))
    return FloatDistribution(p["low"], p["high"], log=p.get("log", False), step=p.get("step"))


def drawn(p, rng):
    if p["type"] == "choice":
        return rng.choice(p["values"])
    low, high, step = p["low"], p["high"], p.get("step", 1 if p["type"] == "int" else None)
    value = math.exp(rng.uniform(math.log(low), math.log(high))) if p.get("log") else rng.uniform(low, high)
    if step:
        value = low + step * min(round((value - low) / step), math.floor((high - low) / step + 1e-9))
    return int(value) if p["type"] == "int" else round(value, 6)


SPACE = [{"name": "rate", "type": "real", "low": 1e-4, "high": 0.5, "log": True},
         {"name": "width", "type": "int", "low": 4, "high": 64, "step": 4},
         {"name": "units", "type": "int", "low": 1, "high": 300, "log": True},
         {"name": "decay", "type": "real", "low": 0, "high": 1},
         {"name": "drop", "type": "real", "low": 0, "high": 0.5, "step": 0.1},
         {"name": "kind", "type": "choice", "values": ["sgd", "adam", "lion"]},
         {"name": "momentum", "type": "real", "low": 0, "high": 0.99, "when": {"kind": ["sgd"]}},
         {"name": "fixed", "type": "int", "low": 7, "high": 7}]


def loss(v, rng):
    far = (math.log10(v["rate"]) + 2) ** 2 + (v["width"] - 40) ** 2 / 2000 + (v["kind"] != "sgd") * 0.4
    return round(far + (0.9 - v.get("momentum", 0.5)) ** 2 + 0.05 * rng.random(), 6)


def study(trials, objectives, rounded, seed):
    rng = random.Random(seed)
    made = optuna.create_study(directions=["maximize" if o.endswith("max") else "minimize" for o in objectives])
    rows = []
    for _ in range(trials):
        v = {}
        for p in SPACE:
            if all(v.get(name) in values for name, values in p.get("when", {}).items()):
                v[p["name"]] = drawn(p, rng)
        first = loss(v, rng)
        values = [round(first, 1) if rounded else first, v["width"] * v["units"]][:len(objectives)]
        values = [-x if o.endswith("max") else x for x, o in zip(values, objectives)]
        rows.append({"parameters": v, "values": values})
        made.add_trial(optuna.trial.create_trial(params=v, values=values,
                                                 distributions={p["name"]: distribution(p) for p in SPACE if p["name"] in v}))
    return {"space": {"parameters": SPACE}, "objectives": objectives, "trials": rows,
            "importance": PedAnovaImportanceEvaluator().evaluate(made)}


def main():
    studies = [study(7, ["loss:min"], False, 1), study(150, ["accuracy:max"], False, 2), study(150, ["loss:min"], True, 11),
               study(120, ["loss:min", "parameters:min"], False, 4)]
    if "--check" in sys.argv:
        known = json.loads(FILE.read_text())["studies"]
        for was, now in zip(known, studies, strict=True):
            for name, value in was["importance"].items():
                assert abs(value - now["importance"][name]) < 1e-9, name
        return
    FILE.write_text(json.dumps({"optuna": optuna.__version__, "studies": studies}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()

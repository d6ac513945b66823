#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays the samplers of engine/search against Optuna 5.0 with equal budgets.

    python tests/search/optuna_peer.py --program build/release/bin/ask_tell --seeds 20   # a Python with optuna and scipy

Prints, for every problem, the medians over the seeds (random, Optuna, ours) and the p of Wilcoxon's signed-rank test on the
pairs of equal seeds, two-sided, then the time of a question and an answer at 10,000 trials. Fails (code 1) if ours is
significantly worse (p < 0.05) on a problem, better on fewer than two, or slower than 5 ms. --without-optuna compares with
limits that were measured instead.

NAS-Bench-Macro (tests/reference/nas-bench-macro): 6,561 networks of eight blocks on CIFAR-10, Su et al., 2021.
"""
import argparse
import json
import math
import statistics
import subprocess
import sys
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "reference" / "nas-bench-macro" / "nas-bench-macro_cifar10.json"
macro = json.loads(TABLE.read_text())

HARTMANN_A = [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
HARTMANN_P = [[1312, 1696, 5569, 124, 8283, 5886], [2329, 4135, 8307, 3736, 1004, 9991],
              [2348, 1451, 3522, 2883, 3047, 6650], [4047, 8828, 8732, 5743, 1091, 381]]
HARTMANN_ALPHA = [1, 1.2, 3, 3.2]


def real(name, low, high):
    return {"name": name, "type": "real", "low": low, "high": high}


def branin(p):
    x, y = p["x"], p["y"]
    valley = y - 5.1 / (4 * math.pi ** 2) * x * x + 5 / math.pi * x - 6
    return [valley ** 2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10]


def hartmann(p):
    return [-sum(alpha * math.exp(-sum(a * (p[f"x{i}"] - q * 1e-4) ** 2 for i, (a, q) in enumerate(zip(row, centre))))
                 for alpha, row, centre in zip(HARTMANN_ALPHA, HARTMANN_A, HARTMANN_P))]


def rosenbrock(p):
    x = [p[f"x{i}"] for i in range(4)]
    return [sum(100 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in zip(x, x[1:]))]


def network(p):
    return macro["".join(p[f"block{i}"] for i in range(8))]


def error(p):
    return [-network(p)["mean_acc"]]


def error_and_flops(p):
    return [-network(p)["mean_acc"], network(p)["flops"]]


worst_accuracy = min(n["mean_acc"] for n in macro.values())
most_flops = max(n["flops"] for n in macro.values())


def area(values):
    """The area between the front of (-accuracy, FLOPs) and the worst accuracy and the most FLOPs."""
    total, best, before = 0, worst_accuracy, 0
    for accuracy, flops in sorted(([-v[0], v[1]] for v in values), key=lambda v: v[1]):
        total += (flops - before) * (best - worst_accuracy)
        best, before = max(best, accuracy), flops
    return total + (most_flops - before) * (best - worst_accuracy)


whole_area = area([[-n["mean_acc"], n["flops"]] for n in macro.values()])


def lowest(values):
    return min(v[0] for v in values)


def lost_area(values):
    return 1 - area(values) / whole_area


blocks = [{"name": f"block{i}", "type": "choice", "values": ["0", "1", "2"]} for i in range(8)]
# name: space, function, trials, score (lower is better), the limit of the median without Optuna
PROBLEMS = {
    "Branin": ([real("x", -5, 10), real("y", 0, 15)], branin, 100, lowest, 0.46),
    "Hartmann-6": ([real(f"x{i}", 0, 1) for i in range(6)], hartmann, 100, lowest, -3.0),
    "Rosenbrock-4": ([real(f"x{i}", -2.048, 2.048) for i in range(4)], rosenbrock, 100, lowest, 5),
    "Macro, accuracy, 30 trials": (blocks, error, 30, lowest, -92.85),
    "Macro, accuracy": (blocks, error, 100, lowest, -93.08),
    "Macro, accuracy and FLOPs, lost area": (blocks, error_and_flops, 100, lost_area, 0.05),
}


class Ours:
    def __init__(self, program, space, objectives, sampler, seed):
        self.child = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        names = ["loss:min", "multiply_adds:min"][:objectives]
        self.send({"space": {"parameters": space}, "objectives": names, "sampler": sampler, "seed": seed})
        assert self.receive() == {}

    def send(self, message):
        self.child.stdin.write(json.dumps(message) + "\n")

    def receive(self):
        return json.loads(self.child.stdout.readline())

    def ask(self):
        self.send({"ask": True})
        return self.receive()

    def close(self):
        self.child.stdin.close()
        self.child.wait()


def play_ours(program, problem, sampler, seed):
    space, function, trials, score, _ = problem
    study = Ours(program, space, 2 if score is lost_area else 1, sampler, seed)
    values = []
    for _ in range(trials):
        values.append(function(study.ask()["point"]))
        study.send({"tell": values[-1]})
    study.close()
    return score(values)


def play_optuna(optuna, problem, seed):
    space, function, trials, score, _ = problem
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed),
                                directions=["minimize"] * (2 if score is lost_area else 1))
    values = []

    def objective(trial):
        point = {p["name"]: trial.suggest_categorical(p["name"], p["values"]) if p["type"] == "choice" else
                 trial.suggest_float(p["name"], p["low"], p["high"]) for p in space}
        values.append(function(point))
        return tuple(values[-1]) if len(values[-1]) > 1 else values[-1][0]

    study.optimize(objective, n_trials=trials)
    return score(values)


def milliseconds(program):
    """The median time of a question at 10,000 trials, for a space of six parameters of every kind."""
    space = [{**real("a", 1e-4, 1), "log": True}, {"name": "b", "type": "int", "low": 1, "high": 64}, real("c", 0, 1),
             {"name": "d", "type": "choice", "values": ["x", "y", "z"]}, real("e", 0, 1), real("f", 0, 1)]
    study = Ours(program, space, 1, "tpe", 1)
    study.send({"fill": 10000})
    times = []
    for i in range(41):
        times.append(study.ask()["ms"])
        study.send({"tell": [float(i % 3)]})
    study.close()
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--without-optuna", action="store_true")
    options = parser.parse_args()
    optuna = None
    if not options.without_optuna:
        try:
            import optuna
            from scipy.stats import wilcoxon
        except ImportError as missing:
            print(f"skipped: {missing}")
            return 77
        import warnings
        warnings.filterwarnings("ignore")
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        print(f"Optuna {optuna.__version__}")
    failures, better = [], 0
    print(f"{'problem':38} {'random':>9} {'Optuna':>9} {'ours':>9} {'p':>8}")
    for name, problem in PROBLEMS.items():
        ours = [play_ours(options.program, problem, "tpe", seed) for seed in range(options.seeds)]
        random = [play_ours(options.program, problem, "random", seed) for seed in range(options.seeds)]
        median = statistics.median(ours)
        if not optuna:
            print(f"{name:38} {statistics.median(random):9.4f} {'':9} {median:9.4f}")
            if median > problem[4]:
                failures.append(f"{name}: the median {median} is above {problem[4]}")
            continue
        theirs = [play_optuna(optuna, problem, seed) for seed in range(options.seeds)]
        p = 1.0 if ours == theirs else wilcoxon(ours, theirs).pvalue
        other = statistics.median(theirs)
        print(f"{name:38} {statistics.median(random):9.4f} {other:9.4f} {median:9.4f} {p:8.4f}", flush=True)
        if p < 0.05 and median > other:
            failures.append(f"{name}: worse than Optuna, p {p}")
        better += p < 0.05 and median < other
    took = milliseconds(options.program)
    print(f"ask and tell at 10,000 trials: {took:.2f} ms")
    if optuna and took > 5:
        failures.append(f"a question takes {took} ms")
    if optuna and better < 2:
        failures.append(f"significantly better than Optuna on {better} problems only")
    print("\n".join(failures) or ("ok" if not optuna else f"ok: significantly better on {better} of {len(PROBLEMS)}"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

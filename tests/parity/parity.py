#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains random networks with netwright-cli and with an independent twin in PyTorch, and compares everything that is reported.

    tests/parity/parity.py --cli build/release/bin/netwright-cli [--count 30] [--seed 1] [--only 17]

The twin reads the project, the initial weights and the tables, and computes in double precision. Results are kept in --state,
so that the same command goes on where it stopped. Exit code 0: everything agrees; 1: something differs; 75: time was up.
"""
import argparse
import json
import pathlib
import shutil
import sys
import time

import torch

from compare import Case
from draw import ALL, TYPES
from product import Diverged, Failed
from report import print_tables

UNFINISHED = 75


def arguments():
    here = pathlib.Path(__file__).resolve().parents[2]
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cli", type=pathlib.Path, default=here / "build/release/bin/netwright-cli")
    ap.add_argument("--state", type=pathlib.Path, default=here / "build/parity", help="results, and the files of what differs")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--count", type=int, default=len(TYPES), help="default: a network for each layer type")
    ap.add_argument("--minutes", type=float, default=38)
    ap.add_argument("--only", type=int, help="one network again; its files stay in the folder of its number")
    return ap.parse_args()


def run_case(a, number):
    """The result of one network. Its files stay if it differs."""
    folder = a.state / f"network-{a.seed}-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    case = Case(a.seed, number, a.cli.resolve(), folder.resolve())
    diverged = False
    try:
        case.run()
    except Diverged:
        diverged = True
    except Failed as failure:
        case.problems.append(str(failure))
    result = {"seed": a.seed, "number": number, "optimizer": case.settings["optimizer"], "eval_only": case.eval_only,
              "types": sorted({layer["type"] for layer in case.project["network"]["nodes"]}), "errors": case.errors, "unknown": case.unknown,
              "figures": case.figures, "problems": case.problems, "diverged": diverged}
    if not case.problems and a.only is None:
        shutil.rmtree(folder)
    return result


def known(file):
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def main():
    a = arguments()
    torch.set_num_threads(1)
    a.state.mkdir(parents=True, exist_ok=True)
    file, start = a.state / f"results-{a.seed}.jsonl", time.monotonic()
    results = [] if a.only is not None else known(file)
    done = {r["number"] for r in results}
    wanted = [a.only] if a.only is not None else [n for n in range(a.count) if n not in done]
    for number in wanted:
        if time.monotonic() - start > 60 * a.minutes:
            print(f"parity: {len(wanted) - wanted.index(number)} networks are left")
            return UNFINISHED
        results.append(run_case(a, number))
        if a.only is None:
            with file.open("a") as out:
                out.write(json.dumps(results[-1]) + "\n")
        for problem in results[-1]["problems"]:
            print(f"network {a.seed}/{number} ({results[-1]['optimizer']}): {problem}", flush=True)
    print_tables(results)
    return 1 if any(r["problems"] for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Prints the worst errors for each layer type, optimizer and metric, as rows of Markdown."""
from collections import defaultdict


def worst(results, key_of):
    """{key: [count, worst error, its rounding]} over (key, error, rounding) of all results."""
    table = defaultdict(lambda: [0, 0.0, 0.0])
    for r in results:
        for key in {k for k, _, _ in key_of(r)}:
            table[key][0] += 1
        for key, error, rounding in key_of(r):
            if error > table[key][1]:
                table[key][1:] = [error, rounding]
    return table


def by_layer(r):
    """The answers of a network count for each of its layers."""
    return [(t, e, n) for kind, _, e, n in r["errors"] if kind == "forward" for t in r["types"]]


def errors_of(wanted, key):
    """A function from a result to (key, error, rounding) of the errors of one kind; `key` of result and layer type."""
    return lambda r: [(key(r, of), e, n) for kind, of, e, n in r["errors"] if kind == wanted and not r["eval_only"]]


def print_table(title, results, key_of):
    print(f"\n| {title} | networks | worst error | PyTorch's own in float32 |\n|---|---|---|---|")
    for key, (count, error, rounding) in sorted(worst(results, key_of).items()):
        print(f"| {key} | {count} | {error:.1e} | {rounding:.1e} |")


def print_tables(results):
    print_table("answers of networks with the layer", results, by_layer)
    for kind in ("weights", "update"):
        print_table(f"{kind} of the layer", results, errors_of(kind, lambda r, of: of))
        print_table(f"{kind} by the optimizer", results, errors_of(kind, lambda r, of: r["optimizer"]))
    print_table("losses by the optimizer", results, errors_of("loss", lambda r, of: r["optimizer"]))
    print_table("metric", results, lambda r: r["figures"])
    differ, diverged = (sum(bool(r[key]) for r in results) for key in ("problems", "diverged"))
    unknown = sum(len(r["unknown"]) for r in results)
    known = sum(len(r["errors"]) for r in results)
    print(f"\n{known} values were compared; {unknown} more are left to rounding, in PyTorch too")
    print(f"{len(results)} networks: {differ} differ, {diverged} diverged and were not compared to the end")

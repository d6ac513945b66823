# SPDX-License-Identifier: Apache-2.0
"""Prints the worst errors for each layer type, optimizer and metric, as rows of Markdown. Behind each error: that of PyTorch
in float32 on the same values."""
from collections import defaultdict


def worst(errors):
    """{key: (error, rounding)} over (key, error, rounding)."""
    table = {}
    for key, error, rounding in errors:
        if key not in table or error > table[key][0]:
            table[key] = error, rounding
    return table


def counted(results, keys_of):
    """{key: number of results with it}."""
    table = defaultdict(int)
    for r in results:
        for key in keys_of(r):
            table[key] += 1
    return table


def errors_of(results, wanted, keys_of):
    """The errors of one kind, for each of their keys; `keys_of` a result and a layer type."""
    return worst((key, e, n) for r in results for kind, of, e, n in r["errors"] if kind == wanted for key in keys_of(r, of))


def print_table(title, columns, counts, tables):
    print(f"\n| {title} | networks | {' | '.join(columns)} |\n{'|---' * (2 + len(columns))}|")
    for key, count in sorted(counts.items()):
        cells = ["{:.0e} ({:.0e})".format(*table[key]) if key in table else "" for table in tables]
        print(f"| {key} | {count} | {' | '.join(cells)} |")


def print_tables(results):
    trained = [r for r in results if not r["eval_only"]]
    own, name = (lambda r, of: [of]), (lambda r, of: [r["optimizer"]])
    print_table("layer", ["answers of its networks", "its weights", "their change"], counted(results, lambda r: r["types"]),
                [errors_of(results, "forward", lambda r, of: r["types"]), errors_of(trained, "weights", own),
                 errors_of(trained, "update", own)])
    print_table("optimizer", ["loss of a step", "weights", "their change"], counted(trained, lambda r: [r["optimizer"]]),
                [errors_of(trained, kind, name) for kind in ("loss", "weights", "update")])
    figures = [figure for r in results for figure in r["figures"]]
    print_table("metric", ["error"], counted(results, lambda r: {f for f, _, _ in r["figures"]}), [worst(figures)])
    unknown, known = (sum(len(r[key]) for r in results) for key in ("unknown", "errors"))
    differ, diverged = (sum(bool(r[key]) for r in results) for key in ("problems", "diverged"))
    print(f"\n{known} values were compared; {unknown} more are left to rounding, in PyTorch too")
    print(f"{len(results)} networks: {differ} differ, {diverged} diverged and were not compared to the end")

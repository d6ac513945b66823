#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Applies the faults of tests/mutation/*.txt one at a time and runs the tests named in each entry, which must fail.

    python3 tests/mutation/run.py                    all entries without a result, in a copy of the tree below build/mutation
    python3 tests/mutation/run.py --only 'adam-*'    the entries whose id matches, or all of a room ('kernels')
    python3 tests/mutation/run.py --sample 15        a random choice
    python3 tests/mutation/run.py --check            checks that each entry fits the tree; builds nothing (ctest runs this)
    python3 tests/mutation/run.py --table            the results as Markdown

Results are lines of build/mutation/results.jsonl, keyed by the entry, the file with the fault and the files of its tests: the same
command continues where it stopped, and repeats only what a change of those files concerns.
Exit codes: 0 every fault was noticed or is marked `known: survives`; 1 a fault survived, could not be tried, or is marked
and was noticed; 75 the time limit --minutes was reached.
"""
import argparse
import fnmatch
import random
import sys
import time
from pathlib import Path

from entries import TOP, Tree, check, read_list
from results import Results, table
from scratch import Scratch, CannotTry

UNFINISHED = 75


def chosen(entries, options):
    kept = [e for e in entries if not options.only or any(fnmatch.fnmatch(e.id, p) or e.room == p for p in options.only)]
    if options.sample and options.sample < len(kept):
        kept = random.Random(options.seed).sample(kept, options.sample)
    return kept


def try_entry(scratch, tree, entry):
    """(result, detail): noticed, survived, or the reason why it could not be tried."""
    path, _ = tree.locate(entry.fields["file"])
    try:
        for test in entry.tests:
            scratch.expect_pass(*test)
        with scratch.fault(path.relative_to(TOP), entry.fields["find"], entry.fields["replace"]):
            if not scratch.build(sorted({program for program, _ in entry.tests})):
                return "does not build", scratch.last_lines()
            for test in entry.tests:
                if not scratch.passes(*test):
                    return "noticed", " --gtest_filter=".join(test)
        return "survived", ""
    except CannotTry as reason:
        return str(reason), scratch.last_lines()


def run(entries, options):
    tree = Tree()
    results = Results(TOP / "build" / "mutation" / "results.jsonl", tree.basis)
    deadline = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
    scratch = Scratch(TOP, TOP / "build" / "mutation", options.jobs)
    scratch.copy_tree()
    bad = 0
    for entry in entries:
        result = results.of(entry)
        if result is None:
            if time.monotonic() > deadline:
                print("time is over; the same command goes on")
                return UNFINISHED
            begin = time.monotonic()
            result, detail = try_entry(scratch, tree, entry)
            results.add(entry, result, detail, time.monotonic() - begin)
        expected = "survived" if entry.known else "noticed"
        bad += result != expected
        remark = "" if result == expected else f"   <- expected: {expected}"
        print(f"{entry.room}: {entry.id}: {result}{remark}", flush=True)
        if result == "survived":
            print(f"    {entry.fields['file']}: {entry.fields['find']} -> {entry.fields['replace']}: {entry.fields['why']}")
    print(f"{len(entries)} faults, {bad} not as expected")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="PATTERN")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--minutes", type=float, metavar="M")
    parser.add_argument("--jobs", type=int, default=0, metavar="N")
    options = parser.parse_args()
    entries, complaints = read_list()
    found = check(entries, complaints, Tree())
    print("\n".join(found) if found else f"{len(entries)} faults fit the tree")
    if options.table:
        print(table(entries, Results(TOP / "build" / "mutation" / "results.jsonl", None)))
    if found or options.check or options.table:
        sys.exit(1 if found else 0)
    sys.exit(run(chosen(entries, options), options))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()

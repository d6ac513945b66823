#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how many lines and branches of each room the tests executed, from a build with the preset `coverage` whose tests have run.

    python3 tests/coverage.py [BUILD_FOLDER]     default: build/coverage

Exit code 1 when engine, kernels or ui is below its floor. A line that is compiled several times (headers, instruction sets)
counts as executed when one of its compiled copies was; so does a branch, the n-th way that the program can go on from a line. Ways that
only an exception takes are left out.
"""
import json
import os
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
FLOORS = {"engine": 90, "kernels": 90, "ui": 80}   # per cent of lines


def decisions(branches):
    """Those of gcov's branches of a line that a condition chooses between. A call that may throw has two: it returns, or it throws."""
    kept = []
    for branch in branches:
        if not branch["throw"]:
            kept.append(branch)
        elif kept and kept[-1]["fallthrough"]:
            kept.pop()
    return kept


def parts_of(notes):
    """(file, line number or (line number, n), whether it was executed) from one object's .gcno file; all zero if the object never ran."""
    done = subprocess.run(["gcov", "--branch-probabilities", "--json-format", "--stdout", notes.name], cwd=notes.parent,
                          capture_output=True, text=True)
    for text in filter(None, done.stdout.splitlines()):
        for file in json.loads(text)["files"]:
            for line in file["lines"]:
                number = line["line_number"]
                yield file["file"], number, line["count"] > 0
                for n, branch in enumerate(decisions(line["branches"])):
                    yield file["file"], (number, n), branch["count"] > 0


def below_top(name, top):
    """Path relative to the top, "" for a file outside the tree. The build writes paths relative to the top."""
    path = Path(name)
    if path.is_absolute():
        return str(path.relative_to(top)) if top in path.parents else ""
    return str(path)


def measure(build, top=TOP):
    """(lines, branches); each: file below the top -> {line number, or (line number, n): whether it was executed}"""
    notes = [path for path in sorted(build.rglob("*.gcno")) if "tests" not in path.relative_to(build).parts]
    lines, branches = defaultdict(dict), defaultdict(dict)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for parts in pool.map(lambda path: list(parts_of(path)), notes):
            for name, key, ran in parts:
                if (name := below_top(name, top)).split("/")[0] in FLOORS:
                    of = (branches if isinstance(key, tuple) else lines)[name]
                    of[key] = of.get(key, False) or ran
    return lines, branches


def by_room(files):
    """room -> (executed, all), of lines or of branches. engine and engine/data are both rooms; a file directly in one counts in that room only."""
    counts = defaultdict(lambda: [0, 0])
    for name, parts_of_file in files.items():
        parts = name.split("/")
        for room in {parts[0], "/".join(parts[:2]) if len(parts) > 2 else parts[0]}:
            counts[room][0] += sum(parts_of_file.values())
            counts[room][1] += len(parts_of_file)
    return {room: tuple(count) for room, count in sorted(counts.items())}


def share_of(ran, all_of_them):
    return 100 * ran / all_of_them if all_of_them else 0


def report(rooms, branches=None):
    """(text, whether every floor is reached). A room without measured lines is below its floor. `branches`: printed beside the lines."""
    rows, good = [], True
    for room in sorted({*rooms, *FLOORS}):
        ran, lines = rooms.get(room, (0, 0))
        share, floor = share_of(ran, lines), FLOORS.get(room)
        low = floor is not None and share < floor
        good = good and not low
        rows.append(f"{room:24} {share:6.1f} %  {ran:6} of {lines:6} lines" +
                    ("  {:6.1f} %  {:6} of {:6} branches".format(share_of(*branches[room]), *branches[room]) if room in (branches or {}) else "") +
                    (f"   floor {floor} %{': BELOW' if low else ''}" if floor else ""))
    return "\n".join(rows), good


def main():
    build = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else TOP / "build" / "coverage"
    text, good = report(*map(by_room, measure(build)))
    print(text)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

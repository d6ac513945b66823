#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how many lines of each room the tests executed, from a build with the preset `coverage` whose tests have run.

    python3 tests/coverage.py [BUILD_FOLDER]     default: build/coverage

Exit code 1 when engine, kernels or ui is below its floor. A line that is compiled several times (headers, instruction sets)
counts as executed when one of its compiled copies was.
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


def lines_of(notes):
    """(file, line, whether it was executed) from one object's .gcno file; all zero if the object never ran."""
    done = subprocess.run(["gcov", "--json-format", "--stdout", notes.name], cwd=notes.parent, capture_output=True, text=True)
    for text in filter(None, done.stdout.splitlines()):
        for file in json.loads(text)["files"]:
            for line in file["lines"]:
                yield file["file"], line["line_number"], line["count"] > 0


def below_top(name, top):
    """Path relative to the top, "" for a file outside the tree. The build writes paths relative to the top."""
    path = Path(name)
    if path.is_absolute():
        return str(path.relative_to(top)) if top in path.parents else ""
    return str(path)


def measure(build, top=TOP):
    """file below the top -> {line: whether it was executed}"""
    notes = [path for path in sorted(build.rglob("*.gcno")) if "tests" not in path.relative_to(build).parts]
    files = defaultdict(dict)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for lines in pool.map(lambda path: list(lines_of(path)), notes):
            for name, number, ran in lines:
                if (name := below_top(name, top)).split("/")[0] in FLOORS:
                    files[name][number] = files[name].get(number, False) or ran
    return files


def by_room(files):
    """room -> (lines executed, lines). engine and engine/data are both rooms; a file directly in one counts in that room only."""
    counts = defaultdict(lambda: [0, 0])
    for name, lines in files.items():
        parts = name.split("/")
        for room in {parts[0], "/".join(parts[:2]) if len(parts) > 2 else parts[0]}:
            counts[room][0] += sum(lines.values())
            counts[room][1] += len(lines)
    return {room: tuple(count) for room, count in sorted(counts.items())}


def report(rooms):
    """(text, whether every floor is reached). A room without measured lines is below its floor."""
    rows, good = [], True
    for room in sorted({*rooms, *FLOORS}):
        ran, lines = rooms.get(room, (0, 0))
        share, floor = 100 * ran / lines if lines else 0, FLOORS.get(room)
        low = floor is not None and share < floor
        good = good and not low
        rows.append(f"{room:24} {share:6.1f} %  {ran:6} of {lines:6} lines" +
                    (f"   floor {floor} %{': BELOW' if low else ''}" if floor else ""))
    return "\n".join(rows), good


def main():
    build = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else TOP / "build" / "coverage"
    text, good = report(by_room(measure(build)))
    print(text)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

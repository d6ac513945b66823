#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails and lists each line of C++ that is wider than 120 columns; clang-format breaks neither comments nor strings.

A file listed in ALLOWED may have wide lines for the reason given. A listed file without a wide line fails too.
"""
import sys

from sources import TOP, cpp_files

COLUMNS = 120
ALLOWED = {
    "malformed_project_test.cpp": "JSON of a project in a raw string",
    "targets_test.cpp": "JSON of COCO annotations in a raw string",
    "data_screens.cpp": "JSON lines that a shell script prints",
    "get_data_test.cpp": "JSON lines that a shell script prints",
    "fit_test.cpp": "JSON lines that a shell script prints",
    "node_outputs_test.cpp": "JSON of layer times in a raw string",
}


def wide_lines(text):
    """(number, columns) of each line wider than COLUMNS. A column is a code point, as clang-format counts it."""
    return [(n, len(line)) for n, line in enumerate(text.splitlines(), 1) if len(line) > COLUMNS]


def complaints(texts):
    """texts: (path, content) of every file."""
    found, needed = [], set()
    for path, text in texts:
        wide = wide_lines(text)
        if path.name in ALLOWED:
            needed |= {path.name} if wide else set()
            continue
        found += [f"{path}:{n}: {columns} columns; at most {COLUMNS}" for n, columns in wide]
    found += [f"{name}: has no wide line; remove it from ALLOWED in line_width.py" for name in sorted(set(ALLOWED) - needed)]
    return found


def main():
    found = complaints((path.relative_to(TOP), path.read_text(encoding="utf-8")) for path in cpp_files())
    print("\n".join(found) or "no line is too wide")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

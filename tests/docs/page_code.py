#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a C++ block of docs/adding.md differs from the compiled file that it names.

A block follows a line "<!-- code: FILE -->", where FILE is relative to tests/docs/examples, or to the top of the tree if
it contains a slash. The page omits the SPDX line. "<!-- code: FILE: FIRST ... LAST -->" quotes the lines from the one that
contains FIRST to the one that contains LAST. Every file of tests/docs/examples that contains "In docs/adding.md" must be quoted.
"""
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
EXAMPLES = TOP / "tests/docs/examples"
BLOCK = re.compile(r"^(?:<!-- code: (\S+?)(?:: (.+?) \.\.\. (.+?))? -->\n)?```cpp\n(.*?)^```", re.M | re.S)


def without_licence(text):
    return re.sub(r"\A// SPDX-License-Identifier: .*\n", "", text)


def quoted(text, first, last):
    if not first:
        return without_licence(text)
    lines = text.splitlines(keepends=True)
    begin = next((i for i, line in enumerate(lines) if first in line), None)
    end = next((i for i, line in enumerate(lines) if begin is not None and i >= begin and last in line), None)
    return "" if end is None else "".join(lines[begin : end + 1])


def complaints(page, read, examples=()):
    found, used = [], set()
    for name, first, last, code in BLOCK.findall(page):
        if not name:
            found.append(f"a block has no file: {code.splitlines()[0] if code else ''}")
            continue
        used.add(name)
        if quoted(read(name), first, last) != code:
            found.append(f"the block of {name} differs from the file")
    found += [f"{name} is an example that the page does not show" for name in sorted(set(examples) - used)]
    return found


def read(name):
    file = TOP / name if "/" in name else EXAMPLES / name
    return file.read_text(encoding="utf-8") if file.exists() else ""


def main():
    page = TOP / "docs/adding.md"
    examples = [p.name for p in EXAMPLES.iterdir() if "In docs/adding.md" in p.read_text(encoding="utf-8")]
    found = complaints(page.read_text(encoding="utf-8"), read, examples)
    print("\n".join(f"docs/adding.md: {line}" for line in found) or "every block is its file")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

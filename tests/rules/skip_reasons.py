#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each GTEST_SKIP() of the tests gives a reason, and tests/skipped.tsv has a line that says where such tests must run.

    python3 tests/rules/skip_reasons.py

A part of the reason that is not written there, such as a path, stands for any word. A reason that is wholly computed is left
to the run, which says the ones it does not know. Exit codes: 0; 1: lines of tests were printed.
"""
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests"))
from skipped import LIST, read_list

LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
SAMPLES = ("word", "7", "avx512", "bash", "libany.so.1", "/a/path", "/dev/shm")


def skips(text):
    """(line, what is streamed into it) of each GTEST_SKIP()."""
    for match in re.finditer(r"GTEST_SKIP\(\)", text):
        yield text.count("\n", 0, match.start()) + 1, text[match.end():text.index(";", match.end())]


def reasons(streamed):
    """What the reason may be, one for each sample word; nothing: it has no literal text."""
    parts = [part.strip() for part in re.split(r"<<(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", streamed) if part.strip()]
    if not LITERAL.search(streamed):
        return []
    texts = []
    for sample in SAMPLES:
        texts.append("".join("".join(LITERAL.findall(part)) if LITERAL.match(part) else sample for part in parts))
    return texts


def complaints(name, text, rows):
    for line, streamed in skips(text):
        if "<<" not in streamed:
            yield f"{name}:{line}: this test is skipped without a reason"
        elif (texts := reasons(streamed)) and not any(row.fullmatch(t) for t in texts for row, _ in rows):
            yield f"{name}:{line}: {LIST.name} has no line for \"{texts[0]}\""


def main():
    rows, found = read_list(LIST.read_text()), []
    for path in sorted((TOP / "tests").rglob("*.[ch]pp")):
        found += complaints(path.relative_to(TOP), path.read_text(encoding="utf-8"), rows)
    print("\n".join(found) or "every skipped test says why, and where it must run is known")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

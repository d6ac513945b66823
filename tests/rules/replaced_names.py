#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a file uses a name that docs/glossary.md replaced.

replaced_names.tsv lists old identifiers with the new name, the paths to which the rename applies and the reason.
"""
import re
import subprocess
import sys
from pathlib import Path

from sources import TOP, skip

LIST = Path(__file__).resolve().with_suffix(".tsv")
KINDS = ("*.cpp", "*.hpp", "*.cu", "*CMakeLists.txt", "*.cmake", "*.py", "*.sh", "*.ts", "*.md")
NAMING_OLD_WORDS = {"docs/glossary.md"}


def names():
    """old name -> [(new name, path prefixes or [])]."""
    rows = {}
    for line in LIST.read_text(encoding="utf-8").splitlines()[1:]:
        old, new, scope, *_ = line.split("\t")
        rows.setdefault(old, []).append((new, [] if scope == "all" else scope.split()))
    return rows


def in_scope(path, prefixes):
    return not prefixes or any(path == prefix or path.startswith(prefix + "/") for prefix in prefixes)


def uses(path, text, rows):
    """(line number, old name, new name) of each use in a file."""
    for number, line in enumerate(text.splitlines(), 1):
        for word in re.findall(r"\w+", line):
            for new, prefixes in rows.get(word, ()):
                if in_scope(path, prefixes):
                    yield number, word, new


def main():
    listed = subprocess.run(["git", "ls-files", *KINDS], cwd=TOP, capture_output=True, text=True)
    if listed.returncode:
        skip("the files are not in a git repository")
    rows, count = names(), 0
    for path in set(listed.stdout.splitlines()) - NAMING_OLD_WORDS:
        if not (TOP / path).is_file():
            continue
        for number, old, new in uses(path, (TOP / path).read_text(encoding="utf-8"), rows):
            print(f"{path}:{number}: {old} is now called {new} (docs/glossary.md)")
            count += 1
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())

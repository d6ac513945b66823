#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy-16 with the .clang-tidy at the top over source files of the release build; fails on any finding.

    python3 tests/tidy.py                   on what differs from the branch's base (else from the last commit)
    python3 tests/tidy.py --all             on every file
    python3 tests/tidy.py FILE...           on these

Skips (77) without clang-tidy-16 or before the release build was configured. --minutes is a time limit: --all then ends with
75, and with --state FOLDER the same command goes on; a check of changes names how many files are left and passes.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
BUILD = TOP / "build" / "release"
CLANG_TIDY = "clang-tidy-16"
# Options of GCC that clang does not know.
GCC_ONLY = {"-fpch-preprocess", "-Winvalid-pch", "-mno-avx256-split-unaligned-load"}
SKIPPED, UNFINISHED = 77, 75


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=TOP, capture_output=True, text=True).stdout.split()


def changed_files():
    """Against the merge base with main where there is one that is not HEAD itself, else against the last commit."""
    head = git("rev-parse", "HEAD")
    bases = [base for branch in ("origin/main", "main") for base in git("merge-base", "HEAD", branch) if [base] != head]
    base = bases[0] if bases else "HEAD~1"
    return set(git("diff", "--name-only", "--diff-filter=d", base) + git("ls-files", "-o", "--exclude-standard"))


def readable(command):
    """The compiler's command in words of clang; a header that GCC precompiled is read as plain text."""
    words = [word for word in shlex.split(command) if word not in GCC_ONLY]
    for i, word in enumerate(words):
        if words[i - 1] == "-include" and word.endswith("cmake_pch.hxx") and Path(word).is_file():
            plain = BUILD / "tidy" / f"{abs(hash(word))}.hpp"
            plain.parent.mkdir(exist_ok=True)
            plain.write_text(Path(word).read_text(encoding="utf-8"), encoding="utf-8")
            words[i] = str(plain)
    return words[1:] if "ccache" in words[0] else words


def compiled_alone(entry):
    """The entry itself; for a file that CMake wrote to compile several as one, an entry for each of these."""
    path = Path(entry["file"])
    if not re.fullmatch(r"unity_.*\.cxx", path.name) or not path.is_file():
        return [entry]
    parts = re.findall(r'^#include "(.+)"', path.read_text(encoding="utf-8"), re.M)
    return [{**entry, "file": part, "command": entry["command"].replace(str(path), part)} for part in parts]


def commands():
    """file below the top -> entry of a compilation database, the first where a file is compiled several times."""
    entries = {}
    database = json.loads((BUILD / "compile_commands.json").read_text())
    for entry in (alone for written in database for alone in compiled_alone(written)):
        path = Path(entry["file"])
        if TOP in path.parents and BUILD not in path.parents:
            words = readable(entry["command"])
            entries.setdefault(str(path.relative_to(TOP)), {**entry, "command": shlex.join(words)})
    return entries


def to_check(options, entries):
    if options.all:
        return sorted(entries)
    names = set(options.files) or changed_files()
    # A header is checked through the source file of the same name.
    names |= {str(Path(name).with_suffix(".cpp")) for name in names if name.endswith(".hpp")}
    return sorted(names & set(entries))


def findings(name, database):
    done = subprocess.run([CLANG_TIDY, "-p", database, "--quiet", "--extra-arg=-Wno-unknown-warning-option", TOP / name],
                          cwd=TOP, capture_output=True, text=True)
    return done.stdout if done.returncode != 0 or re.search(r": (warning|error): ", done.stdout) else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--state", type=Path)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    if not shutil.which(CLANG_TIDY):
        print(f"Skipped: {CLANG_TIDY} is not installed (apt-get install clang-tidy-16)")
        sys.exit(SKIPPED)
    if not (BUILD / "compile_commands.json").is_file():
        print("Skipped: the release build is not configured (cmake --preset release)")
        sys.exit(SKIPPED)
    entries = commands()
    database = BUILD / "tidy"
    database.mkdir(exist_ok=True)
    (database / "compile_commands.json").write_text(json.dumps(list(entries.values())))
    passed = options.state / "passed" if options.state else None
    done = set(passed.read_text().split("\n")) if passed and passed.is_file() else set()
    names = [name for name in to_check(options, entries) if name not in done]
    deadline, bad, left = time.monotonic() + 60 * options.minutes, 0, 0

    def one(name):
        return (name, findings(name, database)) if time.monotonic() < deadline else (name, None)

    with ThreadPoolExecutor(options.jobs) as pool:
        for name, found in pool.map(one, names):
            if found is None:
                left += 1
            elif found:
                bad += 1
                print(found, flush=True)
            elif passed:
                with passed.open("a") as out:
                    out.write(name + "\n")
    remark = f", {left} left (installer/test.sh --long tidy checks all)" if left else ""
    print(f"{len(names) - left} files checked, {bad} with findings{remark}")
    sys.exit(1 if bad else UNFINISHED if left and options.all else 0)


if __name__ == "__main__":
    main()

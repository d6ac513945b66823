#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails and lists the files that differ from clang-format-16's output with the .clang-format at the top.

    python3 tests/rules/formatting.py          # to correct a file: clang-format-16 -i FILE
"""
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from sources import TOP, cpp_files, skip

CLANG_FORMAT = "clang-format-16"  # other versions break lines differently
FILES_PER_CALL = 100


def badly_formatted(files):
    command = [CLANG_FORMAT, "--dry-run", "-Werror", *map(str, files)]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True)
    named = re.findall(r"^(.+?):\d+:\d+: (?:error|warning)", done.stderr, re.MULTILINE)
    return set(named) or ({done.stderr.strip()} if done.returncode else set())


def main():
    if not shutil.which(CLANG_FORMAT):
        skip(f"{CLANG_FORMAT} is not installed (apt-get install {CLANG_FORMAT})")
    files = [path.relative_to(TOP) for path in cpp_files()]
    parts = [files[i:i + FILES_PER_CALL] for i in range(0, len(files), FILES_PER_CALL)]
    with ThreadPoolExecutor() as pool:
        bad = sorted(set().union(*pool.map(badly_formatted, parts)))
    for name in bad:
        print(f"{name}: not as {CLANG_FORMAT} writes it; run: {CLANG_FORMAT} -i {name}")
    print(f"{len(files)} files checked, {len(bad)} to be formatted")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

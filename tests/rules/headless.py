#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Configures the preset `headless` as on a machine without Qt, OpenCV and libcurl, and fails if its build would read one of
their headers. Nothing is compiled: the room rules hold the includes of each file."""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sources import TOP, skip

ABSENT = ("Qt6", "OpenCV", "CURL", "QCustomPlotQt6")
FOREIGN = ("/qt6", "QtCore", "opencv", "Qt6")


def foreign_options(entries):
    """"FILE: OPTION" for each include folder or definition of an absent library."""
    return [f"{entry['file']}: {word}" for entry in entries for word in entry["command"].split()
            if word.startswith(("-I", "-D", "/usr/include")) and any(name in word for name in FOREIGN)]


def main():
    if not shutil.which("cmake"):
        skip("cmake is missing")
    with tempfile.TemporaryDirectory(prefix="netwright-headless-") as folder:
        done = subprocess.run(["cmake", "--preset", "headless", "-B", folder, "-DNETWRIGHT_TESTS=OFF",
                               *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ABSENT)],
                              cwd=TOP, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"The preset headless cannot be configured without {', '.join(ABSENT)}:\n{done.stderr[-3000:]}")
        found = foreign_options(json.loads((Path(folder) / "compile_commands.json").read_text()))
    if found:
        sys.exit("The preset headless would use libraries of the window:\n" + "\n".join(found[:20]))
    print("the headless build needs no library of the window")


if __name__ == "__main__":
    main()

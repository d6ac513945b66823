# SPDX-License-Identifier: Apache-2.0
"""Shared functions of the checks in this folder: the location of the tree, its C++ files, and skipping a check."""
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
ROOMS = ("app", "engine", "installer", "kernels", "resources", "tests", "ui")
CPP_ENDINGS = {".cpp", ".hpp", ".h", ".cu", ".cuh"}
SKIPPED = 77  # SKIP_RETURN_CODE of these tests: ctest counts them as skipped and prints the reason


def cpp_files(top=TOP):
    """Every C++ file of the tree, tracked by git or not, sorted."""
    found = (path for room in ROOMS for path in (top / room).rglob("*") if path.suffix in CPP_ENDINGS)
    return sorted(path for path in found if path.is_file())


def skip(reason):
    print(f"Skipped: {reason}")
    sys.exit(SKIPPED)

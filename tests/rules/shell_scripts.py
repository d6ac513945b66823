#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails and lists what shellcheck finds in the tree's shell scripts, together with those that they source. What is not mended is
excepted by a comment with its reason, beside the line or in .shellcheckrc.

    python3 tests/rules/shell_scripts.py
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

from sources import TOP, skip

SHELLCHECK = "shellcheck"
FIRST_LINE = re.compile(rb"#!.*\b(?:ba)?sh\b")
EXCEPTION = re.compile(r"^\s*#\s*shellcheck\s+disable=[\w,]+(.*)$", re.M)
FOLDERS = (".ci", "installer", "tests")


def shell_files(top=TOP):
    """([scripts], [files that scripts source]), sorted."""
    files = sorted(p for folder in FOLDERS for p in (top / folder).rglob("*") if p.is_file() and p.suffix in ("", ".sh"))
    scripts = [p for p in files if FIRST_LINE.match(p.read_bytes()[:100])]
    return scripts, [p for p in files if p.suffix == ".sh" and p not in scripts]


def findings(scripts, top=TOP):
    """What shellcheck says, once for each place."""
    done = subprocess.run([SHELLCHECK, "-x", "-a", "-P", "SCRIPTDIR", "-f", "gcc", *map(str, scripts)], cwd=top, capture_output=True, text=True)
    lines = {line.replace("/./", "/") for line in done.stdout.splitlines()}
    return sorted(lines) or ([done.stderr.strip()] if done.returncode else [])


def unread(scripts, sourced):
    """The files that no script sources, which shellcheck therefore has not read."""
    text = "".join(p.read_text(encoding="utf-8") for p in scripts)
    return [p for p in sourced if not re.search(rf"^\s*source .*\b{re.escape(p.name)}\"?$", text, re.M)]


def without_reason(files):
    return [p for p in files for rest in EXCEPTION.findall(p.read_text(encoding="utf-8")) if not re.match(r"\s*#\s*\w+", rest)]


def main():
    if not shutil.which(SHELLCHECK):
        skip(f"{SHELLCHECK} is not installed (apt-get install {SHELLCHECK})")
    scripts, sourced = shell_files()
    bad = findings(scripts)
    bad += [f"{p.relative_to(TOP)}: no script sources it" for p in unread(scripts, sourced)]
    bad += [f"{p.relative_to(TOP)}: a disabled finding without a reason" for p in without_reason([*scripts, *sourced])]
    for line in bad:
        print(line)
    print(f"{len(scripts)} scripts and {len(sourced)} that they source checked, {len(bad)} findings")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails and lists each commit whose subject is not `area: imperative` of at most 72 characters.

Merge commits and commits older than this check are not checked. Skips in a shallow clone and without git.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

from sources import TOP, skip

LONGEST = 72
AREA = re.compile(r"^(?P<areas>[a-z0-9.][a-z0-9_./+-]*(?:, [a-z0-9.][a-z0-9_./+-]*)*): (?P<words>\S.*)$")
# Endings of other verb forms: fixes, fixed, fixing. Imperatives with such an ending are listed as exceptions.
NOT_IMPERATIVE = re.compile(r"^[a-z]+(?:[^s]s|ed|ing)$")
IMPERATIVES = {"alias", "bias", "bring", "embed", "exceed", "feed", "focus", "need", "proceed", "seed", "shed", "speed",
               "spring", "string", "swing"}


def fault_of(subject):
    """The error message for a subject; empty if it is valid."""
    if len(subject) > LONGEST:
        return f"{len(subject)} characters; at most {LONGEST}"
    form = AREA.match(subject)
    if not form:
        return "not of the form `area: imperative`, with the area in lower case"
    verb = form["words"].split()[0].lower()
    if NOT_IMPERATIVE.match(verb) and verb not in IMPERATIVES:
        return f"`{verb}` is not an imperative"
    return "ends with a full stop" if subject.endswith(".") else ""


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=TOP, capture_output=True, text=True)


def first_commit_of_this_file():
    added = git("log", "--diff-filter=A", "--format=%H", "--", f":(top,glob)**/{Path(__file__).name}")
    return added.stdout.split()[-1] if added.stdout.split() else ""


def main():
    if not shutil.which("git") or git("rev-parse", "--git-dir").returncode != 0:
        skip("this is not a git repository, or git is missing")
    if git("rev-parse", "--is-shallow-repository").stdout.strip() != "false":
        skip("this is a shallow clone; the subjects are read where the whole history is")
    start = first_commit_of_this_file()
    if not start:
        skip("this check is not committed yet")
    listed = git("log", "--no-merges", "--ancestry-path", "--format=%h %s", f"{start}..HEAD").stdout.splitlines()
    bad = [(line, fault) for line in listed if (fault := fault_of(line.split(" ", 1)[1]))]
    for line, fault in bad:
        print(f"{line}\n    {fault}")
    print(f"{len(listed)} subjects read, {len(bad)} to be reworded")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

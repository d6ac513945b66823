#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the tests that a run of ctest skipped, by their reasons, and refuses those that this computer could have run.

    python3 tests/skipped.py build/release/tests.xml     what ctest --output-junit wrote

tests/skipped.tsv has a line for each reason: a regular expression that is all of the reason, and a shell command that succeeds
where such tests run: with it they must not be skipped. {1} in the command is what the first group matched.
A reason that is not in the list is said. Exit codes: 0; 1: tests were skipped that could have run here.
"""
import argparse, re, subprocess, sys
import xml.etree.ElementTree as xml
from collections import defaultdict
from pathlib import Path

LIST = Path(__file__).with_suffix(".tsv")


def read_list(text):
    """[(regular expression, command)]; ValueError on a line of another form."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        parts = line.split("\t")
        if len(parts) != 2 or not all(parts):
            raise ValueError(f"line {number} is not a reason, a tab and a command: {line}")
        rows.append((re.compile(parts[0]), parts[1]))
    return rows


def reason_of(output):
    """What GTEST_SKIP() was given, else the last line that a script printed."""
    lines = [line.strip() for line in output.splitlines()]
    for at, line in enumerate(lines):
        if re.fullmatch(r"\S+:\d+: Skipped", line):
            end = next((n for n in range(at + 1, len(lines)) if not lines[n] or lines[n].startswith("[  SKIPPED ]")), len(lines))
            return " ".join(lines[at + 1:end])
    printed = [line for line in lines if line]
    return printed[-1] if printed else ""


def skipped_of_ctest(report):
    """(reason, name) of each test that ctest skipped."""
    for case in xml.parse(report).getroot().iter("testcase"):
        if case.find("skipped") is not None:
            yield reason_of(case.findtext("system-out") or ""), case.get("name").split("  #")[0]


def skipped_of_part(report):
    """(reason, name) of each test that one process of GoogleTest skipped; its message begins with the file and the line."""
    for case in xml.parse(report).getroot().iter("testcase"):
        if (skipped := case.find("skipped")) is not None:
            lines = skipped.get("message", "").splitlines()
            yield " ".join(line.strip() for line in lines[1:] if line.strip()), f"{case.get('classname')}.{case.get('name')}"


def skipped_tests(report):
    """{reason: [name]} of ctest's report and of those in test_parts beside it, which programs wrote that ctest took for one test."""
    found = defaultdict(list)
    parts = sorted((Path(report).parent / "test_parts").glob("*.xml"))
    for reason, name in [*skipped_of_ctest(report), *(pair for part in parts for pair in skipped_of_part(part))]:
        found[reason].append(name)
    return found


UNKNOWN = f"{LIST.name} has no line for this reason"


def complaint_on(reason, rows):
    """Why tests may not be skipped for this reason here; None: they may; UNKNOWN: nobody has said."""
    for pattern, command in rows:
        if match := pattern.fullmatch(reason):
            command = command.replace("{1}", match[1] if pattern.groups else "")
            could = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, timeout=60).returncode == 0
            return f"they could have run here: `{command}` succeeds" if could else None
    return UNKNOWN


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    options = parser.parse_args()
    found, rows, status = skipped_tests(options.report), read_list(LIST.read_text()), 0
    total = sum(map(len, found.values()))
    print(f"Skipped tests: {total}")
    for reason, names in sorted(found.items(), key=lambda item: -len(item[1])):
        complaint = complaint_on(reason, rows)
        print(f"  {len(names):5}  {reason or '(no reason)'}   e.g. {names[0]}")
        if complaint == UNKNOWN:
            print(f"         {complaint}")
        elif complaint:
            print(f"         MUST NOT BE SKIPPED: {complaint}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

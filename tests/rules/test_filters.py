#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a --gtest_filter in a script, a CMakeLists.txt or a page matches no test, or if docs/promises.md names a
test that does not exist.

GoogleTest passes when a filter matches nothing, so a renamed test would no longer run. tests/mutation has a check of its own.
"""
import fnmatch
import re
import sys

from sources import TOP, cpp_files

TEST = re.compile(r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST)\((\w+),\s*(\w+)")
CTEST = re.compile(r"add_test\(\s*NAME\s+(\w+\.\w+)")
NAMED = re.compile(r"`([A-Z]\w*\.[A-Z*][\w*]*)`")
FILTER = re.compile(r"gtest_filter=['\"]?([^\s'\"`)]+)")
SEARCHED = ("*.sh", "*.md", "CMakeLists.txt", "*.py")
SKIPPED_FOLDERS = (TOP / "build", TOP / "tests" / "mutation", TOP / "tests" / "rules")


def tests_in(text):
    """"Suite.Case" of every test that the C++ text defines."""
    return {f"{suite}.{case}" for suite, case in TEST.findall(text)}


def unmatched(text, tests):
    """The patterns of the text's filters that match none of the tests. An instantiation's name and parameter do not count."""
    for given in FILTER.findall(text):
        for pattern in given.split("-")[0].split(":"):
            case = re.sub(r"^[^./]*/", "", pattern).split("/")[0]
            if "." in case and not fnmatch.filter(tests, case):
                yield pattern


def unknown_names(text, tests):
    """The tests that a page names as `Suite.Case`, a * for any letters, and that do not exist."""
    return [name for name in NAMED.findall(text) if not fnmatch.filter(tests, name)]


def searched_files():
    for ending in SEARCHED:
        for path in TOP.rglob(ending):
            if not any(folder in path.parents for folder in SKIPPED_FOLDERS):
                yield path


def main():
    tests = set().union(*(tests_in(path.read_text(encoding="utf-8")) for path in cpp_files()))
    found = [f"{path.relative_to(TOP)}: no test matches {pattern}"
             for path in sorted(searched_files()) for pattern in unmatched(path.read_text(encoding="utf-8"), tests)]
    of_ctest = set().union(*(CTEST.findall(path.read_text(encoding="utf-8")) for path in TOP.glob("tests/**/CMakeLists.txt")))
    promises = (TOP / "docs" / "promises.md").read_text(encoding="utf-8")
    found += [f"docs/promises.md: there is no test {name}" for name in unknown_names(promises, tests | of_ctest)]
    print("\n".join(found) or f"{len(tests)} tests; every filter matches one")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

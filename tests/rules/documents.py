#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if README.md is longer than 130 lines, if a link leads to a file or heading that does not exist, or if a file of the tree
cites a page outside the tree, which a new reader could not open."""
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
README_LINES = 130
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)
HEADING = re.compile(r"^#{1,6} +(.+?)\s*$", re.M)
PAGE = re.compile(r"(?<![\w/.:$-])((?:[\w.-]+/)*[\w.-]+\.md)\b")
OUTSIDE = re.compile(r"\bdesign (?:section )?[0-9]+(?:\.[0-9]+)?\b|\banchors/|(?:^|[\s(\"'`])\.\./shared\b")
CITES_OUTSIDE_BY_PURPOSE = {".ci/run", "tests/rules/documents.py", "tests/docs/checks_test.py"}
TEXT = {".cpp", ".hpp", ".h", ".cu", ".cuh", ".py", ".sh", ".cmake", ".txt", ".md", ".json", ".xml", ".desktop", ""}


def anchors(text):
    """The anchors that GitHub generates for the headings of a page."""
    found = {}
    for title in HEADING.findall(CODE.sub(lambda m: m[0] if m[0].count("\n") == 0 else "", text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        count = found.get(slug, 0)
        found[slug] = count + 1
        if count:
            found[f"{slug}-{count}"] = 1
    return set(found)


def broken_links(page, text, top=TOP):
    """An error message for each link of `page` (a path below top) to a missing file or heading."""
    found = []
    for target in LINK.findall(CODE.sub("", text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (top / page).parent / name if name else top / page
        if not file.exists():
            found.append(f"{page}: the link {target} leads to no file")
        elif anchor and anchor not in anchors(file.read_text(encoding="utf-8")):
            found.append(f"{page}: the link {target} leads to no heading")
    return found


def outside_citations(name, text, top=TOP):
    """The lines of `name` that cite a page outside the tree."""
    if name in CITES_OUTSIDE_BY_PURPOSE:
        return []
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        pages = [p for p in PAGE.findall(line) if not any((at / p).exists() for at in (top, top / "docs", (top / name).parent))]
        outside = [m[0].strip() for m in OUTSIDE.finditer(line)]
        found += [f"{name}:{number}: cites {page}, which is not in this repository" for page in pages + outside]
    return found


def tracked(top=TOP):
    names = subprocess.run(["git", "-C", top, "ls-files", "-z"], capture_output=True, check=True).stdout.split(b"\0")
    return [n.decode() for n in names if n and not n.startswith(b"tests/fuzz/corpus")]


def main():
    if not (TOP / ".git").exists():
        print("Skipped: this tree is no git checkout, so which files belong to it is unknown")
        sys.exit(77)
    found = []
    for name in tracked():
        file = TOP / name
        if file.suffix not in TEXT or not file.is_file():
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        found += outside_citations(name, LINK.sub("", text) if file.suffix == ".md" else text)
        if file.suffix == ".md":
            found += broken_links(name, text)
    lines = len((TOP / "README.md").read_text(encoding="utf-8").splitlines())
    if lines > README_LINES:
        found.append(f"README.md: {lines} lines; at most {README_LINES}. Move details to docs/")
    print("\n".join(found) or "the documents can be followed")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

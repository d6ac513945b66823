#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints blocks of the user guide for installer/packages_test.sh, which plays them where a package is installed:

    marked_blocks.py KIND STEP           of the chapter "installing", those after ".. packages: KIND STEP"
    marked_blocks.py CHAPTER FOLDER      of another chapter, those that run everywhere; its photos are made in FOLDER
"""
import sys
from pathlib import Path

import guide_blocks_test as guide

KINDS = ("deb", "tar", "wheel")


def text_of(chapter):
    return (guide.TOP / f"docs/guide/{chapter}.rst").read_text(encoding="utf-8")


def steps():
    """"KIND STEP" of all marked blocks, in their order."""
    return [argument for directive, argument, _, _ in guide.blocks(text_of("installing")) if directive == "packages"]


def marked(mark):
    return [body for directive, argument, _, body in guide.blocks(text_of("installing")) if (directive, argument) == ("packages", mark)]


def everywhere(chapter, folder):
    text = text_of(chapter)
    for what in guide.SETUP.findall(text):
        guide.prepare(what, folder, None, None)
    return [body for directive, _, language, body in guide.blocks(text) if language == "sh" and not directive]


def main():
    first, second = sys.argv[1:]
    found = marked(f"{first} {second}") if first in KINDS else everywhere(first, Path(second))
    if not found:
        sys.exit(f"the guide has no block for {first} {second}")
    print("\n".join(found), end="")


if __name__ == "__main__":
    main()

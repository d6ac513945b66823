#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the checks of documents: each must report the faults below, which a page could contain."""
import re
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests/rules"), str(TOP / "tests/docs")]

import cli_page  # noqa: E402
import documents  # noqa: E402
import guide_blocks_test  # noqa: E402
import marked_blocks  # noqa: E402
import page_code  # noqa: E402

MAIN = "Usage: p [OPTIONS]\n\nOptions:\n  -h,--help   Help\n  --version   Version\n\nSubcommands:\n  train       Train\n"
TRAIN = ("Usage: p train\n\nPositionals:\n  FILE TEXT REQUIRED   Project\n\nOptions:\n  -h,--help   Help\n"
         "  -q,--quiet   Quiet, see --verbose\n  --statistics INT:INT in [0 - 9]\n                 every --steps\n")
PAGE = ("## netwright-cli\n\n| `--version` | v |\n\n## netwright-cli train\n\n| `FILE` | f |\n"
        "| `-q, --quiet` | q |\n| `--statistics INT` | s |\n")


def cli_complaints(page):
    program = cli_page.read_program(lambda words: TRAIN if words else MAIN)
    return cli_page.complaints(program, cli_page.read_page(page))


class CliPage(unittest.TestCase):
    def test_a_page_that_agrees_has_no_complaints(self):
        self.assertEqual(cli_complaints(PAGE), [])

    def test_missing_and_surplus_options_and_commands_are_named(self):
        self.assertIn("-q is not documented", "".join(cli_complaints(PAGE.replace("-q, ", ""))))
        self.assertIn("--seed does not exist", "".join(cli_complaints(PAGE + "| `--seed UINT` | s |\n")))
        self.assertIn("FILE is not documented", "".join(cli_complaints(PAGE.replace("| `FILE` | f |\n", ""))))
        self.assertIn("'watch' has a section", "".join(cli_complaints(PAGE + "## netwright-cli watch\n")))
        self.assertIn("'train' is a command", "".join(cli_complaints(PAGE[: PAGE.index("## netwright-cli train")])))


class MarkedBlocks(unittest.TestCase):
    def test_all_are_played_where_packages_are_installed(self):
        played = re.findall(r"(?:\bchapter|marked_blocks\.py\") (deb|tar|wheel) (\w+)", (TOP / "installer/packages_test.sh").read_text(encoding="utf-8"))
        self.assertEqual(sorted({" ".join(p) for p in played}), sorted(marked_blocks.steps()))
        self.assertEqual({s.split()[0] for s in marked_blocks.steps()}, set(marked_blocks.KINDS))

    def test_only_blocks_with_their_mark_are_read(self):
        page = ".. packages: deb install\n.. code-block:: sh\n\n   sudo apt install x\n\n.. code-block:: sh\n\n   x\n"
        self.assertEqual(guide_blocks_test.blocks(page), [("packages", "deb install", "sh", "sudo apt install x\n"), ("", "", "sh", "x\n")])

    def test_no_other_block_is_left_out(self):
        page = ".. not run: it needs what a test has not\n.. code-block:: sh\n\n   x\n"
        self.assertEqual(guide_blocks_test.blocks(page), [("", "", "sh", "x\n")])


class Documents(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.top = Path(self.folder.name)
        (self.top / "docs").mkdir()
        (self.top / "docs/page.md").write_text("# A page\n\n## Where `it` is: here\n```\n# no heading\n```\n")

    def tearDown(self):
        self.folder.cleanup()

    def links(self, text):
        return documents.broken_links("README.md", text, self.top)

    def test_links_lead_to_files_and_headings(self):
        self.assertEqual(self.links("[a](docs/page.md#where-it-is-here) [b](https://x.y/z.md) `[c](gone.md)`"), [])
        self.assertIn("no file", self.links("[a](docs/gone.md)")[0])
        self.assertIn("no heading", self.links("[a](docs/page.md#gone)")[0])
        self.assertIn("no heading", self.links("[a](docs/page.md#no-heading)")[0])

    def test_citations_of_pages_outside_are_named(self):
        for line in ("// see design 4.4", "// (design section 1)", "// anchors/x", "run ../shared/data", "// notes.md"):
            self.assertEqual(len(documents.outside_citations("a.cpp", line, self.top)), 1, line)
        for line in ("// docs/page.md", "// page.md", "// a design of 2 parts", "// https://x.y/notes.md"):
            self.assertEqual(documents.outside_citations("a.cpp", line, self.top), [], line)


class PageCode(unittest.TestCase):
    def test_a_block_that_differs_from_its_file_is_named(self):
        page = "<!-- code: a.cpp -->\n```cpp\nint a;\n```\n"
        self.assertEqual(page_code.complaints(page, lambda name: "// SPDX-License-Identifier: X\nint a;\n"), [])
        self.assertIn("a.cpp", page_code.complaints(page, lambda name: "int b;\n")[0])

    def test_a_block_without_a_file_and_an_example_without_a_block_are_named(self):
        self.assertIn("no file", page_code.complaints("```cpp\nint a;\n```\n", lambda name: "")[0])
        self.assertIn("b.cpp", page_code.complaints("", lambda name: "", examples=["b.cpp"])[0])


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""audit_test.py WHEEL: auditwheel finds that the wheel runs where its name says, and that nothing is to be mended. Part of long.sh; run by a
Python that has auditwheel."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

WHEEL = Path(sys.argv.pop(1))
LIMIT = 15 * 10**6  # bytes


def words(text):
    return " ".join(text.split())


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = subprocess.run([sys.executable, "-m", "auditwheel", "show", WHEEL], capture_output=True, text=True)
        cls.said, cls.code = words(done.stdout), done.returncode
        cls.errors = done.stderr

    def test_its_platform_is_the_one_in_its_name(self):
        self.assertEqual(self.code, 0, self.errors)
        tag = WHEEL.stem.split("-")[-1]
        self.assertRegex(tag, r"^manylinux_\d+_\d+_\w+$")
        found = re.search(r'is consistent with the following platform tag: "([^"]+)"', self.said)
        self.assertIsNotNone(found, self.said)
        self.assertEqual(found[1], tag, self.said)

    def test_all_other_libraries_are_inside(self):
        self.assertIn("The wheel requires no external shared libraries!", self.said)

    def test_it_is_small(self):
        self.assertLessEqual(WHEEL.stat().st_size, LIMIT)


if __name__ == "__main__":
    unittest.main()

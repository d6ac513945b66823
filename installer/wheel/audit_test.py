#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""audit_test.py WHEEL: auditwheel finds that the wheel runs where its name says, and that nothing is to be mended. Part of long.sh; run by a
Python that has auditwheel."""
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

WHEEL = Path(sys.argv.pop(1))
OF_THE_SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s))\.so")
LIMIT = 15 * 10**6  # bytes


def words(text):
    return " ".join(text.split())


def glibc(tag):
    """(processor, (major, minor)) of a platform tag of PEP 600."""
    major, minor, processor = re.fullmatch(r"manylinux_(\d+)_(\d+)_(\w+)", tag).groups()
    return processor, (int(major), int(minor))


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = subprocess.run([sys.executable, "-m", "auditwheel", "show", WHEEL], capture_output=True, text=True)
        cls.said, cls.code = words(done.stdout), done.returncode
        cls.errors = done.stderr

    def test_it_runs_where_its_name_says(self):
        self.assertEqual(self.code, 0, self.errors)
        found = re.search(r'is consistent with the following platform tag: "([^"]+)"', self.said)
        self.assertIsNotNone(found, self.said)
        needed, named = glibc(found[1]), glibc(WHEEL.stem.split("-")[-1])
        self.assertEqual(needed[0], named[0], self.said)      # the processor
        self.assertLessEqual(needed[1], named[1], self.said)  # the C library

    def test_all_other_libraries_are_inside(self):
        self.assertNotIn("external shared libraries are required", self.said)
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(WHEEL) as wheel:
            wheel.extractall(folder)
            files = [p for p in Path(folder).rglob("*") if p.is_file() and p.read_bytes()[:4] == b"\x7fELF"]
            self.assertGreater(len(files), 5)
            inside = {p.name for p in files}
            for file in files:
                said = subprocess.run(["readelf", "-d", file], check=True, capture_output=True, text=True).stdout
                others = [n for n in re.findall(r"\(NEEDED\).*\[(.+)\]", said) if n not in inside and not OF_THE_SYSTEM.match(n)]
                self.assertEqual(others, [], file.name)

    def test_photos_are_read_without_opencv(self):
        # what is needed and not inside, the test above finds
        with zipfile.ZipFile(WHEEL) as wheel:
            names = [Path(n).name for n in wheel.namelist()]
            self.assertEqual([n for n in names if "opencv" in n.lower()], [])
            for library in ("libjpeg.", "libpng"):
                self.assertTrue(any(n.startswith(library) for n in names), library)

    def test_it_is_small(self):
        self.assertLessEqual(WHEEL.stat().st_size, LIMIT)


if __name__ == "__main__":
    unittest.main()

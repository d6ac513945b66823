#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The screenshots of the AppStream metainfo are the screens as the gallery's tests expect them: screenshots_test.py [NETWRIGHT_CLI]."""
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "installer/desktop"))
import screenshots  # noqa: E402


class Screenshots(unittest.TestCase):
    def test_they_are_current(self):
        self.assertGreaterEqual(len(screenshots.names()), 3)
        self.assertEqual(screenshots.complaints(), [])

    def test_each_is_as_large_as_a_shop_of_programs_asks(self):
        for name in screenshots.names():
            width, height = screenshots.size_of((screenshots.PICTURES / f"{name}.png").read_bytes())
            self.assertTrue(1000 <= width <= 1920 and 620 <= height <= 1200, f"{name}: {width}×{height}")

    def test_a_picture_of_another_form_is_reported(self):
        name = screenshots.names()[0]
        png = (screenshots.PICTURES / f"{name}.png").read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            for other in (png.replace(b"Form\0", b"Firm\0"), screenshots.with_form(png.replace(b"Form\0", b"Firm\0"), "0" * 64), b"", png[:100]):
                (Path(folder) / f"{name}.png").write_bytes(other)
                self.assertTrue(any(c.startswith(f"{name}.png shows") for c in screenshots.complaints(Path(folder))))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

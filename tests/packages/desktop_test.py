#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The desktop's files agree with each other and with the program's version, and the desktop's own tools accept them."""
import configparser
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
DESKTOP = TOP / "installer/desktop"
METAINFO, ENTRY = DESKTOP / "org.netwright.Netwright.metainfo.xml", DESKTOP / "org.netwright.Netwright.desktop"
VERSION = re.search(r"project\(Netwright VERSION ([0-9.]+)", (TOP / "CMakeLists.txt").read_text()).group(1)


def entry(path, section):
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(path, encoding="utf-8")
    return parser[section]


class Desktop(unittest.TestCase):
    def test_types_of_files_are_the_same_everywhere(self):
        space = "{http://www.freedesktop.org/standards/shared-mime-info}"
        types = {t.get("type") for t in xml.parse(DESKTOP / "netwright-mime.xml").iter(space + "mime-type")}
        self.assertEqual(set(entry(ENTRY, "Desktop Entry")["MimeType"].strip(";").split(";")), types)
        self.assertEqual({t.text for t in xml.parse(METAINFO).iter("mediatype")}, types)
        pictures = entry(DESKTOP / "netwright.thumbnailer", "Thumbnailer Entry")
        self.assertEqual(set(pictures["MimeType"].strip(";").split(";")), types)

    def test_the_version_is_that_of_the_program(self):
        self.assertEqual(next(xml.parse(METAINFO).iter("release")).get("version"), VERSION)
        changelog = (TOP / "installer/debian/changelog").read_text()
        self.assertTrue(changelog.startswith("netwright (@version@)"), changelog[:40])  # package.sh writes it
        self.assertIn(f"## [{VERSION}]", (TOP / "CHANGELOG.md").read_text())

    def accepted(self, *words):
        if not shutil.which(words[0]):
            self.skipTest(f"{words[0]} is not installed")
        return subprocess.run(words, capture_output=True, text=True)

    def test_appstream_accepts_the_metainfo(self):
        done = self.accepted("appstreamcli", "validate", "--no-net", str(METAINFO))
        self.assertEqual(done.returncode, 0, done.stdout)
        # <developer> is newer than AppStream 0.16, which mentions it; from 1.0 on its absence is a warning.
        self.assertEqual([line for line in done.stdout.splitlines() if line[:3] in ("E: ", "W: ", "I: ") and "developer" not in line], [])

    def test_the_desktop_entry_is_valid(self):
        done = self.accepted("desktop-file-validate", str(ENTRY))
        self.assertEqual(done.stdout + done.stderr, "")

    def test_scripts_have_no_complaint(self):
        scripts = sorted(map(str, (TOP / "installer").glob("*.sh")))
        done = self.accepted("shellcheck", "-x", "-S", "warning", "-s", "bash", "-e", "SC2154,SC2034,SC2046,SC2086,SC1091", *scripts)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    import sys
    del sys.argv[1:]
    unittest.main()

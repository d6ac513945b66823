#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The desktop's files agree with each other and with the program's version, and the desktop's own tools accept them."""
import configparser
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import appstream

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

    def test_each_version_has_left_files_that_open_for_ever(self):
        versions = re.findall(r"^## \[(\d[\w.]*)\]", (TOP / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
        self.assertIn(VERSION, versions)
        kept = TOP / "tests/reference/golden"
        self.assertEqual([v for v in versions if not list((kept / v).rglob("*.netwright"))], [])
        self.assertEqual([f.name for f in kept.iterdir() if f.is_dir() and f.name not in versions], [])

    def accepted(self, *words):
        if not shutil.which(words[0]):
            self.skipTest(f"{words[0]} is not installed")
        return subprocess.run(words, capture_output=True, text=True)

    def test_appstream_accepts_the_metainfo(self):
        done = self.accepted("appstreamcli", "validate", "--pedantic", "--no-net", str(METAINFO))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(appstream.findings(done.stdout, appstream.version_of(self.accepted("appstreamcli", "--version").stdout)), [])

    def test_a_finding_of_appstream_is_seen(self):
        known = "I: org.netwright.Netwright:9: unknown-tag developer"
        hints = ["I: org.netwright.Netwright:9: unknown-tag developers", "W: org.netwright.Netwright:~: no-developer", "E: x:3: tag-empty name"]
        said = "\n".join([known, *hints, "P: x:3: cid-contains-uppercase-letter x", "Validation failed: 3"])
        self.assertEqual(appstream.findings(said, (0, 16)), hints)
        self.assertEqual(appstream.findings(said, (1, 0)), [known, *hints])
        self.assertEqual([appstream.version_of(v) for v in ("AppStream version: 0.16.1", "AppStream version: 1.0.5")], [(0, 16), (1, 0)])

    @unittest.skipUnless(shutil.which("appstreamcli"), "appstreamcli is not installed")
    def test_appstream_itself_finds_what_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / METAINFO.name
            for tag in ("developer", "url"):
                text = METAINFO.read_text(encoding="utf-8").replace(f"<{tag} ", f"<{tag}x ").replace(f"</{tag}>", f"</{tag}x>")
                file.write_text(text, encoding="utf-8")
                said = subprocess.run(["appstreamcli", "validate", "--pedantic", "--no-net", str(file)], capture_output=True, text=True).stdout
                self.assertIn(f"unknown-tag {tag}x", "".join(appstream.findings(said, (0, 16))))

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

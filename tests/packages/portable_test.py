#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the portable archive says of the libraries that it holds (installer/portable.sh): the licence and the version of the package that each file
is from. Skipped where dpkg is missing."""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PLAY = 'say() { echo "$*" >&2; }; top=$1; source installer/portable.sh; shift; licences "$@"'


def licences(folder, *files):
    return subprocess.run(["bash", "-euo", "pipefail", "-c", PLAY, "portable", TOP, folder, *files], cwd=TOP, capture_output=True, text=True)


def libraries_of(program):
    out = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    return [words[2] for words in map(str.split, out.splitlines()) if len(words) > 2 and words[1] == "=>"]


def versions_of(packages):
    """As dpkg has them, for the packages of this computer's own architecture."""
    said = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\\n", *packages], check=True, capture_output=True, text=True).stdout
    return sorted(said.splitlines())


class Licences(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name) / "licences"

    def tearDown(self):
        self.place.cleanup()

    def test_every_package_has_its_licence_and_its_version(self):
        files = libraries_of(shutil.which("dpkg"))
        self.assertGreaterEqual(len(files), 3)
        done = licences(self.folder, *files, files[0])
        self.assertEqual(done.returncode, 0, done.stderr)
        packages = sorted(f.name for f in self.folder.iterdir() if f.name != "versions.txt")
        self.assertIn("libc6", packages)
        self.assertEqual((self.folder / "versions.txt").read_text().splitlines(), versions_of(packages))
        for name in packages:
            self.assertGreater((self.folder / name).stat().st_size, 100, name)

    def test_a_file_of_no_package_is_refused(self):
        stray = Path(self.place.name) / "libstray.so.1"
        stray.write_bytes(b"")
        done = licences(self.folder, shutil.which("dpkg"), stray)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("libstray.so.1 belongs to no package", done.stderr)


if __name__ == "__main__":
    if not shutil.which("dpkg-query"):
        sys.exit(77)
    unittest.main()

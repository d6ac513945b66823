#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of projects and runs for file managers: thumbnail_test.py NETWRIGHT_CLI; the window's program lies beside it."""
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CLI = Path(sys.argv.pop(1))
WINDOW = CLI.with_name("netwright")


def thumbnail(*words):
    return subprocess.run([WINDOW, "--thumbnail", *map(str, words)], capture_output=True, text=True)


class Thumbnail(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.project, self.picture = (Path(self.folder.name) / name for name in ("a.netwright", "a.png"))

    def tearDown(self):
        self.folder.cleanup()

    def test_the_whole_drawing_fits_into_the_square(self):
        sizes = {}
        for template in ("lenet5", "mlp", "resnet18-cifar"):
            subprocess.run([CLI, "new", "--template", template, "-o", self.project, "--force"], check=True, capture_output=True)
            done = thumbnail(256, self.project, self.picture)
            self.assertEqual(done.returncode, 0, done.stderr)
            data = self.picture.read_bytes()
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            self.assertLessEqual(max(struct.unpack(">II", data[16:24])), 256)
            self.assertGreaterEqual(max(struct.unpack(">II", data[16:24])), 250)
            sizes[template] = data
        self.assertEqual(len(set(sizes.values())), 3)

    def test_a_run_shows_the_network_that_it_trained(self):
        subprocess.run([CLI, "new", "--template", "mlp", "-o", self.project], check=True, capture_output=True)
        run = Path(self.folder.name) / "run"
        subprocess.run([CLI, "train", self.project, "--epochs", "1", "--run-dir", run, "--quiet"], check=True, capture_output=True)
        copied = Path(self.folder.name) / "copied-by-the-file-manager.json"    # a sandboxed one passes a copy
        copied.write_bytes((run / "run.json").read_bytes())
        pictures = []
        for file in (self.project, run / "run.json", copied):
            done = thumbnail(256, file, self.picture)
            self.assertEqual(done.returncode, 0, done.stderr)
            pictures.append(self.picture.read_bytes())
        self.assertEqual(len(set(pictures)), 1)

    def test_what_cannot_be_drawn_is_refused_with_a_sentence(self):
        self.project.write_text("not a project")
        for words, code in (((256, self.project, self.picture), 3), ((0, self.project, self.picture), 2), ((256, self.project), 2),
                            (("2x", self.project, self.picture), 2)):
            done = thumbnail(*words)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertTrue(done.stderr.startswith("netwright: "), done.stderr)
        self.assertFalse(self.picture.exists())


if __name__ == "__main__":
    unittest.main()

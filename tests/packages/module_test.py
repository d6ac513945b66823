#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wheel's Python module with the built program: module_test.py NETWRIGHT_CLI."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "installer/wheel"))
import netwright  # noqa: E402
from netwright import program  # noqa: E402

program.PROGRAM = Path(sys.argv.pop(1))
os.environ.pop("NETWRIGHT_DATA", None)


class Module(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        os.environ["HOME"] = os.environ["XDG_DATA_HOME"] = cls.folder.name
        cls.path = Path(cls.folder.name) / "run"
        netwright.run("train", "mlp", "--epochs", 2, "--seed", 1, "--run-dir", cls.path, "--quiet")
        cls.run_ = netwright.open_run(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_epochs_and_metrics_are_those_of_the_run(self):
        epochs = self.run_.epochs()
        self.assertEqual(list(epochs["epoch"]), [1, 2])
        points = self.run_.metrics("epoch/validation_accuracy")
        self.assertAlmostEqual(float(list(points["value"])[-1]), float(list(epochs["validation_accuracy"])[-1]), places=6)
        self.assertEqual(set(points["name"]), {"epoch/validation_accuracy"})
        self.assertGreater(len(self.run_.metrics()["step"]), len(points["step"]))

    def test_predictions_are_those_of_the_command(self):
        picture = TOP / "resources/pictures/design.png"
        (made,) = self.run_.predict(picture)
        self.assertEqual(len(made["probability"]), len(self.run_.classes))
        self.assertEqual(made["class"], self.run_.classes[made["predicted"]])
        self.assertGreater(self.run_.evaluate()["accuracy"], 0.5)

    def test_a_refusal_is_an_exception_with_its_sentence_and_code(self):
        with self.assertRaises(netwright.NetwrightError) as caught:
            self.run_.predict(TOP / "README.md")
        self.assertEqual(caught.exception.exit_code, 3)
        self.assertIn("README.md", str(caught.exception))
        with self.assertRaises(FileNotFoundError):
            netwright.open_run(self.folder.name)


if __name__ == "__main__":
    unittest.main()

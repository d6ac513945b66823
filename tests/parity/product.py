# SPDX-License-Identifier: Apache-2.0
"""Runs netwright-cli and reads what it wrote: weights, losses, metrics, predictions."""
import json
import os
import subprocess

import numpy as np

from twin import read_safetensors

NOT_FINITE = 6  # the exit code of a training that diverged


class Failed(Exception):
    pass


class Diverged(Exception):
    pass


class Product:
    def __init__(self, cli, folder, instructions):
        self.cli, self.folder = cli, folder
        self.environment = {**os.environ, "NETWRIGHT_DATA_CACHE": "0", "NETWRIGHT_RUNS": str(folder / "runs"),
                            "XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "share"),
                            "NETWRIGHT_CPU": instructions}

    def call(self, *arguments):
        done = subprocess.run([self.cli, *map(str, arguments)], capture_output=True, text=True, env=self.environment, timeout=120)
        if done.returncode == NOT_FINITE:
            raise Diverged(done.stderr)
        if done.returncode:
            raise Failed(f"{' '.join(map(str, arguments))}\nended with {done.returncode}: {done.stderr[-1500:]}")
        return done.stdout

    def train(self, project, name):
        """Trains `project` (a dict) in the run folder `name`; its path."""
        file, run = self.folder / f"{name}.netwright", self.folder / name
        file.write_text(json.dumps(project))
        self.call("train", file, "--run-dir", run, "--quiet", "--probes", 0, "--statistics", 0)
        return run

    def evaluate(self, run):
        return json.loads(self.call("evaluate", run, "--split", "test", "--json"))

    def predict(self, run, images):
        """The answers for image files, in their order."""
        lines = self.call("predict", run, *images, "--checkpoint", "latest", "--json").splitlines()
        return np.array([line.get("probability", line.get("values")) for line in map(json.loads, lines)])


def weights_of(run):
    name = (run / "latest").read_text().strip()
    return read_safetensors(run / "checkpoints" / name / "model.safetensors")


def losses_of(run):
    """metrics.bin: eight bytes of magic, the number of steps of an entry, four bytes of filling, floats."""
    raw = (run / "metrics.bin").read_bytes()
    assert raw[:8] == b"NWLOSS1\n" and raw[8:12] == b"\x01\0\0\0", "each step has an entry"
    return np.frombuffer(raw[16:], dtype="<f4").astype(np.float64)


def write_image(file, pixels):
    """(height, width, channels of 1 or 3) as PGM or PPM."""
    height, width, channels = pixels.shape
    kind = {1: "P5", 3: "P6"}[channels]
    file.write_bytes(f"{kind}\n{width} {height}\n255\n".encode() + pixels.astype(np.uint8).tobytes())

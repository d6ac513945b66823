#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks as source code of PyTorch and Keras: what the files compute, beside what Netwright computes.

    source_code.py --cli build/release/bin/netwright-cli [PART…] [--random N] [--work FOLDER]

Parts: templates, random, hostile, training, torchvision; without one, all. The Python that runs this needs numpy and safetensors; each
library takes part where it is installed (Keras on torch, unless KERAS_BACKEND says otherwise). Exit code 1: something differs, 77:
everything was skipped.

- templates: every template, with weights and statistics as after a training: netwright-cli runs the file and compares the outputs, here
  the figures are judged: 1e-5 of the largest output.
- random: the same for networks of tests/parity/draw.py.
- hostile: names of layers, blocks and classes that would end a string or a line, or that Python and nn.Module use themselves.
- training: the loop of lenet5's file in PyTorch, on digits of Netwright's own, halves the loss; what it writes loads again.
- torchvision: exported weights in torchvision's networks by load_state_dict(strict=True), and their outputs.
"""
import argparse
import json
import os
import py_compile
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests" / "parity"))
EXACT = 1e-5
LIBRARIES = {"pytorch": ("torch", "PyTorch"), "keras": ("keras", "Keras")}


class Report:
    def __init__(self):
        self.counts, self.failed = Counter(), 0

    def add(self, part, name, result, detail=""):
        self.counts[part, result] += 1
        self.failed += result == "differs"
        print(f"{part}: {name}: {result}{': ' + detail if detail else ''}", flush=True)

    def summary(self):
        for part in dict.fromkeys(p for p, _ in self.counts):
            print(f"{part}: " + ", ".join(f"{n} {r}" for (p, r), n in sorted(self.counts.items()) if p == part))


class Program:
    def __init__(self, cli, work):
        self.cli, self.work = cli, work
        # The files are run here, in one process; what the program does itself is a part of its own.
        self.stub = work / "python"
        self.stub.write_text("#!/bin/sh\necho '{\"missing\": \"all\"}'\n")
        self.stub.chmod(0o755)
        self.environment = {**os.environ, "NETWRIGHT_PYTHON": str(self.stub), "NETWRIGHT_DATA_CACHE": "0",
                            "NETWRIGHT_RUNS": str(work / "runs"), "XDG_DATA_HOME": str(work / "share")}

    def call(self, *arguments, timeout=900):
        return subprocess.run([self.cli, *map(str, arguments)], capture_output=True, text=True, env=self.environment, timeout=timeout)

    def weights(self, project, name):
        """A safetensors file with the project's weights, changed at random: none is 0 or 1 any more. None: what went wrong."""
        import numpy as np
        from safetensors.numpy import load_file, save_file
        plain, changed = self.work / f"{name}-plain.safetensors", self.work / f"{name}-weights.safetensors"
        done = self.call("export", project, "--safetensors", plain, "--force")
        if done.returncode:
            return None, done.stderr.strip()
        r, tensors = np.random.default_rng(1), load_file(plain)
        for key, t in tensors.items():
            if t.dtype == np.float32:
                change = r.uniform(-0.1, 0.1, t.shape).astype(np.float32)
                tensors[key] = t + (0.5 + 4 * change if key.endswith("running_var") else change)
        save_file(tensors, changed)
        return changed, ""

    def export(self, project, name, languages, *options):
        """The files of one network: (folder with samples.safetensors and a file for each language, what went wrong)."""
        folder = self.work / name
        folder.mkdir(exist_ok=True)
        files = [word for x in languages for word in (f"--{x}", folder / f"{x}.py")]
        done = self.call("export", project, *files, "--samples", folder / "samples.safetensors", "--no-preprocessing",
                         "--images", 4, "--force", *options)
        return folder, done.stderr.strip().splitlines()[-1] if done.returncode else ""


def loaded(file):
    import importlib.util
    spec = importlib.util.spec_from_file_location(f"{file.parent.name}_{file.stem}".replace("-", "_"), file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outputs_of(file, language, x):
    import numpy as np
    model = loaded(file).load_model()
    if language == "pytorch":
        import torch
        return model(torch.from_numpy(x)).detach().numpy()
    import keras
    return keras.ops.convert_to_numpy(model(np.moveaxis(x, 1, 3), training=False))


def missing(*modules):
    for name in modules:
        try:
            __import__(name)
        except ImportError:
            return name
    return None


def compare(report, program, part, project, name, languages):
    import numpy as np
    from safetensors.numpy import load_file
    weights, problem = program.weights(project, name)
    folder, problem = (None, problem) if problem else program.export(project, name, languages, "--weights", weights)
    if problem:
        return report.add(part, name, "differs", problem)
    samples = load_file(folder / "samples.safetensors")
    for language in languages:
        label, file = f"{name} in {LIBRARIES[language][1]}", folder / f"{language}.py"
        try:
            py_compile.compile(str(file), cfile=str(folder / "compiled"), doraise=True)
            out = outputs_of(file, language, samples["inputs"]).reshape(samples["scores"].shape)
        except Exception as e:  # noqa: BLE001 - whatever the file raises is a failure
            report.add(part, label, "differs", " ".join(f"{type(e).__name__}: {e}".split())[:400])
            continue
        relative = np.abs(out.astype(np.float64) - samples["scores"]).max() / max(np.abs(samples["scores"]).max(), 1e-6)
        report.add(part, label, "ok" if relative <= EXACT else "differs", f"{relative:.1e}")
    return None


def check_templates(report, program, languages, names):
    listed = [line.split()[0] for line in program.call("new", "--list").stdout.split("\n") if line.strip()]
    for name in names or listed:
        compare(report, program, "templates", name, name, languages)


def check_random(report, program, languages, count, seed=1):
    from draw import TYPES, draw_network
    for number in range(count):
        r = random.Random(f"{seed}/{number}")
        draft = draw_network(r, TYPES[number % len(TYPES)], r.randint(2, 5), "CrossEntropy", 0.0, False)
        project = {"format": 1, "network": draft.graph(), "blocks": draft.blocks, "data": {}, "training": {}}
        file = program.work / f"random{number}.netwright"
        file.write_text(json.dumps(project))
        compare(report, program, "random", file, f"random{number}", languages)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--cli", required=True)
    parser.add_argument("--random", type=int, default=200)
    parser.add_argument("--names", default="", help="templates, separated by commas; all without")
    parser.add_argument("--languages", default="pytorch,keras")
    parser.add_argument("--work", type=Path)
    o = parser.parse_args()
    os.environ.setdefault("KERAS_BACKEND", "torch")
    lacking = missing("numpy", "safetensors")
    languages = [x for x in o.languages.split(",") if not missing(LIBRARIES[x][0])]
    if lacking or not languages:
        print(f"skipped: {lacking or 'neither torch nor keras'} is not installed" if lacking else "skipped: neither torch nor keras is installed")
        return 77
    report = Report()
    with tempfile.TemporaryDirectory() as scratch:
        work = (o.work or Path(scratch)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        program = Program(str(Path(o.cli).resolve()), work)
        for part in o.parts or ["templates", "random"]:
            {"templates": lambda: check_templates(report, program, languages, [n for n in o.names.split(",") if n]),
             "random": lambda: check_random(report, program, languages, o.random)}[part]()
    report.summary()
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())

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
- training: a run on photos, as files that the program itself runs; the training loop of PyTorch's; what that writes loads again.
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

from changed_weights import changed_weights, depends_on_images

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
        return changed_weights(self.call, project, self.work, name)

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
    weak = depends_on_images(folder / "samples.safetensors") if part == "templates" else ""
    if weak:
        return report.add(part, name, "differs", weak)
    for language in languages:
        label, file = f"{name} in {LIBRARIES[language][1]}", folder / f"{language}.py"
        try:
            py_compile.compile(str(file), cfile=str(folder / "compiled"), doraise=True)
            out = outputs_of(file, language, samples["inputs"]).reshape(samples["scores"].shape)
        except Exception as e:  # noqa: BLE001 - whatever the file raises is a failure
            report.add(part, label, "differs", " ".join(f"{type(e).__name__}: {e}".split())[:400])
            continue
        relative = np.abs(out.astype(np.float64) - samples["scores"]).max() / max(np.abs(samples["scores"]).max(), 1e-6)
        rounds = relative > EXACT and relative <= 4 * rounding(folder, samples)
        report.add(part, label, "ok" if relative <= EXACT else "rounding" if rounds else "differs", f"{relative:.1e}")
    return None


def rounding(folder, samples):
    """How far PyTorch in float32 is from PyTorch in double precision, relative to the largest output."""
    import torch
    if not (folder / "pytorch.py").exists():
        return 0.0
    model, x = loaded(folder / "pytorch.py").load_model(), torch.from_numpy(samples["inputs"])
    with torch.no_grad():
        single = model(x).double()
        double = model.double()(x.double())
    return ((single - double).abs().max() / double.abs().max()).item()


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


HOSTILE = ["forward", "type", "class", "None", "__init__", "_modules", "_parameters", "卷积", "a..b", "a.", "self", "x", "nn",
           "torch", "name", "append.0", "lambda.if", "eval", "print", "def.class.None", "x" * 150, ".".join("abcdefghijkl" * 6)]
STRINGS = ['"); import os; os.abort() #', '"""\nimport os\nos.abort()\n"""', "{__import__('os').abort()}", "'\\\n'", "\u202e\u2028"]


def hostile_network():
    """Every name as a layer of its own and in a block, whose parameters have the names of what its class uses."""
    def conv(number, name, **attrs):
        return {"id": number, "name": name, "type": "Conv2d", "x": 0.0, "y": 90.0 * number,
                "attrs": {"out_channels": "$self", "kernel_size": [1, 1], **attrs}}
    def row(nodes):
        return [[a["id"], 0, b["id"], 0] for a, b in zip(nodes, nodes[1:])]
    inner = [{"id": 1, "name": "in", "type": "BlockInput", "x": 0.0, "y": 0.0}]
    inner += [conv(k + 2, name) for k, name in enumerate(HOSTILE)]
    inner.append({"id": len(inner) + 1, "name": "out", "type": "BlockOutput", "x": 0.0, "y": 9000.0})
    outer = [{"id": 1, "name": "images", "type": "Input", "x": 0.0, "y": 0.0, "attrs": {"channels": 1, "height": 4, "width": 4}}]
    outer += [conv(k + 2, name, out_channels=2) for k, name in enumerate(HOSTILE)]
    for filters in (3, 5):
        outer.append({"id": len(outer) + 1, "name": f"block{filters}", "type": "Block", "x": 0.0, "y": 9000.0,
                      "attrs": {"block": "Module", "self": filters, "nn": 7, "class": 9}})
    for kind in ("Flatten", "Linear", "CrossEntropy"):
        outer.append({"id": len(outer) + 1, "name": kind.lower(), "type": kind, "x": 0.0, "y": 9000.0})
    block = {"parameters": [{"name": n, "value": 1} for n in ("self", "nn", "class")],
             "network": {"nodes": inner, "connections": row(inner), "frames": [], "notes": []}}
    return {"format": 1, "network": {"nodes": outer, "connections": row(outer), "frames": [], "notes": []}, "blocks": {"Module": block},
            "data": {}, "training": {}}


def check_hostile(report, program, languages):
    for number, word in enumerate(STRINGS):
        file = program.work / f"{word.replace('/', '')}.netwright"
        file.write_text(json.dumps(hostile_network()))
        compare(report, program, "hostile", file, f"hostile{number}", languages)


def photos(folder):
    """Images of two classes whose folders have hostile names, dark and bright."""
    for k, word in enumerate(STRINGS[:2]):
        place = folder / word.replace("/", "").replace("\0", "")
        place.mkdir(parents=True, exist_ok=True)
        for i in range(20):
            pixels = bytes((100 * k + (7 * i + 3 * j) % 90) for j in range(8 * 8 * 3))
            (place / f"{i}.ppm").write_bytes(b"P6 8 8 255\n" + pixels)
    return folder


def check_pair(report, program, language):
    """Weights of another export beside the file are refused, and taken where the caller names them."""
    import shutil
    from safetensors.numpy import load_file, save_file
    name = f"photos-{language}"
    folder, copied = program.work / f"{name}-mixed", program.work / f"{name}-chosen.safetensors"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copy(program.work / f"{name}.py", folder)
    save_file(load_file(program.work / f"{name}.safetensors"), copied)
    shutil.copy(copied, folder / f"{name}.safetensors")
    module = loaded(folder / f"{name}.py")
    try:
        module.load_model()
        said = "nothing"
    except ValueError as e:
        said = str(e)
    module.load_model(copied)
    report.add("training", f"weights of another export in {LIBRARIES[language][1]}", "ok" if "of different exports" in said else "differs", said)


def check_training(report, program, languages):
    """A run on such photos: its files know its classes and normalization; the loop of PyTorch's trains on, what it writes loads again."""
    import numpy as np
    nodes = [("images", "Input", {"channels": 3, "height": 8, "width": 8}), ("conv", "Conv2d", {"out_channels": 4}), ("bn", "BatchNorm2d", {}),
             ("relu", "ReLU", {}), ("flat", "Flatten", {}), ("fc", "Linear", {"out_features": 2}), ("loss", "CrossEntropy", {"label_smoothing": 0.1, "class_weights": "1, 2.5"})]
    graph = {"nodes": [{"id": k + 1, "name": n, "type": t, "x": 0.0, "y": 90.0 * k, "attrs": a} for k, (n, t, a) in enumerate(nodes)],
             "connections": [[k, 0, k + 1, 0] for k in range(1, len(nodes))], "frames": [], "notes": []}
    settings = {"epochs": 2, "batch": 8, "learning_rate": 0.01, "l2": 0.001, "decay_bias_and_norm": False, "clip_norm": 1.0, "schedule": "cosine",
                "warmup_epochs": 1, "horizontal_flip": True, "transforms": [{"type": t} for t in (
                    "RandomVerticalFlip", "RandomRotation", "RandomAffine", "ColorJitter", "RandomGrayscale", "GaussianBlur", "GaussianNoise",
                    "RandomErasing", "RandAugment", "MixUp", "CutMix")]}
    file, run, data = program.work / "photos.netwright", program.work / "runs" / "photos", photos(program.work / "photos")
    file.write_text(json.dumps({"format": 1, "network": graph, "blocks": {}, "data": {"kind": "image_folder", "height": 8, "width": 8},
                                "training": settings}))
    subprocess.run(["rm", "-rf", str(run)], check=True)
    done = program.call("train", file, "--data", data, "--run-dir", run, "--quiet", "--probes", 0)
    if done.returncode:
        return report.add("training", "run", "differs", done.stderr.strip()[-300:])
    program.environment["NETWRIGHT_PYTHON"] = sys.executable  # here the program runs the files itself
    for language in languages:
        target = program.work / f"photos-{language}.py"
        done = program.call("export", run, f"--{language}", target, "--images", 16, "--json", "--force")
        proof = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}
        good = proof.get("readers") and proof["max_abs_diff"] <= EXACT * proof["largest_output"] and proof["images_from"] != "noise"
        report.add("training", f"export as {language}", "ok" if good else "differs", done.stderr.strip()[-300:] or str(proof.get("max_abs_diff")))
        if good:
            check_pair(report, program, language)
    program.environment["NETWRIGHT_PYTHON"] = str(program.stub)
    if "pytorch" in languages:
        from safetensors.numpy import load_file
        steps = load_file(program.work / "photos-pytorch.safetensors")["bn.num_batches_tracked"]
        report.add("training", "batches counted", "ok" if steps.shape == () and steps in (4, 5, 8, 10) else "differs", str(steps))
    if "pytorch" not in languages:
        return None
    target, output = program.work / "photos-pytorch.py", program.work / "trained.safetensors"
    command = [sys.executable, "-B", str(target), "--train", str(data), "--epochs", "3", "--output", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    losses = [float(line.split("test loss ")[1].split(",")[0]) for line in done.stdout.splitlines() if "test loss" in line]
    report.add("training", "the loop", "ok" if done.returncode == 0 and len(losses) == 3 and np.isfinite(losses).all() else "differs",
               str(losses) + done.stderr[-400:])
    image = next(p for p in data.rglob("*.ppm"))
    done = subprocess.run([sys.executable, "-B", str(target), str(image), "--weights", str(output)], capture_output=True, text=True, timeout=600)
    report.add("training", "what it writes", "ok" if done.returncode == 0 and STRINGS[0] in done.stdout else "differs", done.stderr[-300:])
    return None


# Ours and torchvision's; vgg13 of torchvision is without batch norms and has other names: its templates are ours alone.
TORCHVISION = ["resnet18", "resnet50", "mobilenet_v2", "efficientnet_b0", "convnext_tiny", "densenet121", "squeezenet1_1"]


def check_torchvision(report, program, names):
    import torch
    import torchvision
    from safetensors.torch import load_file
    for name in [n for n in TORCHVISION if not names or n in names]:
        weights, problem = program.weights(name, name)
        folder, problem = (None, problem) if problem else program.export(name, name, [], "--weights", weights, "--safetensors",
                                                                          program.work / f"{name}-vision.safetensors")
        if problem:
            report.add("torchvision", name, "differs", problem)
            continue
        model = getattr(torchvision.models, name)(weights=None).eval()
        try:
            model.load_state_dict(load_file(program.work / f"{name}-vision.safetensors"), strict=True)
        except RuntimeError as e:
            report.add("torchvision", name, "differs", " ".join(str(e).split())[:400])
            continue
        samples = load_file(folder / "samples.safetensors")
        with torch.no_grad():
            out = model(samples["inputs"])
        relative = ((out - samples["scores"]).abs().max() / samples["scores"].abs().max()).item()
        report.add("torchvision", name, "ok" if relative <= EXACT else "differs", f"{relative:.1e}")


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
        for part in o.parts or ["templates", "random", "hostile", "training", "torchvision"]:
            if part == "torchvision" and missing("torch", "torchvision"):
                print("torchvision: skipped: it is not installed")
                continue
            {"hostile": lambda: check_hostile(report, program, languages), "training": lambda: check_training(report, program, languages),
             "torchvision": lambda: check_torchvision(report, program, [n for n in o.names.split(",") if n]),
             "templates": lambda: check_templates(report, program, languages, [n for n in o.names.split(",") if n]),
             "random": lambda: check_random(report, program, languages, o.random)}[part]()
    report.summary()
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Netwright's ONNX files in other programs, and other programs' files in Netwright.

    ecosystem.py --cli build/release/bin/netwright-cli [PART…] [--random N] [--work FOLDER]

Parts: templates, random, architectures, nodes, light; without one, all. The Python that runs this needs onnx and onnxruntime, the
architectures torch and torchvision; OpenCV takes part where it is installed. A part whose packages are missing is skipped with a
word. Exit code 1: something differs, 77: everything was skipped.

- templates: every template, with weights and statistics as after a training. netwright-cli itself runs the file in onnxruntime, OpenCV and
  onnx.reference (with onnx.checker before it); here the figures are judged: 1e-5 of the largest output.
- random: the same for networks of tests/parity/draw.py.
- architectures: torchvision's networks, by both of torch's exporters: imported, compared with torch (1e-4), trained for a step.
- nodes: the cases of Debian's libonnx-testdata whose operators are in the table, each as a network of one operator.
- light: the ImageNet networks of the onnx wheel, whose weights are constants of one value.
"""
import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

from changed_weights import changed_weights, depends_on_images

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests" / "parity"))
warnings.filterwarnings("ignore")
NODE_CASES = Path("/usr/share/libonnx-testdata/data/node")
EXACT, CLOSE = 1e-5, 1e-4
# Of torchvision 0.2x, at sizes that take seconds; googlenet and inception_v3 without their auxiliary outputs.
ARCHITECTURES = ["alexnet", "vgg11", "vgg11_bn", "resnet18", "resnet50", "resnext50_32x4d", "squeezenet1_1", "densenet121",
                 "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "regnet_y_400mf", "shufflenet_v2_x0_5", "mnasnet0_5",
                 "googlenet", "convnext_tiny"]


class Report:
    def __init__(self):
        self.counts, self.lines, self.failed = Counter(), [], 0

    def add(self, part, name, result, detail=""):
        """result: "ok", "skipped" or "differs"."""
        self.counts[part, result] += 1
        self.failed += result == "differs"
        print(f"{part}: {name}: {result}{': ' + detail if detail else ''}", flush=True)

    def summary(self):
        print()
        for part in dict.fromkeys(p for p, _ in self.counts):
            print(f"{part}: " + ", ".join(f"{n} {r}" for (p, r), n in sorted(self.counts.items()) if p == part))


class Program:
    def __init__(self, cli, work):
        self.cli, self.work = cli, work
        self.environment = {**os.environ, "NETWRIGHT_PYTHON": sys.executable, "NETWRIGHT_DATA_CACHE": "0",
                            "NETWRIGHT_RUNS": str(work / "runs"), "XDG_DATA_HOME": str(work / "share")}

    def call(self, *arguments, timeout=900):
        return subprocess.run([self.cli, *map(str, arguments)], capture_output=True, text=True, env=self.environment,
                              timeout=timeout)

    def export(self, project, file, *options):
        """(proof, or None; what went wrong)"""
        done = self.call("export", project, "--onnx", file, "--images", 8, "--json", "--force", *options)
        if done.returncode:
            return None, done.stderr.strip().splitlines()[-1]
        return json.loads(done.stdout.splitlines()[-1]), ""

    def verify(self, file, inputs, scores):
        samples = self.work / "samples.safetensors"
        write_samples(samples, inputs, scores)
        done = self.call("verify", file, samples, "--json")
        record = json.loads(done.stdout.splitlines()[-1]) if done.stdout.strip() else {"problem": done.stderr.strip()}
        return record


def write_samples(path, inputs, scores):
    import numpy as np
    parts, header, at = [], {}, 0
    for name, array in (("inputs", inputs), ("scores", scores)):
        raw = np.ascontiguousarray(array, np.float32).tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [at, at + len(raw)]}
        parts.append(raw)
        at += len(raw)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def missing(*modules):
    for name in modules:
        try:
            __import__(name)
        except ImportError:
            return name
    return None


def judge(report, part, name, proof, problem, opencv_required):
    if proof is None:
        return report.add(part, name, "skipped" if "ONNX has no" in problem else "differs", problem)
    scale = max(proof["largest_output"], 1e-6)
    words, bad = [f"opset {proof['opset']}"], []
    for r in proof["readers"]:
        if "problem" in r:
            words.append(f"{r['reader']} does not run it")
            if r["reader"] != "OpenCV" or opencv_required:
                bad.append(f"{r['reader']}: {r['problem'][:120]}")
            continue
        relative = r["max_abs_diff"] / scale
        words.append(f"{r['reader']} {relative:.1e}")
        if r["reader"] == "OpenCV" and not opencv_required:
            words[-1] += " (differs)" if relative > EXACT else ""
        elif relative > EXACT or (r["reader"] == "Netwright" and relative > 0):
            bad.append(f"{r['reader']} is off by {relative:.1e}")
    report.add(part, name, "differs" if bad else "ok", "; ".join(bad) or ", ".join(words))
    return None


def check_templates(report, program):
    listed = program.call("new", "--list").stdout.split("\n")
    for name in [line.split()[0] for line in listed if line.strip()]:
        weights, problem = changed_weights(program.call, name, program.work, name)
        samples = program.work / f"{name}-samples.safetensors"
        if weights:
            proof, problem = program.export(name, program.work / f"{name}.onnx", "--weights", weights, "--samples", samples)
            weak = proof and depends_on_images(samples)
        if not weights or weak:
            proof, problem = None, weak if weights else problem
        judge(report, "templates", name, proof, problem, opencv_required=True)


def check_random(report, program, count, seed=1):
    from draw import TYPES, draw_network
    for number in range(count):
        r = random.Random(f"{seed}/{number}")
        outputs = r.randint(2, 5)
        draft = draw_network(r, TYPES[number % len(TYPES)], outputs, "CrossEntropy", 0.0, False)
        project = {"format": 1, "network": draft.graph(), "blocks": draft.blocks, "data": {}, "training": {}}
        file = program.work / f"random{number}.netwright"
        file.write_text(json.dumps(project))
        proof, problem = program.export(file, program.work / f"random{number}.onnx")
        judge(report, "random", f"{seed}/{number}", proof, problem, opencv_required=False)


def architectures(names):
    import torch
    import torchvision
    for name in names:
        torch.manual_seed(0)
        size = 224 if name in ("alexnet", "squeezenet1_1", "vgg11", "vgg11_bn") else 96
        options = {"aux_logits": False, "init_weights": False} if name == "googlenet" else {}
        model = getattr(torchvision.models, name)(weights=None, num_classes=5, **options)
        for m in model.modules():  # statistics as after a training
            if isinstance(m, torch.nn.BatchNorm2d):
                m.running_mean.uniform_(-0.1, 0.1)
                m.running_var.uniform_(0.8, 1.2)
                torch.nn.init.uniform_(m.weight, 0.8, 1.2)
                torch.nn.init.uniform_(m.bias, -0.1, 0.1)
        yield name, model.eval(), torch.randn(2, 3, size, size)


def export_by(exporter, model, x, file):
    import contextlib
    import io

    import torch
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        if exporter == "dynamo":
            torch.onnx.export(model, (x,), file, dynamo=True, dynamic_shapes=({0: torch.export.Dim("batch")},), verbose=False)
        else:
            torch.onnx.export(model, (x,), file, dynamo=False, input_names=["input"], dynamic_axes={"input": {0: "batch"}})


def photo_folder(folder, size):
    """Four images in each of five classes, as files that need no library."""
    for c in range(5):
        (folder / f"class{c}").mkdir(parents=True, exist_ok=True)
        for i in range(4):
            pixels = bytes((c * 50 + i + 7 * k) % 256 for k in range(size * size * 3))
            (folder / f"class{c}" / f"{i}.ppm").write_bytes(f"P6 {size} {size} 255\n".encode() + pixels)
    return folder


def check_architectures(report, program, names):
    import torch
    for name, model, x in architectures(names):
        with torch.no_grad():
            wanted = model(x).numpy()
        for exporter in ("dynamo", "legacy"):
            label, file = f"{name} ({exporter})", program.work / f"{name}-{exporter}.onnx"
            try:
                export_by(exporter, model, x, str(file))
            except Exception as e:  # noqa: BLE001 - torch's own failures are of many kinds
                report.add("architectures", label, "skipped", "torch does not export it: " + " ".join(str(e).split())[:100])
                continue
            record = program.verify(file, x.numpy(), wanted)
            if "problem" in record:
                report.add("architectures", label, "skipped", record["problem"][:300])
                continue
            relative = record["max_abs_diff"] / max(abs(wanted).max(), 1e-6)
            if relative > CLOSE:
                report.add("architectures", label, "differs", f"off by {relative:.1e}")
                continue
            report.add("architectures", label, *train_step(program, file, x.shape[2], relative))


def train_step(program, file, size, relative):
    project = file.with_suffix(".netwright")
    done = program.call("import", file, "-o", project, "--force", "--json")
    if done.returncode:
        return "differs", done.stderr.strip()[-300:]
    record = json.loads(done.stdout)
    blocks = len(json.loads(project.read_text())["blocks"])
    data = photo_folder(program.work / f"photos{size}", size)
    run = program.work / "runs" / file.stem
    subprocess.run(["rm", "-rf", str(run)], check=True)
    done = program.call("train", project, "--data", data, "--epochs", 1, "--batch", 8, "--lr", 1e-4, "--run-dir", run, "--quiet",
                        "--probes", 0)
    if done.returncode:
        return "differs", "does not train: " + done.stderr.strip()[-300:]
    folded = f", {record['folded_batch_norms']} batch norms folded" if record["folded_batch_norms"] else ""
    return "ok", f"{relative:.1e}, {record['layers']} layers, {blocks} block definitions{folded}, trains"


def single_node(case):
    """(the operator as a network of one input and a vector as output, inputs, outputs), or why it is none."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    model = onnx.load(str(case / "model.onnx"))
    graph, folder = model.graph, case / "test_data_set_0"
    if len(graph.node) != 1:
        return f"is {len(graph.node)} operators"
    def tensor(path):
        t = TensorProto()
        t.ParseFromString(path.read_bytes())
        return numpy_helper.to_array(t)
    inputs = [tensor(folder / f"input_{i}.pb") for i in range(len(graph.input))]
    wanted = tensor(folder / "output_0.pb")
    if not inputs or inputs[0].dtype != np.float32:
        return "its first input is not float"
    if inputs[0].ndim not in (2, 3, 4):
        return f"its input has {inputs[0].ndim} dimensions"
    if wanted.ndim < 2 or wanted.dtype != np.float32 or wanted.shape[0] != inputs[0].shape[0]:
        return "its output is no batch of numbers"
    if inputs[0].shape[0] < 1 or wanted.size == 0:
        return "it is empty"
    node = graph.node[0]
    for value, array in list(zip(graph.input, inputs))[1:]:
        graph.initializer.append(numpy_helper.from_array(array, value.name))
    while len(graph.input) > 1:
        graph.input.pop()
    x = inputs[0] if inputs[0].ndim == 4 else inputs[0].reshape(inputs[0].shape[0], 1, 1, -1)
    if inputs[0].ndim == 3:  # an image of one channel, which the operator sees without it
        x = inputs[0][:, None]
        graph.initializer.append(numpy_helper.from_array(np.array([0, *inputs[0].shape[1:]], np.int64), "netwright_sizes"))
        graph.node.insert(0, helper.make_node("Reshape", ["netwright_image", "netwright_sizes"], [graph.input[0].name]))
        graph.input[0].CopyFrom(helper.make_tensor_value_info("netwright_image", TensorProto.FLOAT, x.shape))
    graph.node.append(helper.make_node("Flatten", [node.output[0]], ["netwright_flat"], axis=1))
    while graph.output:
        graph.output.pop()
    graph.output.append(helper.make_tensor_value_info("netwright_flat", TensorProto.FLOAT, [wanted.shape[0], int(wanted[0].size)]))
    return model, x, wanted.reshape(wanted.shape[0], -1)


def check_nodes(report, program):
    import onnx
    table = {line.split()[0] for line in program.call("import", "--operators").stdout.splitlines()[1:]}
    for case in sorted(NODE_CASES.iterdir()):
        model = onnx.load(str(case / "model.onnx"))
        if {n.op_type for n in model.graph.node} - table or any(n.domain not in ("", "ai.onnx") for n in model.graph.node):
            continue
        made = single_node(case)
        if isinstance(made, str):
            report.add("nodes", case.name, "skipped", made)
            continue
        model, x, wanted = made
        file = program.work / "node.onnx"
        onnx.save(model, str(file))
        record = program.verify(file, x, wanted)
        if "problem" in record:
            report.add("nodes", case.name, "skipped", record["problem"].split(": ", 1)[-1][:200])
        elif record["max_abs_diff"] > CLOSE * max(abs(wanted).max(), 1.0):
            report.add("nodes", case.name, "differs", f"off by {record['max_abs_diff']:.1e}")
        else:
            report.add("nodes", case.name, "ok", f"{record['max_abs_diff']:.1e}")


def check_light(report, program):
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, numpy_helper
    folder = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
    for file in sorted(folder.glob("*.onnx")):
        session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        given = session.get_inputs()[0]
        shape = [d if isinstance(d, int) else 1 for d in given.shape]
        x = np.random.default_rng(0).random(shape, np.float32)
        wanted = session.run(None, {given.name: x})[0]
        wanted = wanted.reshape(shape[0], -1)
        record = program.verify(file, x, wanted)
        if "problem" in record:
            report.add("light", file.stem, "skipped", record["problem"][:300])
            continue
        # A Softmax at the end is left to the loss; its file's outputs are then the softmax of ours.
        relative = record["max_abs_diff"] / max(abs(wanted).max(), 1e-6)
        report.add("light", file.stem, "ok" if relative <= CLOSE else "differs", f"{relative:.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--cli", required=True)
    parser.add_argument("--random", type=int, default=200)
    parser.add_argument("--names", default=",".join(ARCHITECTURES), help="architectures, separated by commas")
    parser.add_argument("--work", type=Path)
    o = parser.parse_args()
    parts = o.parts or ["templates", "random", "architectures", "nodes", "light"]
    needs = {"templates": ["numpy", "onnx", "onnxruntime", "safetensors"], "random": ["numpy", "onnx", "onnxruntime"],
             "architectures": ["numpy", "torch", "torchvision", "onnx"], "nodes": ["numpy", "onnx"],
             "light": ["numpy", "onnx", "onnxruntime"]}
    report, ran = Report(), False
    with tempfile.TemporaryDirectory() as scratch:
        program = Program(str(Path(o.cli).resolve()), o.work or Path(scratch))
        program.work.mkdir(parents=True, exist_ok=True)
        for part in parts:
            lacking = missing(*needs[part])
            if lacking or (part == "nodes" and not NODE_CASES.is_dir()):
                print(f"{part}: skipped: {lacking or 'libonnx-testdata'} is not installed")
                continue
            ran = True
            {"templates": lambda: check_templates(report, program),
             "random": lambda: check_random(report, program, o.random),
             "architectures": lambda: check_architectures(report, program, o.names.split(",")),
             "nodes": lambda: check_nodes(report, program), "light": lambda: check_light(report, program)}[part]()
    report.summary()
    return 1 if report.failed else 0 if ran else 77


if __name__ == "__main__":
    sys.exit(main())

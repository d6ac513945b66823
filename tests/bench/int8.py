#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a run in fp32 and in 8 bits, here, in onnxruntime and in PyTorch: accuracy, size, latency. Needs numpy, onnxruntime and torch.

    python3 tests/bench/int8.py lenet5 vgg13-cifar resnet18-cifar [--runs FOLDER] [--epochs N] [--threads 2] [--seconds 1]

A template's run is FOLDER/TEMPLATE; it is trained with seed 1 if it is not there. Latencies are medians over calls with normalized images in
memory; the programs take turns, --rounds times, and the median over the rounds counts. PyTorch quantizes in FX graph mode (x86 engine), calibrated on
the same images as onnxruntime's file, and is compiled by torch.jit. Prints one Markdown row for each network and batch, and one of accuracy and size.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BATCHES = (1, 8, 64)


def call(cli, *words):
    done = subprocess.run([cli, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr[-2000:]}")
    return done.stdout


def median_ms(run, seconds):
    run()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        begin = time.perf_counter()
        run()
        times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times)


def ours(cli, run, batch, a):
    words = ("infer-bench", run, "--devices", f"cpu@{a.threads}", "--batches", batch, "--seconds", a.seconds, "--json")
    return json.loads(call(cli, *words).splitlines()[0])["latency_ms"]


def onnx_runner(path, images, threads):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda: session.run(None, {name: images})


def torch_network(cli, run, folder):
    """The network as PyTorch source with its weights, as `export --pytorch` writes it."""
    import importlib.util
    call(cli, "export", run, "--pytorch", folder / "network.py", "--force")
    spec = importlib.util.spec_from_file_location("network", folder / "network.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    import torch
    from safetensors.torch import load_file
    cls = next(v for k, v in vars(module).items() if isinstance(v, type) and issubclass(v, torch.nn.Module) and v.__module__ == "network" and k == module_name(module))
    network = cls()
    network.load_state_dict(load_file(next(folder.glob("network*.safetensors"))))
    return network.eval()


def module_name(module):
    """The last class of the file is the network; blocks come before it."""
    import torch
    return [k for k, v in vars(module).items() if isinstance(v, type) and issubclass(v, torch.nn.Module) and v.__module__ == "network"][-1]


def torch_int8(network, images):
    import torch
    from torch.ao.quantization import get_default_qconfig_mapping, quantize_fx
    torch.backends.quantized.engine = "x86"
    prepared = quantize_fx.prepare_fx(network, get_default_qconfig_mapping("x86"), (images[:1],))
    with torch.no_grad():
        prepared(images)
        return torch.jit.freeze(torch.jit.trace(quantize_fx.convert_fx(prepared), images[:1]).eval())


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("templates", nargs="+")
    ap.add_argument("--cli", default=TOP / "build/release/bin/netwright-cli")
    ap.add_argument("--runs", default=None)
    ap.add_argument("--epochs", type=int, default=0, help="0: as the template says")
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--seconds", type=float, default=1)
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--no-torch", action="store_true")
    a = ap.parse_args()
    warnings.filterwarnings("ignore")
    os.environ["OMP_NUM_THREADS"] = str(a.threads)
    os.environ.setdefault("NETWRIGHT_PYTHON", sys.executable)  # proves the ONNX files
    import numpy as np
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        runs = Path(a.runs) if a.runs else folder
        for name in a.templates:
            run, small = runs / name, folder / (name + "-int8")
            if not (run / "run.json").exists():
                call(a.cli, "train", name, "--seed", 1, "--run-dir", run, "--quiet", *(("--epochs", a.epochs) if a.epochs else ()))
            made = json.loads(call(a.cli, "compress", run, "--int8", "--run-dir", small, "--seconds", 0, "--json"))
            for precision in ("fp32", "int8"):
                call(a.cli, "export", run, "--onnx", folder / f"{precision}.onnx", "--precision", precision, "--no-preprocessing", "--force")
            c, b, s = made["changes"], made["bytes"], made["accuracy"]
            print(f"{name}: {100 * s['before']:.2f} % -> {100 * s['after']:.2f} % ({100 * c['change']:+.2f} points, 95 % {100 * c['change_interval'][0]:+.2f} to "
                  f"{100 * c['change_interval'][1]:+.2f}, McNemar p {c['mcnemar_p']:.2g}, {len(c['flips'])} flips), size {b['after'] / b['before']:.3f}x, {made['instruction_set']}")
            shape = (3, 32, 32) if "cifar" in name or "convnet" in name or "mobilenet-small" in name else (1, 28, 28)
            rng = np.random.default_rng(1)
            runners = {}
            for batch in BATCHES:
                images = rng.standard_normal((batch, *shape)).astype(np.float32)
                runners[batch] = {"onnxruntime fp32": onnx_runner(folder / "fp32.onnx", images, a.threads),
                                  "onnxruntime int8": onnx_runner(folder / "int8.onnx", images, a.threads)}
                if not a.no_torch:
                    import torch
                    torch.set_num_threads(a.threads)
                    tensor, network = torch.from_numpy(images), torch_network(a.cli, run, folder)
                    frozen = torch.jit.freeze(torch.jit.trace(network, tensor[:1]).eval())
                    whole = torch_int8(network, tensor)
                    runners[batch]["PyTorch fp32"] = lambda f=frozen, t=tensor: f(t)
                    runners[batch]["PyTorch int8"] = lambda f=whole, t=tensor: f(t)
            print("| network | batch | fp32 ms | int8 ms | times as fast | onnxruntime fp32 | int8 | PyTorch fp32 | int8 |\n|---|---|---|---|---|---|---|---|---|")
            for batch in BATCHES:
                times = {}
                for _ in range(a.rounds):
                    times.setdefault("fp32", []).append(ours(a.cli, run, batch, a))
                    times.setdefault("int8", []).append(ours(a.cli, small, batch, a))
                    for who, runner in runners[batch].items():
                        times.setdefault(who, []).append(median_ms(runner, a.seconds))
                m = {k: statistics.median(v) for k, v in times.items()}
                peers = " | ".join(f"{m[k]:.3f}" if k in m else "-" for k in ("onnxruntime fp32", "onnxruntime int8", "PyTorch fp32", "PyTorch int8"))
                print(f"| {name} | {batch} | {m['fp32']:.3f} | {m['int8']:.3f} | {m['fp32'] / m['int8']:.2f} | {peers} |", flush=True)


if __name__ == "__main__":
    main()

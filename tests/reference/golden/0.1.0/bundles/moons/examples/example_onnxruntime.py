"""Computes the golden samples with onnxruntime and compares: python3 examples/example_onnxruntime.py."""
import json
import pathlib
import sys

import numpy as np
import onnxruntime

here = pathlib.Path(__file__).resolve().parent.parent


def tensors(path):
    """The float tensors of a safetensors file."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    begin = 8 + length

    def tensor(t):
        first, end = t["data_offsets"]
        return np.frombuffer(data[begin + first:begin + end], np.float32).reshape(t["shape"])

    return {name: tensor(t) for name, t in header.items() if name != "__metadata__"}


golden = tensors(here / "golden.safetensors")
session = onnxruntime.InferenceSession(str(here / "model.onnx"), providers=["CPUExecutionProvider"])
scores = session.run(None, {session.get_inputs()[0].name: golden["inputs"]})[0]
difference = float(np.abs(scores.reshape(golden["scores"].shape) - golden["scores"]).max())
print("largest difference", difference)
sys.exit(0 if difference <= 1e-3 * max(1.0, float(np.abs(golden["scores"]).max())) else 1)

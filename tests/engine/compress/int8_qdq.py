# SPDX-License-Identifier: Apache-2.0
"""Computes an 8-bit network as ONNX with QuantizeLinear and DequantizeLinear, in onnxruntime.

    int8_qdq.py TENSORS.safetensors SAMPLES.safetensors LAYER...

LAYER: conv:NAME:OUTPUT:PADDING, linear:NAME:OUTPUT, pool:SIZE or flatten; OUTPUT is the layer whose scale its output has, "" for real scores.
SAMPLES: "images" (N,C,H,W) and "scores" (N,outputs). Prints as JSON how many scores differ, and by how many steps of the last scale at most.
"""
import json
import struct
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

TYPES = {"I8": np.int8, "U8": np.uint8, "I32": np.int32, "F32": np.float32}


def tensors_of(path):
    data = open(path, "rb").read()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    body = data[8 + length:]
    return {k: np.frombuffer(body[v["data_offsets"][0]:v["data_offsets"][1]], TYPES[v["dtype"]]).reshape(v["shape"]) for k, v in header.items()}


class Writer:
    def __init__(self, tensors):
        self.tensors, self.nodes, self.constants, self.count = tensors, [], [], 0

    def constant(self, value):
        self.count += 1
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), f"c{self.count}"))
        return f"c{self.count}"

    def add(self, op, inputs, **attributes):
        self.count += 1
        self.nodes.append(helper.make_node(op, inputs, [f"v{self.count}"], **attributes))
        return f"v{self.count}"

    def rounded(self, value, layer):
        """The value in the whole numbers of a layer, and back."""
        scale, zero = self.constant(self.tensors[layer + ".scale"]), self.constant(self.tensors[layer + ".zero"])
        self.scale = self.tensors[layer + ".scale"]
        return self.add("DequantizeLinear", [self.add("QuantizeLinear", [value, scale, zero]), scale, zero])

    def product(self, op, value, name, output, **attributes):
        scales = self.tensors[name + ".weight_scale"]
        weight = self.add("DequantizeLinear", [self.constant(self.tensors[name + ".weight"]), self.constant(scales), self.constant(np.zeros(len(scales), np.int8))], axis=0)
        bias_scale = self.constant((self.scale * scales).astype(np.float32))
        bias = self.add("DequantizeLinear", [self.constant(self.tensors[name + ".bias"]), bias_scale, self.constant(np.zeros(len(scales), np.int32))], axis=0)
        value = self.add(op, [value, weight, bias], **attributes)
        return self.rounded(self.add("Relu", [value]), output) if output else value


def main():
    tensors, samples = tensors_of(sys.argv[1]), tensors_of(sys.argv[2])
    w = Writer(tensors)
    value = w.rounded("images", "images")
    for layer in sys.argv[3:]:
        kind, *words = layer.split(":")
        if kind == "conv":
            value = w.product("Conv", value, words[0], words[1], pads=[int(words[2])] * 4)
        elif kind == "linear":
            value = w.product("Gemm", value, words[0], words[1], transB=1)
        elif kind == "pool":
            value = w.add("MaxPool", [value], kernel_shape=[int(words[0])] * 2, strides=[int(words[0])] * 2)
        else:
            value = w.add("Flatten", [value])
    images, scores = samples["images"], samples["scores"]
    graph = helper.make_graph(w.nodes, "int8", [helper.make_tensor_value_info("images", TensorProto.FLOAT, ["n", *images.shape[1:]])],
                              [helper.make_tensor_value_info(value, TensorProto.FLOAT, ["n", scores.shape[1]])], w.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    made = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, {"images": images})[0]
    steps = np.abs(np.rint(made / w.scale) - np.rint(scores / w.scale))
    print(json.dumps({"scores": int(steps.size), "differing": int((steps > 0).sum()), "max_steps": int(steps.max()), "nonzero": int((made != 0).sum())}))


if __name__ == "__main__":
    main()

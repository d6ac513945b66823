# SPDX-License-Identifier: Apache-2.0
"""The network of a project in PyTorch, with weights of a checkpoint, in a chosen precision."""
import json

import torch
import torch.nn.functional as F

from layers import DEFAULTS, apply
from network import read_network

BUFFERS = ("running_mean", "running_var", "num_batches_tracked")
NORMS = ("BatchNorm2d", "ClassToken", "GroupNorm", "InstanceNorm2d", "LayerNorm", "LayerNorm2d", "LayerScale", "PReLU",
         "PositionalEmbedding")  # their weights decay only if biases do
LOSSES = ("CrossEntropy", "BCE", "BCEWithLogits", "MSE")
TYPES = {"F32": torch.float32, "I64": torch.int64, "F64": torch.float64}


def read_safetensors(file):
    """{name: tensor}: eight bytes of length, a JSON header, the bytes of the tensors."""
    raw = file.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    header, body = json.loads(raw[8:8 + length]), raw[8 + length:]
    tensors = {}
    for name, about in header.items():
        if name != "__metadata__":
            begin, end = about["data_offsets"]
            flat = torch.frombuffer(bytearray(body[begin:end]), dtype=TYPES[about["dtype"]])
            tensors[name] = flat.reshape(about["shape"])
    return tensors


class Twin:
    def __init__(self, project, weights, dtype):
        self.dtype = dtype
        self.layers = read_network(project)
        self.loss = next(layer for layer in self.layers if layer.kind in LOSSES)
        self.weights = {name: t.clone().to(dtype if t.is_floating_point() else t.dtype) for name, t in weights.items()}
        self.owner = {name: self.layer_of(name) for name in weights}
        for name, t in self.weights.items():
            t.requires_grad_(self.learned(name))

    def layer_of(self, weight):
        """A weight is named after its layer: "conv1.weight", "attention1.out_proj.weight", "token1"."""
        fitting = [layer for layer in self.layers if f"{weight}.".startswith(f"{layer.name}.")]
        return max(fitting, key=lambda layer: len(layer.name))

    def own_weights(self, layer):
        """By their names without the layer's."""
        return {n[len(layer.name) + 1:]: t for n, t in self.weights.items() if self.owner[n] is layer}

    def learned(self, name):
        return name.rpartition(".")[2] not in BUFFERS and not self.owner[name].frozen

    def decays(self, name, bias_and_norm):
        return bias_and_norm or not (name.endswith("bias") or self.owner[name].kind in NORMS)

    def restart_statistics(self):
        """Batch norms as before the first step."""
        for name, t in self.weights.items():
            if name.rpartition(".")[2] in BUFFERS:
                t.fill_(1 if name.endswith("running_var") else 0)

    def scores(self, images, training):
        """The input of the loss."""
        made, x = {}, torch.as_tensor(images, dtype=self.dtype)
        for layer in self.layers:
            if layer.kind == "Input":
                made[layer] = x
            elif layer is not self.loss:
                trains = training and not (layer.frozen and not made[layer.inputs[0]].requires_grad)
                made[layer] = apply(layer.kind, [made[i] for i in layer.inputs], layer.attrs, self.own_weights(layer), trains)
        return made[self.loss.inputs[0]]

    def loss_of(self, scores, targets, smoothing=None):
        kind = self.loss.kind
        if kind == "CrossEntropy":
            own = {**DEFAULTS[kind], **self.loss.attrs}["label_smoothing"] if smoothing is None else smoothing
            return F.cross_entropy(scores, torch.as_tensor(targets), label_smoothing=own)
        wanted = torch.as_tensor(targets, dtype=self.dtype).reshape(scores.shape)
        if kind == "BCE":
            return F.binary_cross_entropy(scores, wanted)
        return F.mse_loss(scores, wanted) if kind == "MSE" else F.binary_cross_entropy_with_logits(scores, wanted)

    def answers(self, scores):
        """Probabilities, of both classes if there is one output for two, or the numbers themselves."""
        if self.loss.kind == "CrossEntropy":
            return F.softmax(scores, 1)
        if self.loss.kind == "BCE":
            return torch.cat([1 - scores, scores], 1)
        return torch.sigmoid(scores) if self.loss.kind == "BCEWithLogits" else scores

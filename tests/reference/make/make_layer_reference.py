#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes layers.json, which tests/engine/layers/torch_layers_test.cpp compares with: one training step through one layer.

    python tests/reference/make/make_layer_reference.py      # needs torch; writes tests/reference/layers.json

Each layer is tested in the network  images (4,3,6,5) -> before: Conv2d 3 -> 4, 1x1 -> the layer -> flatten -> last: Linear -> 3
scores -> mean squared error. With u(name, i) of make_reference.py, computed in double and rounded to float32 once:

    image element, target     2 u("images", i) - 1, u("targets", i)
    bias                      (2 u - 1) / 10
    weight of rank 1 or 3, or of a norm     3/4 + u / 2
    other weights             (2 u - 1) / sqrt(elements of one output)

Stored for each layer: the loss and, for each parameter, the values that make_reference.py stores, all from float64.
"""
import json
import math
import pathlib

import torch
import torch.nn as nn
import torch.nn.functional as F
from make_reference import u

BATCH, SHAPE, SAMPLES = 4, (3, 6, 5), 24


class Gate(nn.Module):
    """Squeeze and excitation: a scale for each channel, computed from the channel means."""
    def __init__(self):
        super().__init__()
        self.gate = nn.Conv2d(4, 4, 1)

    def forward(self, x):
        return x * torch.sigmoid(self.gate(x.mean((2, 3), keepdim=True)))


class Spread(nn.Module):
    """A sum with one number for each channel."""
    def forward(self, x):
        return x + x.mean((2, 3), keepdim=True)


class Calls(nn.Module):
    """A function without weights."""
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


class Own(nn.Module):
    """A parameter that has the layer's own name: LayerScale, ClassToken, PositionalEmbedding."""
    def __init__(self, shape, function):
        super().__init__()
        self.own, self.function = nn.Parameter(torch.zeros(shape)), function

    def forward(self, x):
        return self.function(x, self.own)


class Bent(nn.Module):
    """A module after a leaky ReLU, without which a norm would cancel the bias before it."""
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(F.leaky_relu(x, 0.1))


class LastChannels(nn.Module):
    """A module whose features are innermost, called with features first."""
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.module = nn.MultiheadAttention(4, 2, batch_first=True)

    def forward(self, x):
        tokens = x.flatten(2).transpose(1, 2)
        return self.module(tokens, tokens, tokens, need_weights=False)[0].transpose(1, 2).reshape(x.shape)


class Patches(nn.Module):
    def __init__(self):
        super().__init__()
        self.module = nn.Conv2d(4, 5, 3, 3)

    def forward(self, x):
        return self.module(F.pad(x, (0, 1))).flatten(2)


def with_token(x, token):
    tokens = x.flatten(2).transpose(1, 2)
    return torch.cat([token.expand(len(x), -1, -1), tokens], 1).transpose(1, 2)


GATE = "pool: GlobalAvgPool2d; layer.gate: Conv2d out_channels=4 kernel_size=1; sigmoid: Sigmoid; layer: Multiply <- before, sigmoid"
LAYERS = [
    ("layer: LayerNorm", lambda: nn.LayerNorm([4, 6, 5])),
    ("layer: GroupNorm num_groups=2", lambda: nn.GroupNorm(2, 4)),
    ("layer: ELU alpha=0.7", lambda: nn.ELU(0.7)),
    ("layer: PReLU", lambda: nn.PReLU()),
    ("layer: PReLU num_parameters=channels", lambda: nn.PReLU(4)),
    ("layer: Hardswish", nn.Hardswish),
    ("layer: Mish", nn.Mish),
    ("layer: Softplus", nn.Softplus),
    ("layer: Softplus beta=2 threshold=1.5", lambda: nn.Softplus(2, 1.5)),
    ("layer: SELU", nn.SELU),
    ("layer: ReLU6", nn.ReLU6),
    ("layer: Hardsigmoid", nn.Hardsigmoid),
    ("layer: ReLU", nn.ReLU),
    ("layer: LeakyReLU negative_slope=0.2", lambda: nn.LeakyReLU(0.2)),
    ("layer: Sigmoid", nn.Sigmoid),
    ("layer: Tanh", nn.Tanh),
    ("layer: GELU", nn.GELU),
    ("layer: GELU approximate=tanh", lambda: nn.GELU("tanh")),
    ("layer: SiLU", nn.SiLU),
    ("layer: Softmax", lambda: nn.Softmax(1)),
    ("layer: AvgPool2d kernel_size=3 stride=2 padding=1", lambda: nn.AvgPool2d(3, 2, 1)),
    (GATE, Gate),
    ("layer: AdaptiveAvgPool2d output_size=4x3", lambda: nn.AdaptiveAvgPool2d((4, 3))),
    ("layer: AdaptiveAvgPool2d output_size=7", lambda: nn.AdaptiveAvgPool2d(7)),
    ("layer: ZeroPad2d padding_left=1 padding_right=2 padding_top=0 padding_bottom=3", lambda: nn.ZeroPad2d((1, 2, 0, 3))),
    ("layer: Upsample scale_factor=2x3", lambda: nn.Upsample(scale_factor=(2, 3))),
    ("layer: Upsample scale_factor=2x3 mode=bilinear", lambda: nn.Upsample(scale_factor=(2, 3), mode="bilinear", align_corners=False)),
    ("layer: ConvTranspose2d out_channels=6 kernel_size=3x2 stride=2x1 padding=1x0 output_padding=1x0 groups=2",
     lambda: nn.ConvTranspose2d(4, 6, (3, 2), (2, 1), (1, 0), (1, 0), 2)),
    ("layer: ConvTranspose2d out_channels=3 kernel_size=3 stride=2 padding=3 output_padding=1 dilation=2 bias=false",
     lambda: nn.ConvTranspose2d(4, 3, 3, 2, 3, 1, 1, False, 2)),
    ("layer: Hardtanh min_val=-0.3 max_val=0.4", lambda: nn.Hardtanh(-0.3, 0.4)),
    ("layer: GlobalMaxPool2d", lambda: nn.AdaptiveMaxPool2d(1)),
    ("layer: LocalResponseNorm size=3 alpha=0.5", lambda: nn.LocalResponseNorm(3, 0.5)),
    ("layer: LocalResponseNorm size=2 alpha=0.9 beta=0.5 k=2", lambda: nn.LocalResponseNorm(2, 0.9, 0.5, 2)),
    ("layer: ChannelShuffle groups=2", lambda: nn.ChannelShuffle(2)),
    ("bend: LeakyReLU negative_slope=0.1; layer: InstanceNorm2d", lambda: Bent(nn.InstanceNorm2d(4))),
    ("bend: LeakyReLU negative_slope=0.1; layer: InstanceNorm2d affine=true", lambda: Bent(nn.InstanceNorm2d(4, affine=True))),
    ("layer: LayerNorm2d", lambda: LastChannels(nn.LayerNorm(4, eps=1e-6))),
    ("pool: GlobalAvgPool2d; layer: Add <- before, pool", Spread),
    ("layer: Slice start=1 end=3", lambda: Calls(lambda x: x[:, 1:3])),
    ("layer: Slice dim=rows start=2", lambda: Calls(lambda x: x[:, :, 2:])),
    ("layer: Slice dim=columns start=1 end=4", lambda: Calls(lambda x: x[..., 1:4])),
    ("layer: Reshape channels=6 height=-1 width=2", lambda: Calls(lambda x: x.reshape(len(x), 6, -1, 2))),
    ("layer: Transpose dim0=1 dim1=3", lambda: Calls(lambda x: x.transpose(1, 3))),
    ("layer: LayerScale", lambda: Own((4, 1, 1), lambda x, w: x * w)),
    ("layer: ChannelLinear out_features=5", lambda: LastChannels(nn.Linear(4, 5))),
    ("pad: ZeroPad2d padding_left=0 padding_right=1 padding_top=0 padding_bottom=0; "
     "layer: PatchEmbedding embed_dim=5 patch_size=3", Patches),
    ("layer: ClassToken", lambda: Own((1, 1, 4), with_token)),
    ("layer: PositionalEmbedding",
     lambda: Own((1, 30, 4), lambda x, w: x + w.transpose(1, 2).reshape(1, *x.shape[1:]))),
    ("layer: MultiheadAttention num_heads=2", Attention),
    ('layer: Formula expression="x * sigmoid(a * x)" a=1.5', lambda: Calls(lambda x: x * torch.sigmoid(1.5 * x))),
    ('layer: Formula expression="where(x > 0, x, 0.3 * sin(x)) + log(1 + x^2) * erf(b * x)" b=0.7',
     lambda: Calls(lambda x: torch.where(x > 0, x, 0.3 * torch.sin(x)) + torch.log(1 + x ** 2) * torch.erf(0.7 * x))),
    ('pool: Tanh; layer: Formula expression="x / (1 + exp(-y)) - pow(abs(y) + 1, 1.5)" <- before, pool',
     lambda: Calls(lambda x: x / (1 + torch.exp(-torch.tanh(x))) - (torch.tanh(x).abs() + 1) ** 1.5)),
]


class Net(nn.Module):
    def __init__(self, build):
        super().__init__()
        self.before, self.layer = nn.Conv2d(SHAPE[0], 4, 1), build()
        self.last = nn.Linear(self.layer(self.before(torch.zeros(1, *SHAPE))).numel(), 3)

    def forward(self, x):
        return self.last(self.layer(self.before(x)).flatten(1))


def named(model):
    """Parameters by the names that they have here."""
    return [(name.replace(".own", ".").replace(".module.", "."), p) for name, p in model.named_parameters()]


def fill(model):
    modules = dict(model.named_modules())
    for name, p in named(model):
        module, values = modules.get(name.rpartition(".")[0]), u(name, p.numel())
        if name.endswith("bias"):
            values = (2 * values - 1) / 10
        elif p.dim() in (1, 3) or isinstance(module, nn.LayerNorm):
            values = 0.75 + values / 2
        else:
            values = (2 * values - 1) / math.sqrt(p[0].numel())
        p.data.copy_(values.float().reshape(p.shape))


def step(build):
    model = Net(build).double().train()
    fill(model)
    x = (2 * u("images", BATCH * math.prod(SHAPE)) - 1).float().double().reshape(BATCH, *SHAPE)
    targets = u("targets", BATCH * 3).float().double().reshape(BATCH, 3)
    loss = F.mse_loss(model(x), targets)
    loss.backward()
    grads = {}
    for name, p in named(model):
        g = p.grad.flatten()
        count = min(SAMPLES, g.numel())
        grads[name] = {"norm": float(g.norm()), "samples": [float(f"{float(g[k * g.numel() // count]):.8g}") for k in range(count)],
                       "projection": float(g @ (2 * u(name + "/projection", g.numel()) - 1))}
    return {"loss": loss.item(), "gradients": grads}


def main():
    layers = [{"net": net, **step(build)} for net, build in LAYERS]
    made = {"made_with": f"PyTorch {torch.__version__.split('+')[0]}", "layers": layers}
    (pathlib.Path(__file__).resolve().parents[1] / "layers.json").write_text(json.dumps(made, separators=(",", ":")) + "\n")
    for layer in layers:
        print(layer["net"], layer["loss"])


if __name__ == "__main__":
    main()

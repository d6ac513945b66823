// SPDX-License-Identifier: Apache-2.0
// Layers as modules of PyTorch. Sources of names and arguments: https://pytorch.org/docs/stable/nn.html.
#include <fmt/format.h>

#include "engine/exchange/source/formula_source.hpp"
#include "engine/exchange/source/python_text.hpp"

namespace nw::exchange {
namespace {

std::string whole(const FlatLayer& l, const char* name) { return python_number(l.attrs.integer(name)); }
std::string real(const FlatLayer& l, const char* name) { return python_number(l.attrs.real(name)); }
std::string pair(const FlatLayer& l, const char* name) { return python_pair(l.attrs.pair(name)); }
std::string flag(const FlatLayer& l, const char* name) { return python_bool(l.attrs.boolean(name)); }
std::string channels(const FlatLayer& l) { return python_number(l.input_shapes[0][1]); }
bool is_image(const FlatLayer& l) { return l.input_shapes[0].rank() == 4; }

/// Of one sample: "(16, 5, 5)", or "120" for a vector.
std::string sizes(const Shape& s) { return s.rank() == 4 ? python_tuple({s[1], s[2], s[3]}) : python_number(s[1]); }

LayerSource convolution(const FlatLayer& l, const char* maker) {
  return made_by(maker)
      .arg("in_channels", channels(l))
      .arg("out_channels", whole(l, "out_channels"))
      .option("kernel_size", pair(l, "kernel_size"))
      .option("stride", pair(l, "stride"), "1")
      .option("padding", pair(l, "padding"), "0")
      .option("dilation", pair(l, "dilation"), "1")
      .option("groups", whole(l, "groups"), "1")
      .option("bias", flag(l, "bias"), "True");
}

LayerSource linear(const FlatLayer& l, LayerSource made) {
  return made.arg("in_features", channels(l))
      .arg("out_features", whole(l, "out_features"))
      .option("bias", flag(l, "bias"), "True");
}

LayerSource window(const FlatLayer& l, const char* maker) {
  return made_by(maker)
      .arg("kernel_size", pair(l, "kernel_size"))
      .option("stride", pair(l, "stride"), pair(l, "kernel_size"))
      .option("padding", pair(l, "padding"), "0");
}

LayerSource scaled_norm(const FlatLayer& l, LayerSource made, const char* affine, const char* otherwise,
                        const char* eps = "1e-05") {
  return made.option("eps", real(l, "eps"), eps).option(affine, flag(l, affine), otherwise);
}

template <const char* Maker>
LayerSource plain(const FlatLayer&) {
  return made_by(Maker);
}
constexpr char relu[] = "nn.ReLU", relu6[] = "nn.ReLU6", selu[] = "nn.SELU", sigmoid[] = "nn.Sigmoid",
               tanh_[] = "nn.Tanh", silu[] = "nn.SiLU", mish[] = "nn.Mish", hardswish[] = "nn.Hardswish",
               hardsigmoid[] = "nn.Hardsigmoid", flatten[] = "nn.Flatten";

LayerSource local_response_norm(const FlatLayer& l) {
  return (is_image(l) ? made_by("nn.LocalResponseNorm") : own_class("VectorResponseNorm"))
      .arg("size", whole(l, "size"))
      .option("alpha", real(l, "alpha"), "0.0001")
      .option("beta", real(l, "beta"), "0.75")
      .option("k", real(l, "k"), "1.0");
}

LayerSource layer_scale(const FlatLayer& l) {
  LayerSource made = own_class("scale_parameter");
  made.parameter = true;
  return made
      .arg("shape", is_image(l) ? python_tuple({l.input_shapes[0][1], 1, 1}) : python_tuple({l.input_shapes[0][1]}))
      .option("value", real(l, "init_value"))
      .applied("{0} * {self}");
}

LayerSource tokens(const FlatLayer& l, std::int64_t count, const char* function) {
  LayerSource made = own_class("token_parameter");
  made.parameter = true;
  return made.arg("tokens", python_number(count))
      .arg("features", channels(l))
      .applied(std::string(function) + "({0}, {self})")
      .needs(function);
}

LayerSource stochastic_depth(const FlatLayer& l) {
  const double p = l.attrs.real("p") * static_cast<double>(l.attrs.integer("layer")) /
                   static_cast<double>(l.attrs.integer("layers"));
  return own_class("StochasticDepth").arg("p", python_number(p));
}

LayerSource slice(const FlatLayer& l) {
  const std::string dim = l.attrs.choice("dim");
  const int at = dim == "channels" ? 1 : dim == "rows" ? 2 : 3;
  const std::int64_t end = l.attrs.integer("end");
  return own_class("Slice")
      .option("dim", python_number(std::int64_t{at}))
      .option("start", whole(l, "start"))
      .option("end", end < 0 ? "None" : python_number(end));
}

LayerSource upsample(const FlatLayer& l) {
  const auto [h, w] = l.attrs.pair("scale_factor");
  return made_by("nn.Upsample")
      .option("scale_factor", python_pair({h, w}))
      .option("mode", python_string(l.attrs.choice("mode")), "\"nearest\"");
}

LayerSource zero_pad(const FlatLayer& l) {
  const auto side = [&](const char* name) { return l.attrs.integer(name); };
  return made_by("nn.ZeroPad2d")
      .arg("padding",
           python_tuple({side("padding_left"), side("padding_right"), side("padding_top"), side("padding_bottom")}));
}

// One row a layer type: its name here, and how it is made.
const LayerRecord table[] = {
    {"Conv2d", [](const FlatLayer& l) { return convolution(l, "nn.Conv2d"); }},
    {"ConvTranspose2d",
     [](const FlatLayer& l) {
       return convolution(l, "nn.ConvTranspose2d").option("output_padding", pair(l, "output_padding"), "0");
     }},
    {"Linear", [](const FlatLayer& l) { return linear(l, made_by("nn.Linear")); }},
    {"ChannelLinear", [](const FlatLayer& l) { return linear(l, own_class("ChannelLinear")); }},
    {"PatchEmbedding",
     [](const FlatLayer& l) {
       return own_class("PatchEmbedding")
           .arg("in_channels", channels(l))
           .arg("embed_dim", whole(l, "embed_dim"))
           .arg("patch_size", whole(l, "patch_size"))
           .option("bias", flag(l, "bias"), "True");
     }},
    {"MultiheadAttention",
     [](const FlatLayer& l) {
       return own_class("TokenAttention")
           .arg("features", channels(l))
           .arg("num_heads", whole(l, "num_heads"))
           .option("bias", flag(l, "bias"), "True");
     }},
    {"ClassToken", [](const FlatLayer& l) { return tokens(l, 1, "prepend_token"); }},
    {"PositionalEmbedding",
     [](const FlatLayer& l) { return tokens(l, l.input_shapes[0][2] * l.input_shapes[0][3], "add_to_tokens"); }},
    {"LayerScale", layer_scale},
    {"MaxPool2d", [](const FlatLayer& l) { return window(l, "nn.MaxPool2d"); }},
    {"AvgPool2d",
     [](const FlatLayer& l) {
       return window(l, "nn.AvgPool2d").option("count_include_pad", flag(l, "count_include_pad"), "True");
     }},
    {"AdaptiveAvgPool2d",
     [](const FlatLayer& l) { return made_by("nn.AdaptiveAvgPool2d").arg("output_size", pair(l, "output_size")); }},
    {"GlobalAvgPool2d", [](const FlatLayer&) { return made_by("nn.AdaptiveAvgPool2d").arg("output_size", "1"); }},
    {"GlobalMaxPool2d", [](const FlatLayer&) { return made_by("nn.AdaptiveMaxPool2d").arg("output_size", "1"); }},
    {"BatchNorm2d",
     [](const FlatLayer& l) {
       return made_by("nn.BatchNorm2d")
           .arg("num_features", channels(l))
           .option("eps", real(l, "eps"), "1e-05")
           .option("momentum", real(l, "momentum"), "0.1");
     }},
    {"GroupNorm",
     [](const FlatLayer& l) {
       return scaled_norm(
           l, made_by("nn.GroupNorm").arg("num_groups", whole(l, "num_groups")).arg("channels", channels(l)), "affine",
           "True");
     }},
    {"InstanceNorm2d",
     [](const FlatLayer& l) {
       return scaled_norm(l, made_by("nn.InstanceNorm2d").arg("num_features", channels(l)), "affine", "False");
     }},
    {"LayerNorm",
     [](const FlatLayer& l) {
       return scaled_norm(l, made_by("nn.LayerNorm").arg("normalized_shape", sizes(l.input_shapes[0])),
                          "elementwise_affine", "True");
     }},
    {"LayerNorm2d",
     [](const FlatLayer& l) {
       return scaled_norm(l, own_class("LayerNorm2d").arg("channels", channels(l)), "elementwise_affine", "True", "");
     }},
    {"LocalResponseNorm", local_response_norm},
    {"ReLU", plain<relu>},
    {"ReLU6", plain<relu6>},
    {"SELU", plain<selu>},
    {"Sigmoid", plain<sigmoid>},
    {"Tanh", plain<tanh_>},
    {"SiLU", plain<silu>},
    {"Mish", plain<mish>},
    {"Hardswish", plain<hardswish>},
    {"Hardsigmoid", plain<hardsigmoid>},
    {"ELU", [](const FlatLayer& l) { return made_by("nn.ELU").option("alpha", real(l, "alpha"), "1.0"); }},
    {"LeakyReLU",
     [](const FlatLayer& l) { return made_by("nn.LeakyReLU").arg("negative_slope", real(l, "negative_slope")); }},
    {"PReLU",
     [](const FlatLayer& l) {
       return made_by("nn.PReLU").arg("num_parameters", python_number(l.weights.front().shape[0]));
     }},
    {"Hardtanh",
     [](const FlatLayer& l) {
       return made_by("nn.Hardtanh").arg("min_val", real(l, "min_val")).arg("max_val", real(l, "max_val"));
     }},
    {"GELU",
     [](const FlatLayer& l) {
       return made_by("nn.GELU").option("approximate", python_string(l.attrs.choice("approximate")), "\"none\"");
     }},
    {"Softplus",
     [](const FlatLayer& l) {
       return made_by("nn.Softplus")
           .option("beta", real(l, "beta"), "1.0")
           .option("threshold", real(l, "threshold"), "20.0");
     }},
    {"Softmax", [](const FlatLayer&) { return made_by("nn.Softmax").option("dim", "1"); }},
    {"Dropout", [](const FlatLayer& l) { return made_by("nn.Dropout").arg("p", real(l, "p")); }},
    {"Dropout2d",
     [](const FlatLayer& l) { return made_by(is_image(l) ? "nn.Dropout2d" : "nn.Dropout").arg("p", real(l, "p")); }},
    {"StochasticDepth", stochastic_depth},
    {"Flatten", plain<flatten>},
    {"Reshape", [](const FlatLayer& l) { return own_class("Reshape").arg("shape", sizes(l.shape)); }},
    {"Slice", slice},
    {"Transpose",
     [](const FlatLayer& l) {
       return own_class("Transpose").arg("dim0", whole(l, "dim0")).arg("dim1", whole(l, "dim1"));
     }},
    {"ChannelShuffle",
     [](const FlatLayer& l) { return own_class("ChannelShuffle").arg("groups", whole(l, "groups")); }},
    {"Upsample", upsample},
    {"ZeroPad2d", zero_pad},
    {"Add", [](const FlatLayer&) { return expression("{all}", " + "); }},
    {"Multiply", [](const FlatLayer&) { return expression("{all}", " * "); }},
    {"Concat", [](const FlatLayer&) { return expression("torch.cat([{all}], dim=1)"); }},
    {"Formula",
     [](const FlatLayer& l) {
       return own_class("Formula").arg("function", formula_lambda(l, SourceLanguage::pytorch)).applied("{self}({all})");
     }},
};

const SourceHelper helpers[] = {
    {"Formula", torch_formula_class, ""},
    {"ChannelLinear", R"(
class ChannelLinear(nn.Linear):
    """Linear over the channels of each pixel or token of (N, C, H, W)."""

    def forward(self, x):
        return super().forward(x.movedim(1, -1)).movedim(-1, 1)
)",
     ""},
    {"LayerNorm2d", R"(
class LayerNorm2d(nn.LayerNorm):
    """Normalizes the channels of each pixel or token of (N, C, H, W)."""

    def forward(self, x):
        return super().forward(x.movedim(1, -1)).movedim(-1, 1)
)",
     ""},
    {"PatchEmbedding", R"(
class PatchEmbedding(nn.Conv2d):
    """Each patch of an image becomes a token: (N, C, H, W) to (N, embed_dim, tokens, 1)."""

    def __init__(self, in_channels, embed_dim, patch_size, bias=True):
        super().__init__(in_channels, embed_dim, patch_size, stride=patch_size, bias=bias)

    def forward(self, x):
        return super().forward(x).flatten(2).unsqueeze(-1)
)",
     ""},
    {"TokenAttention", R"(
class TokenAttention(nn.MultiheadAttention):
    """Self-attention between the tokens of (N, features, tokens, 1)."""

    def __init__(self, features, num_heads, bias=True):
        super().__init__(features, num_heads, bias=bias, batch_first=True)

    def forward(self, x):
        tokens = x.flatten(2).transpose(1, 2)
        mixed, _ = super().forward(tokens, tokens, tokens, need_weights=False)
        return mixed.transpose(1, 2).reshape(x.shape)
)",
     ""},
    {"token_parameter", R"(
def token_parameter(tokens, features):
    """Learned numbers for each token."""
    return nn.Parameter(0.02 * torch.randn(1, tokens, features))
)",
     ""},
    {"prepend_token", R"(
def prepend_token(x, token):
    """Puts a learned token before those of (N, features, tokens, 1)."""
    tokens = x.flatten(2)
    first = token.reshape(1, -1, 1).expand(x.shape[0], -1, -1)
    return torch.cat([first, tokens], dim=2).unsqueeze(-1)
)",
     ""},
    {"add_to_tokens", R"(
def add_to_tokens(x, embedding):
    """Adds learned numbers to each token of (N, features, H, W), row by row."""
    return x + embedding.transpose(1, 2).reshape(1, *x.shape[1:])
)",
     ""},
    {"scale_parameter", R"(
def scale_parameter(shape, value):
    """A learned factor for each channel."""
    return nn.Parameter(torch.full(shape, value))
)",
     ""},
    {"StochasticDepth", R"(
class StochasticDepth(nn.Module):
    """While training, leaves a branch out for a share p of the images."""

    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        kept = torch.rand(x.shape[0], *[1] * (x.dim() - 1), device=x.device) >= self.p
        return x * kept / (1 - self.p)
)",
     ""},
    {"VectorResponseNorm", R"(
class VectorResponseNorm(nn.LocalResponseNorm):
    """Local response normalization of vectors."""

    def forward(self, x):
        return super().forward(x.unsqueeze(-1)).squeeze(-1)
)",
     ""},
    {"Reshape", R"(
class Reshape(nn.Module):
    """Other sizes for the same elements of each image."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape

    def forward(self, x):
        return x.reshape(x.shape[0], *self.shape)
)",
     ""},
    {"Slice", R"(
class Slice(nn.Module):
    """A range of channels (dim 1), rows (2) or columns (3)."""

    def __init__(self, dim, start, end):
        super().__init__()
        self.index = (slice(None),) * dim + (slice(start, end),)

    def forward(self, x):
        return x[self.index]
)",
     ""},
    {"Transpose", R"(
class Transpose(nn.Module):
    """Two dimensions change places."""

    def __init__(self, dim0, dim1):
        super().__init__()
        self.dims = (dim0, dim1)

    def forward(self, x):
        return x.transpose(*self.dims)
)",
     ""},
    {"ChannelShuffle", R"(
class ChannelShuffle(nn.Module):
    """Mixes the channels of groups."""

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, x):
        parts = x.reshape(x.shape[0], self.groups, -1, *x.shape[2:])
        return parts.transpose(1, 2).reshape(x.shape)
)",
     ""},
    {"part_of", R"(
def part_of(module, name):
    """A part whose name is no attribute of PyTorch's modules."""
    parts = module._parameters if name in module._parameters else module._modules
    return parts[name]
)",
     ""},
    {"put_part", R"(
def put_part(module, name, part):
    """Gives a module a part whose name is no Python identifier, or that of an attribute of PyTorch's modules."""
    parts = module._parameters if isinstance(part, nn.Parameter) else module._modules
    parts[name] = part
)",
     "part_of"},
};

}  // namespace

std::span<const LayerRecord> torch_layer_records() { return table; }
std::span<const SourceHelper> torch_source_helpers() { return helpers; }

}  // namespace nw::exchange

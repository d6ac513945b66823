// SPDX-License-Identifier: Apache-2.0
// Layers as layers of Keras 3, channels last. Each of ours is exactly one of theirs, so that the weights are found by
// its name. Names and arguments: https://keras.io/api/layers/.
#include "engine/exchange/source/formula_source.hpp"
#include "engine/exchange/source/writers.hpp"

namespace nw::exchange {
namespace {

std::string whole_number(const FlatLayer& l, const char* name) { return python_number(l.attrs.integer(name)); }
std::string real_number(const FlatLayer& l, const char* name) { return python_number(l.attrs.real(name)); }
std::string pair_of(const FlatLayer& l, const char* name) { return python_pair(l.attrs.pair(name)); }
std::string truth(const FlatLayer& l, const char* name) { return python_bool(l.attrs.boolean(name)); }
bool has_pixels(const FlatLayer& l) { return l.input_shapes[0].rank() == 4; }

/// Whether Keras' padding "same" is ours: it puts the odd pixel at the end, and follows the stride.
bool pads_same(const FlatLayer& l) {
  const auto [kh, kw] = l.attrs.pair("kernel_size");
  const auto [ph, pw] = l.attrs.pair("padding");
  const auto [dh, dw] = l.attrs.pair("dilation");
  return l.attrs.pair("stride") == std::pair<std::int64_t, std::int64_t>{1, 1} && 2 * ph == dh * (kh - 1) &&
         2 * pw == dw * (kw - 1);
}

LayerSource keras_convolution(const FlatLayer& l) {
  const bool padded = l.attrs.pair("padding") != std::pair<std::int64_t, std::int64_t>{0, 0};
  const std::string stride = pair_of(l, "stride"), dilation = pair_of(l, "dilation");
  const bool known = (pads_same(l) || !padded) && (stride == "1" || dilation == "1");
  LayerSource made = known ? made_by("layers.Conv2D") : own_class("Convolution");
  made.arg("filters", whole_number(l, "out_channels")).arg("kernel_size", pair_of(l, "kernel_size"));
  if (known)
    made.option("strides", stride, "1").option("padding", padded ? "\"same\"" : "\"valid\"", "\"valid\"");
  else
    made.option("strides", stride, "1").option("padding", pair_of(l, "padding"), "0");
  return made.option("dilation_rate", dilation, "1")
      .option("groups", whole_number(l, "groups"), "1")
      .option("use_bias", truth(l, "bias"), "True");
}

LayerSource transposed_convolution(const FlatLayer& l) {
  return own_class("TransposedConvolution")
      .arg("filters", whole_number(l, "out_channels"))
      .arg("kernel_size", pair_of(l, "kernel_size"))
      .option("strides", pair_of(l, "stride"), "1")
      .option("padding", pair_of(l, "padding"), "0")
      .option("output_padding", pair_of(l, "output_padding"), "0")
      .option("dilation_rate", pair_of(l, "dilation"), "1")
      .option("groups", whole_number(l, "groups"), "1")
      .option("use_bias", truth(l, "bias"), "True");
}

LayerSource dense(const FlatLayer& l) {
  return made_by("layers.Dense")
      .arg("units", whole_number(l, "out_features"))
      .option("use_bias", truth(l, "bias"), "True");
}

LayerSource pooling(const FlatLayer& l, const char* plain, const char* padded) {
  if (pair_of(l, "padding") == "0")
    return made_by(plain)
        .arg("pool_size", pair_of(l, "kernel_size"))
        .option("strides", pair_of(l, "stride"), pair_of(l, "kernel_size"));
  return own_class(padded)
      .arg("pool_size", pair_of(l, "kernel_size"))
      .option("strides", pair_of(l, "stride"))
      .option("padding", pair_of(l, "padding"));
}

LayerSource average_pooling(const FlatLayer& l) {
  LayerSource made = pooling(l, "layers.AveragePooling2D", "PaddedAveragePooling");
  if (pair_of(l, "padding") != "0") made.option("count_padding", truth(l, "count_include_pad"), "True");
  return made;
}

LayerSource norm(LayerSource made, const FlatLayer& l, const char* affine) {
  return made.option("epsilon", real_number(l, "eps"))
      .option("center", truth(l, affine), "True")
      .option("scale", truth(l, affine), "True");
}

LayerSource activation(const char* name) { return made_by("layers.Activation").arg("activation", python_string(name)); }

LayerSource own_sizes(const char* name, const Shape& s) {
  return own_class(name).arg("shape", python_tuple({s[1], s[2], s[3]}));
}

/// Dimensions of PyTorch, 1 to 3, as axes of images with channels last.
std::int64_t axis_of(std::int64_t dim) { return dim == 1 ? 3 : dim - 1; }

LayerSource transpose(const FlatLayer& l) {
  std::vector<std::int64_t> axes{1, 2, 3};
  std::swap(axes[static_cast<std::size_t>(axis_of(l.attrs.integer("dim0")) - 1)],
            axes[static_cast<std::size_t>(axis_of(l.attrs.integer("dim1")) - 1)]);
  return made_by("layers.Permute").arg("dims", python_tuple(axes));
}

LayerSource keras_slice(const FlatLayer& l) {
  const std::string dim = l.attrs.choice("dim");
  const std::int64_t end = l.attrs.integer("end"), at = dim == "rows"      ? 1
                                                        : dim == "columns" ? 2
                                                        : has_pixels(l)    ? 3
                                                                           : 1;
  return own_class("Slice")
      .option("axis", python_number(at))
      .option("start", whole_number(l, "start"))
      .option("end", end < 0 ? "None" : python_number(end));
}

LayerSource prelu(const FlatLayer& l) {
  const bool shared = l.weights.front().shape[0] == 1 && l.attrs.choice("num_parameters") == "1";
  if (has_pixels(l)) return made_by("layers.PReLU").option("shared_axes", shared ? "(1, 2, 3)" : "(1, 2)");
  return shared ? made_by("layers.PReLU").option("shared_axes", "(1,)") : made_by("layers.PReLU");
}

LayerSource keras_depth(const FlatLayer& l) {
  const double p = l.attrs.real("p") * static_cast<double>(l.attrs.integer("layer")) /
                   static_cast<double>(l.attrs.integer("layers"));
  return made_by("layers.Dropout")
      .arg("rate", python_number(p))
      .option("noise_shape", has_pixels(l) ? "(None, 1, 1, 1)" : "(None, 1)");
}

LayerSource response_norm(const FlatLayer& l) {
  return own_class("ResponseNorm")
      .arg("size", whole_number(l, "size"))
      .option("alpha", real_number(l, "alpha"))
      .option("beta", real_number(l, "beta"))
      .option("k", real_number(l, "k"));
}

LayerSource keras_pad(const FlatLayer& l) {
  const auto side = [&](const char* name) { return whole_number(l, name); };
  return made_by("layers.ZeroPadding2D")
      .arg("padding", "((" + side("padding_top") + ", " + side("padding_bottom") + "), (" + side("padding_left") +
                          ", " + side("padding_right") + "))");
}

LayerSource joined(const char* maker) { return made_by(maker).applied("{self}([{all}])"); }

// One row a layer type: its name here, and how it is made.
const LayerRecord keras_table[] = {
    {"Conv2d", keras_convolution},
    {"ConvTranspose2d", transposed_convolution},
    {"Linear", dense},
    {"ChannelLinear", dense},
    {"PatchEmbedding",
     [](const FlatLayer& l) {
       return own_class("PatchEmbedding")
           .arg("filters", whole_number(l, "embed_dim"))
           .arg("patch_size", whole_number(l, "patch_size"))
           .option("use_bias", truth(l, "bias"), "True");
     }},
    {"MultiheadAttention",
     [](const FlatLayer& l) {
       return own_class("TokenAttention")
           .arg("num_heads", whole_number(l, "num_heads"))
           .option("use_bias", truth(l, "bias"), "True");
     }},
    {"ClassToken", [](const FlatLayer&) { return own_class("ClassToken"); }},
    {"PositionalEmbedding", [](const FlatLayer&) { return own_class("PositionalEmbedding"); }},
    {"LayerScale",
     [](const FlatLayer& l) { return own_class("LayerScale").arg("value", real_number(l, "init_value")); }},
    {"MaxPool2d", [](const FlatLayer& l) { return pooling(l, "layers.MaxPooling2D", "PaddedMaxPooling"); }},
    {"AvgPool2d", average_pooling},
    {"AdaptiveAvgPool2d",
     [](const FlatLayer& l) {
       return own_class("AdaptiveAveragePooling").arg("size", python_tuple({l.shape[2], l.shape[3]}));
     }},
    {"GlobalAvgPool2d",
     [](const FlatLayer&) { return made_by("layers.GlobalAveragePooling2D").option("keepdims", "True"); }},
    {"GlobalMaxPool2d",
     [](const FlatLayer&) { return made_by("layers.GlobalMaxPooling2D").option("keepdims", "True"); }},
    {"BatchNorm2d",
     [](const FlatLayer& l) {
       return made_by("layers.BatchNormalization")
           .option("momentum", python_number(1 - l.attrs.real("momentum")), "0.99")
           .option("epsilon", real_number(l, "eps"));
     }},
    {"GroupNorm",
     [](const FlatLayer& l) {
       return norm(own_class("GroupNorm").arg("groups", whole_number(l, "num_groups")), l, "affine");
     }},
    {"InstanceNorm2d",
     [](const FlatLayer& l) {
       return norm(own_class("GroupNorm").arg("groups", python_number(l.input_shapes[0][1])), l, "affine");
     }},
    {"LayerNorm",
     [](const FlatLayer& l) {
       return norm(made_by("layers.LayerNormalization").option("axis", has_pixels(l) ? "(1, 2, 3)" : "-1", "-1"), l,
                   "elementwise_affine");
     }},
    {"LayerNorm2d",
     [](const FlatLayer& l) { return norm(made_by("layers.LayerNormalization"), l, "elementwise_affine"); }},
    {"LocalResponseNorm", response_norm},
    {"ReLU", [](const FlatLayer&) { return made_by("layers.ReLU"); }},
    {"ReLU6", [](const FlatLayer&) { return made_by("layers.ReLU").option("max_value", "6.0"); }},
    {"SELU", [](const FlatLayer&) { return activation("selu"); }},
    {"Sigmoid", [](const FlatLayer&) { return activation("sigmoid"); }},
    {"Tanh", [](const FlatLayer&) { return activation("tanh"); }},
    {"SiLU", [](const FlatLayer&) { return activation("silu"); }},
    {"Mish", [](const FlatLayer&) { return activation("mish"); }},
    {"Hardswish", [](const FlatLayer&) { return activation("hard_silu"); }},
    {"Hardsigmoid", [](const FlatLayer&) { return activation("hard_sigmoid"); }},
    {"ELU", [](const FlatLayer& l) { return made_by("layers.ELU").option("alpha", real_number(l, "alpha"), "1.0"); }},
    {"LeakyReLU",
     [](const FlatLayer& l) {
       return made_by("layers.LeakyReLU").option("negative_slope", real_number(l, "negative_slope"));
     }},
    {"PReLU", prelu},
    {"Hardtanh",
     [](const FlatLayer& l) {
       return own_class("Clip").arg("lowest", real_number(l, "min_val")).arg("highest", real_number(l, "max_val"));
     }},
    {"GELU",
     [](const FlatLayer& l) {
       if (l.attrs.choice("approximate") != "tanh") return activation("gelu");
       return made_by("layers.Activation").arg("activation", "tanh_gelu").needs("tanh_gelu");
     }},
    {"Softplus",
     [](const FlatLayer& l) {
       return own_class("Softplus")
           .option("beta", real_number(l, "beta"))
           .option("threshold", real_number(l, "threshold"));
     }},
    {"Softmax", [](const FlatLayer&) { return made_by("layers.Softmax").option("axis", "-1", "-1"); }},
    {"Dropout", [](const FlatLayer& l) { return made_by("layers.Dropout").arg("rate", real_number(l, "p")); }},
    {"Dropout2d",
     [](const FlatLayer& l) {
       return made_by(has_pixels(l) ? "layers.SpatialDropout2D" : "layers.Dropout").arg("rate", real_number(l, "p"));
     }},
    {"StochasticDepth", keras_depth},
    {"Flatten",
     [](const FlatLayer& l) {
       const bool plain = !has_pixels(l) || l.input_shapes[0][2] * l.input_shapes[0][3] == 1;
       return plain ? made_by("layers.Flatten") : own_class("ImageFlatten");
     }},
    {"Reshape", [](const FlatLayer& l) { return own_sizes("ImageReshape", l.shape); }},
    {"Slice", keras_slice},
    {"Transpose", transpose},
    {"ChannelShuffle",
     [](const FlatLayer& l) { return own_class("ChannelShuffle").arg("groups", whole_number(l, "groups")); }},
    {"Upsample",
     [](const FlatLayer& l) {
       return made_by("layers.UpSampling2D")
           .arg("size", pair_of(l, "scale_factor"))
           .option("interpolation", python_string(l.attrs.choice("mode")), "\"nearest\"");
     }},
    {"ZeroPad2d", keras_pad},
    {"Add", [](const FlatLayer& l) { return l.inputs.size() > 1 ? joined("layers.Add") : made_by("layers.Identity"); }},
    {"Multiply",
     [](const FlatLayer& l) { return l.inputs.size() > 1 ? joined("layers.Multiply") : made_by("layers.Identity"); }},
    {"Concat",
     [](const FlatLayer& l) {
       return l.inputs.size() > 1 ? joined("layers.Concatenate").option("axis", "-1", "-1")
                                  : made_by("layers.Identity");
     }},
    {"Formula",
     [](const FlatLayer& l) {
       return own_class("Formula")
           .arg("function", formula_lambda(l, SourceLanguage::keras))
           .applied(l.inputs.size() > 1 ? "{self}([{all}])" : "{self}({0})");
     }},
};

}  // namespace

std::span<const LayerRecord> keras_layer_records() { return keras_table; }

}  // namespace nw::exchange

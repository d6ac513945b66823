// SPDX-License-Identifier: Apache-2.0
// Normalizations. Group norm is written as an instance norm of reshaped images, because ONNX has it in its present form
// only since version 21.
#include <algorithm>
#include <cmath>

#include "engine/exchange/operators/operator.hpp"

namespace nw {
namespace exchange {
namespace {

float eps_of(const Attrs& a) { return static_cast<float>(a.real("eps")); }

Status write_batch_norm(LayerWriter& w) {
  std::vector<std::string> in{w.input()};
  for (const char* name : {"weight", "bias", "running_mean", "running_var"}) in.push_back(w.weight(name));
  w.finish("BatchNormalization", std::move(in),
           {{"epsilon", eps_of(w.attrs())}, {"momentum", static_cast<float>(1 - w.attrs().real("momentum"))}});
  return {};
}

/// 0.9 as a file holds it, 0.899999976, becomes a momentum of 0.1.
double momentum_of(const onnx::Node& n) {
  return std::strtod(fmt::format("{:.6g}", 1 - n.real("momentum", 0.9)).c_str(), nullptr);
}

Text read_batch_norm(NodeReader& r) {
  if (r.node().integer("training_mode", 0) != 0 || (r.opset() < 9 && r.node().integer("spatial", 1) == 0))
    return text(NW_TR("it normalizes otherwise than in inference over the channels"));
  if (r.plain(0) < 0 || r.shape(0).rank() != 4) return text(NW_TR("its input is not an image"));
  std::map<std::string, onnx::Tensor> weights;
  const char* names[] = {"weight", "bias", "running_mean", "running_var"};
  for (std::size_t i = 0; i < 4; ++i) {
    const onnx::Tensor* t = r.constant(i + 1);
    if (!t || t->elements() != r.shape(0)[1]) return text(NW_TR("its statistics are computed"));
    weights[names[i]] = *t;
  }
  return r.becomes("BatchNorm2d", {{"eps", r.node().real("epsilon", 1e-5)}, {"momentum", momentum_of(r.node())}},
                   {r.plain(0)}, std::move(weights));
}

Status write_layer_norm(LayerWriter& w) {
  onnx::Dims dims;
  for (int i = 1; i < w.in().rank(); ++i) dims.push_back(w.in()[i]);
  std::string scale = w.weight("weight"), bias = w.weight("bias");
  if (scale.empty())
    scale = w.constant("ones", floats(dims, std::vector<float>(static_cast<std::size_t>(w.in().per_sample()), 1.0F)));
  std::vector<std::string> in{w.input(), scale};
  if (!bias.empty()) in.push_back(bias);
  w.finish("LayerNormalization", std::move(in), {{"axis", std::int64_t{1}}, {"epsilon", eps_of(w.attrs())}});
  return {};
}

/// A constant with one number for each channel of the layer.
std::string each_channel(LayerWriter& w, std::string_view part, float value) {
  return w.constant(part, floats({w.in()[1]}, std::vector<float>(static_cast<std::size_t>(w.in()[1]), value)));
}

// The operator normalizes over the last axes, so the channels move there and back.
Status write_layer_norm2d(LayerWriter& w) {
  const std::vector<std::int64_t> last{0, 2, 3, 1}, first{0, 3, 1, 2};
  std::vector<std::string> in{w.part("channels_last", "Transpose", {w.input()}, {{"perm", last}}), w.weight("weight")};
  if (in.back().empty()) in.back() = each_channel(w, "ones", 1);
  if (const std::string bias = w.weight("bias"); !bias.empty()) in.push_back(bias);
  const std::string normed = w.part("normed", "LayerNormalization", std::move(in),
                                    {{"axis", std::int64_t{-1}}, {"epsilon", eps_of(w.attrs())}});
  w.finish("Transpose", {normed}, {{"perm", first}});
  return {};
}

/// Over the channels of each pixel, which lie last.
Text read_layer_norm2d(NodeReader& r) {
  if (!r.value(0) || r.value(0)->form != Form::nhwc || positive_axis(r.node().integer("axis", -1), 4) != 3)
    return text(NW_TR("it normalizes over other values than the channels"));
  Ref ref = *r.value(0);
  const std::int64_t channels = r.shape(0)[1];
  const onnx::Tensor *scale = r.constant(1), *bias = r.given(2) ? r.constant(2) : nullptr;
  if (!scale || (r.given(2) && !bias) || scale->elements() != channels)
    return text(NW_TR("its weights are computed, or not one for each value"));
  const std::vector<float> zeros(static_cast<std::size_t>(channels));
  Text why = r.add("LayerNorm2d", {{"eps", shortest(r.node().real("epsilon", 1e-5))}}, {ref.layer}, ref.layer,
                   {{"weight", *scale}, {"bias", bias ? *bias : floats({channels}, zeros)}});
  if (why.empty()) r.is(ref);
  return why;
}

Status write_layer_scale(LayerWriter& w) {
  w.finish("Mul", {w.input(), w.weight("")});
  return {};
}

bool all_are(const onnx::Tensor& t, float value) {
  const auto all = onnx::floats_of(t);
  return all && std::all_of(all->begin(), all->end(), [&](float v) { return v == value; });
}

Text read_layer_norm(NodeReader& r) {
  if (r.plain(0) < 0) return text(NW_TR("its input is not an image or a vector whose channels come first"));
  const Shape x = r.shape(0);
  if (positive_axis(r.node().integer("axis", -1), static_cast<std::size_t>(x.rank())) != 1)
    return text(NW_TR("it normalizes over a part of the values; LayerNorm is over all of an image"));
  const onnx::Tensor *scale = r.constant(1), *bias = r.given(2) ? r.constant(2) : nullptr;
  if (!scale || (r.given(2) && !bias) || scale->elements() != x.per_sample())
    return text(NW_TR("its weights are computed, or not one for each value"));
  AttrMap attrs{{"eps", r.node().real("epsilon", 1e-5)}};
  if (!bias && all_are(*scale, 1)) {
    attrs["elementwise_affine"] = false;
    return r.becomes("LayerNorm", std::move(attrs), {r.plain(0)});
  }
  std::map<std::string, onnx::Tensor> weights{{"weight", *scale}};
  weights["bias"] = bias ? *bias : floats(scale->dims, std::vector<float>(static_cast<std::size_t>(x.per_sample())));
  return r.becomes("LayerNorm", std::move(attrs), {r.plain(0)}, std::move(weights));
}

Status write_group_norm(LayerWriter& w) {
  const std::int64_t groups = w.attrs().integer("num_groups"), channels = w.in()[1];
  const auto of_groups = [&](float v) {
    return floats({groups}, std::vector<float>(static_cast<std::size_t>(groups), v));
  };
  std::vector<std::int64_t> split{0, groups, -1}, back{0};
  for (int i = 1; i < w.in().rank(); ++i) back.push_back(w.in()[i]);
  const std::string grouped = w.part("grouped", "Reshape", {w.input(), w.constant("groups", whole_numbers(split))});
  const std::string normed = w.part("normed", "InstanceNormalization",
                                    {grouped, w.constant("ones", of_groups(1)), w.constant("zeros", of_groups(0))},
                                    {{"epsilon", eps_of(w.attrs())}});
  if (!w.attrs().boolean("affine")) {
    w.finish("Reshape", {normed, w.constant("image", whole_numbers(back))});
    return {};
  }
  const onnx::Dims one_each = w.in().rank() == 4 ? onnx::Dims{channels, 1, 1} : onnx::Dims{channels};
  const std::string image = w.part("image_form", "Reshape", {normed, w.constant("image", whole_numbers(back))});
  const std::string scale = w.weight("weight", one_each), bias = w.weight("bias", one_each);
  w.finish("Add", {w.part("scaled", "Mul", {image, scale}), bias});
  return {};
}

Status write_instance_norm(LayerWriter& w) {
  std::string scale = w.weight("weight"), bias = w.weight("bias");
  if (scale.empty()) scale = each_channel(w, "ones", 1), bias = each_channel(w, "zeros", 0);
  w.finish("InstanceNormalization", {w.input(), scale, bias}, {{"epsilon", eps_of(w.attrs())}});
  return {};
}
Text read_instance_norm2d(NodeReader& r) {
  const onnx::Tensor *scale = r.constant(1), *bias = r.constant(2);
  if (!scale || !bias || r.plain(0) < 0) return text(NW_TR("its weights are computed"));
  const Shape x = r.shape(0);
  if (x.rank() != 4 || x[2] * x[3] == 1 || scale->elements() != x[1] || bias->elements() != x[1])
    return text(NW_TR("its input is not an image of several pixels"));
  AttrMap attrs{{"eps", shortest(r.node().real("epsilon", 1e-5))}, {"affine", true}};
  if (!all_are(*scale, 1) || !all_are(*bias, 0))
    return r.becomes("InstanceNorm2d", std::move(attrs), {r.plain(0)}, {{"weight", *scale}, {"bias", *bias}});
  attrs["affine"] = false;
  return r.becomes("InstanceNorm2d", std::move(attrs), {r.plain(0)});
}

/// The mean square of the window, as PyTorch computes it: an average over a column of channels, zeros beyond its ends.
std::string mean_squares(LayerWriter& w, std::int64_t size) {
  const Shape x = w.in();
  const onnx::Dims columns{0, 1, x[1], x.rank() == 4 ? x[2] * x[3] : 1};
  const auto sizes = [&](const char* name, const onnx::Dims& of) { return w.constant(name, whole_numbers(of)); };
  const std::string squares = w.part("squares", "Mul", {w.input(), w.input()});
  const std::string apart = w.part("columns", "Reshape", {squares, sizes("columns.sizes", columns)});
  const onnx::Dims ends{0, 0, size / 2, 0, 0, 0, (size - 1) / 2, 0};
  const std::string padded = w.part("padded", "Pad", {apart, sizes("ends", ends)});
  const std::string means = w.part("means", "AveragePool", {padded}, {{"kernel_shape", onnx::Dims{size, 1}}});
  return w.part("image", "Reshape", {means, sizes("sizes", each_batch(x))});
}

/// LRN knows images only, and PyTorch's window of an even size lies one channel lower than its window.
Status write_local_response_norm(LayerWriter& w) {
  const std::int64_t size = w.attrs().integer("size");
  const auto real = [&](const char* name) { return static_cast<float>(w.attrs().real(name)); };
  if (size % 2 == 1 && w.in().rank() == 4) {
    const Attributes same{{"size", size}, {"alpha", real("alpha")}, {"beta", real("beta")}, {"bias", real("k")}};
    w.finish("LRN", {w.input()}, same);
    return {};
  }
  const auto number = [&](const char* name) { return w.constant(name, floats({}, {real(name)})); };
  const std::string scaled = w.part("scaled", "Mul", {mean_squares(w, size), number("alpha")});
  const std::string base = w.part("base", "Add", {scaled, number("k")});
  w.finish("Div", {w.input(), w.part("divisor", "Pow", {base, number("beta")})});
  return {};
}
Text read_local_response_norm(NodeReader& r) {
  if (r.plain(0) < 0) return text(NW_TR("its input is not an image whose channels come first"));
  const std::int64_t size = r.node().integer("size", 0);
  if (size % 2 == 0) return text(NW_TR("its window has an even number of channels"));
  return r.becomes("LocalResponseNorm",
                   {{"size", size},
                    {"alpha", shortest(r.node().real("alpha", 1e-4))},
                    {"beta", shortest(r.node().real("beta", 0.75))},
                    {"k", shortest(r.node().real("bias", 1))}},
                   {r.plain(0)});
}

/// An instance norm over the groups of a view, or over the channels of an image.
Text read_instance_norm(NodeReader& r) {
  const onnx::Tensor *scale = r.constant(1), *bias = r.constant(2);
  if (!scale || !bias || !r.value(0)) return text(NW_TR("its weights are computed"));
  const Ref from = *r.value(0);
  const Shape x = r.shape(0);
  const onnx::Dims dims = r.dims(0);
  if ((from.form != Form::plain && from.form != Form::view) || dims.size() < 3 || x[1] % dims[1] != 0)
    return text(NW_TR("it normalizes over other values than groups of channels"));
  const std::int64_t groups = dims[1];
  AttrMap attrs{{"num_groups", groups}, {"eps", r.node().real("epsilon", 1e-5)}};
  std::map<std::string, onnx::Tensor> weights;
  if (all_are(*scale, 1) && all_are(*bias, 0)) {
    attrs["affine"] = false;
  } else if (groups == x[1]) {
    weights = {{"weight", *scale}, {"bias", *bias}};
  } else {
    return text(NW_TR("it scales whole groups"));
  }
  Ref made = from;
  if (Text why = r.add("GroupNorm", std::move(attrs), {from.layer}, made.layer, std::move(weights)); !why.empty())
    return why;
  r.is(made);
  return {};
}

Text read_group_norm(NodeReader& r) {
  if (r.node().op == "InstanceNormalization") return read_instance_norm(r);
  const onnx::Tensor *scale = r.constant(1), *bias = r.constant(2);
  if (!scale || !bias || r.plain(0) < 0) return text(NW_TR("its weights are computed"));
  const std::int64_t groups = r.node().integer("num_groups", 0), channels = r.shape(0)[1];
  if (scale->elements() != channels && !(all_are(*scale, 1) && all_are(*bias, 0)))
    return text(NW_TR("it scales whole groups"));
  AttrMap attrs{{"num_groups", groups}, {"eps", r.node().real("epsilon", 1e-5)}};
  if (scale->elements() == channels)
    return r.becomes("GroupNorm", std::move(attrs), {r.plain(0)}, {{"weight", *scale}, {"bias", *bias}});
  attrs["affine"] = false;
  return r.becomes("GroupNorm", std::move(attrs), {r.plain(0)});
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile normalization_operators;
const exchange::OperatorFile normalization_operators{[] {
  using namespace exchange;
  return std::vector<OperatorMapping>{
      // In version 13 onnx.reference normalizes by the batch; version 14 belongs to the same IR.
      {"BatchNorm2d", {{"BatchNormalization", 7}}, 14, write_batch_norm, read_batch_norm},
      {"LayerNorm", {{"LayerNormalization", 17}}, 17, write_layer_norm, read_layer_norm},
      {"InstanceNorm2d", {{"InstanceNormalization", 6}}, 13, write_instance_norm, read_instance_norm2d},
      {"LocalResponseNorm", {{"LRN"}}, 13, write_local_response_norm, read_local_response_norm, true},
      {"LayerNorm2d", {{"LayerNormalization", 17}}, 17, write_layer_norm2d, read_layer_norm2d, true},
      {"LayerScale", {}, 13, write_layer_scale, nullptr, true},
      {"GroupNorm", {{"InstanceNormalization", 6}, {"GroupNormalization", 18}}, 13, write_group_norm, read_group_norm},
  };
}()};

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Mul, Add, Sub and Div by constants: on the network's input they are preprocessing, behind a convolution or a batch
// norm they belong to its weights, and elsewhere they are a layer scale or a batch norm with mean 0 and variance 1.
#include <cmath>

#include "engine/exchange/operators/operator.hpp"

namespace nw {
namespace exchange {
namespace {

struct Affine {
  std::vector<float> scale, offset;  // one for each channel
};

std::optional<Affine> affine_of(const NodeReader& r, std::size_t x) {
  const auto by = per_channel(r, *r.constant(1 - x), x);
  if (!by) return std::nullopt;
  Affine a{std::vector<float>(by->size(), 1.0F), std::vector<float>(by->size(), 0.0F)};
  const std::string& op = r.node().op;
  for (std::size_t c = 0; c < by->size(); ++c) {
    const float v = (*by)[c];
    if (op == "Mul") a.scale[c] = v;
    if (op == "Div") a.scale[c] = 1.0F / v;
    if (op == "Add") a.offset[c] = v;
    if (op == "Sub") a.offset[c] = x == 0 ? -v : v;
    if (op == "Sub" && x == 1) a.scale[c] = -1.0F;
  }
  return a;
}

onnx::Tensor scaled(const onnx::Tensor& t, const std::vector<float>& scale, const std::vector<float>* offset) {
  std::vector<float> all = *onnx::floats_of(t);
  const std::size_t each = all.size() / scale.size();
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = all[i] * scale[i / each] + (offset ? (*offset)[i / each] : 0.0F);
  onnx::Tensor made = floats(t.dims, all);
  made.name = t.name;
  return made;
}

/// The layer before with the operation in its weights; false: it has none that take it.
bool into_weights(NodeReader& r, std::size_t x, const Affine& a, Text& why) {
  Ref ref = *r.value(x);
  const BuiltLayer before = r.layer(ref.layer);
  const bool batch_norm = before.type->name == "BatchNorm2d", group_norm = before.type->name == "GroupNorm";
  const bool linear = before.type->name == "Conv2d" || before.type->name == "ChannelLinear";
  if ((!batch_norm && !linear && !group_norm) || !r.replaceable(ref.layer)) return false;
  auto weights = before.weights;
  AttrMap attrs = before.attrs;
  if (linear && !weights.contains("bias")) {
    weights["bias"] = floats({before.shape[1]}, std::vector<float>(static_cast<std::size_t>(before.shape[1])));
    attrs["bias"] = true;
  }
  if (group_norm && !weights.contains("weight")) {
    weights["weight"] = floats({before.shape[1]}, std::vector<float>(static_cast<std::size_t>(before.shape[1]), 1.0F));
    weights["bias"] = floats({before.shape[1]}, std::vector<float>(static_cast<std::size_t>(before.shape[1])));
    attrs["affine"] = true;
  }
  weights["weight"] = scaled(weights["weight"], a.scale, nullptr);
  weights["bias"] = scaled(weights["bias"], a.scale, &a.offset);
  why = r.add(before.type->name, std::move(attrs), before.inputs, ref.layer, std::move(weights));
  if (why.empty()) r.is(ref);
  return true;
}

/// A layer scale if nothing is added, otherwise a batch norm.
Text own_layer(NodeReader& r, Ref ref, Affine a) {
  const auto channels = std::ssize(a.scale);
  const std::vector<float> zeros(a.scale.size(), 0.0F), ones(a.scale.size(), 1.0F);
  Text why;
  if (a.offset == zeros) {
    why = r.add("LayerScale", {}, {ref.layer}, ref.layer, {{"", floats({channels, 1, 1}, a.scale)}});
  } else {
    for (float& s : a.scale) s *= std::sqrt(1.0F + 1e-5F);
    why = r.add("BatchNorm2d", {}, {ref.layer}, ref.layer,
                {{"weight", floats({channels}, a.scale)},
                 {"bias", floats({channels}, a.offset)},
                 {"running_mean", floats({channels}, zeros)},
                 {"running_var", floats({channels}, ones)}});
  }
  if (why.empty()) r.is(ref);
  return why;
}

Text read_affine(NodeReader& r) {
  if (r.inputs() != 2 || (r.value(0) != nullptr) == (r.value(1) != nullptr))
    return text(NW_TR("it computes with two values of the network"));
  const std::size_t x = r.value(0) ? 0 : 1;
  if (r.node().op == "Div" && x == 1) return text(NW_TR("it divides a constant by a value"));
  Ref ref = *r.value(x);
  const auto one = scalar_of(r.constant(1 - x));
  if (r.node().op == "Mul" && one && ref.form == Form::plain && r.next_op() == "Softplus") {
    ref.form = Form::scaled;
    ref.factor = std::strtod(fmt::format("{}", static_cast<float>(*one)).c_str(), nullptr);
    return r.is(ref), Text{};
  }
  const auto a = affine_of(r, x);
  if (!a) return text(NW_TR("its constant is not one number for each channel"));
  if (r.is_network_input(ref.layer) && !(r.node().op == "Sub" && x == 1)) {
    onnx::Tensor by = floats({static_cast<std::int64_t>(a->scale.size())}, *per_channel(r, *r.constant(1 - x), x));
    r.preprocess(r.node().op, by);
    return r.is(ref), Text{};
  }
  Text why;
  if ((ref.form == Form::plain || ref.form == Form::nhwc) && into_weights(r, x, *a, why)) return why;
  if (r.shape(x).rank() != 4) return text(NW_TR("a vector times constants is no layer here"));
  return own_layer(r, ref, *a);
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile affine_operators;
const exchange::OperatorFile affine_operators{[] {
  using namespace exchange;
  return std::vector<OperatorMapping>{
      {"", {{"Mul", 7}, {"Add", 7}, {"Sub", 7}, {"Div", 7}}, 13, nullptr, read_affine},
  };
}()};

}  // namespace nw

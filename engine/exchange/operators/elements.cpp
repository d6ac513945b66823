// SPDX-License-Identifier: Apache-2.0
// Element-wise activations. Those that ONNX has only since later versions are written as a product, which every reader
// of version 13 takes, and are read as both.
#include <cmath>

#include "engine/exchange/operators/operator.hpp"

namespace nw {
namespace exchange {
namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-5 * std::max(std::abs(a), std::abs(b)); }

/// Sets the output to the new layer, in the form of input 0.
Text element(NodeReader& r, std::string_view type, AttrMap attrs, std::size_t from = 0) {
  if (!r.value(from)) return text(NW_TR("its input is a constant"));
  Ref ref = *r.value(from);
  Text why = r.add(type, std::move(attrs), {ref.layer}, ref.layer);
  if (why.empty()) r.is(ref);
  return why;
}

template <const char* layer>
Text read_plain(NodeReader& r) {
  return element(r, layer, {});
}
template <const char* op>
Status write_plain(LayerWriter& w) {
  w.finish(op, {w.input()});
  return {};
}
constexpr char relu[] = "ReLU", relu_op[] = "Relu", sigmoid[] = "Sigmoid", tanh_name[] = "Tanh";

Status write_elu(LayerWriter& w) {
  w.finish("Elu", {w.input()}, {{"alpha", static_cast<float>(w.attrs().real("alpha"))}});
  return {};
}
Text read_elu(NodeReader& r) { return element(r, "ELU", {{"alpha", r.node().real("alpha", 1)}}); }

Status write_leaky_relu(LayerWriter& w) {
  w.finish("LeakyRelu", {w.input()}, {{"alpha", static_cast<float>(w.attrs().real("negative_slope"))}});
  return {};
}
Text read_leaky_relu(NodeReader& r) {
  return element(r, "LeakyReLU", {{"negative_slope", r.node().real("alpha", 0.01)}});
}

Status write_selu(LayerWriter& w) {
  w.finish("Selu", {w.input()});
  return {};
}
Text read_selu(NodeReader& r) {
  const double alpha = r.node().real("alpha", r.opset() < 6 ? 1.6732 : 1.67326319),
               gamma = r.node().real("gamma", r.opset() < 6 ? 1.0507 : 1.05070102);
  if (std::abs(alpha - 1.67326324) > 1e-3 || std::abs(gamma - 1.05070098) > 1e-3)
    return text(NW_TR("SELU has fixed constants, here are {0} and {1}"), alpha, gamma);
  return element(r, "SELU", {});
}

/// ONNX's Softplus has neither a beta nor a threshold, above which PyTorch's is its input; from 15 on both are equal.
Status write_softplus(LayerWriter& w) {
  const auto number = [&](const char* name) {
    return w.constant(name, floats({}, {static_cast<float>(w.attrs().real(name))}));
  };
  const bool plain = w.attrs().real("beta") == 1, unlimited = w.attrs().real("threshold") >= 15;
  if (plain && unlimited) {
    w.finish("Softplus", {w.input()});
    return {};
  }
  const std::string beta = number("beta"), scaled = w.part("scaled", "Mul", {w.input(), beta});
  const std::string soft = w.part("softplus", "Softplus", {scaled});
  if (unlimited) {
    w.finish("Div", {soft, beta});
    return {};
  }
  const std::string above = w.part("above", "Greater", {scaled, number("threshold")});
  w.finish("Where", {above, w.input(), w.part("divided", "Div", {soft, beta})});
  return {};
}
/// Softplus itself, or the Div after it that makes it one with a beta.
Text read_softplus(NodeReader& r) {
  if (!r.value(0)) return text(NW_TR("its input is a constant"));
  Ref ref = *r.value(0);
  if (r.node().op == "Softplus") {
    if (ref.form != Form::scaled) return element(r, "Softplus", {});
    Text why = r.add("Softplus", {{"beta", ref.factor}}, {ref.layer}, ref.layer);
    if (why.empty()) r.is(ref);
    return why;
  }
  const auto factor = r.given(1) ? scalar_of(r.constant(1)) : std::nullopt;
  if (ref.form != Form::scaled || !factor || !near(*factor, ref.factor))
    return text(NW_TR("it is not the end of a Softplus"));
  r.is({ref.layer});
  return {};
}

/// 6 max(0, min(1, x / 6)): OpenCV 4.6 knows Clip only as it was before version 11.
Status write_relu6(LayerWriter& w) {
  const std::string share = w.part("share", "HardSigmoid", {w.input()}, {{"alpha", 1.0F / 6.0F}, {"beta", 0.0F}});
  w.finish("Mul", {share, w.constant("six", floats({}, {6.0F}))});
  return {};
}
/// The limits of a Clip; nullopt: they are computed.
std::optional<std::pair<double, double>> limits_of(const NodeReader& r) {
  const auto bound = [&](const char* name, std::size_t i, double otherwise) -> std::optional<double> {
    if (r.opset() < 11) return r.node().real(name, otherwise);
    if (!r.given(i)) return otherwise;
    return scalar_of(r.constant(i));
  };
  const auto lowest = bound("min", 1, -INFINITY), highest = bound("max", 2, INFINITY);
  if (!lowest || !highest) return std::nullopt;
  return std::pair(*lowest, *highest);
}
Text read_relu6(NodeReader& r) {
  const auto limits = limits_of(r);
  if (!limits) return text(NW_TR("its limits are computed"));
  if (limits->first == 0 && limits->second > 3e38) return element(r, "ReLU", {});
  if (limits->first == 0 && limits->second == 6) return element(r, "ReLU6", {});
  return text(NW_TR("its limits are not 0 and 6"));
}

Status write_hardtanh(LayerWriter& w) {
  const auto limit = [&](const char* name) { return floats({}, {static_cast<float>(w.attrs().real(name))}); };
  w.finish("Clip", {w.input(), w.constant("min", limit("min_val")), w.constant("max", limit("max_val"))});
  return {};
}
Text read_hardtanh(NodeReader& r) {
  const auto limits = limits_of(r);
  if (!limits) return text(NW_TR("its limits are computed"));
  if (limits->first > 0 || limits->first < -1e6 || limits->second < 1e-6 || limits->second > 1e6)
    return text(NW_TR("a Clip to {0} … {1} is no layer here: the range must hold 0"), limits->first, limits->second);
  return element(r, "Hardtanh", {{"min_val", shortest(limits->first)}, {"max_val", shortest(limits->second)}});
}

Status write_hardsigmoid(LayerWriter& w) {
  w.finish("HardSigmoid", {w.input()}, {{"alpha", 1.0F / 6.0F}, {"beta", 0.5F}});
  return {};
}
Text read_hardsigmoid(NodeReader& r) {
  const double alpha = r.node().real("alpha", 0.2), beta = r.node().real("beta", 0.5);
  if (!near(alpha, 1.0 / 6) || !near(beta, 0.5))
    return text(NW_TR("a HardSigmoid of slope {0} is no layer here; 1/6 is (Hardsigmoid)"), alpha);
  return element(r, "Hardsigmoid", {});
}

/// x · gate(x): the product reads x and a layer `gate` of the same x.
Text read_gated(NodeReader& r, std::string_view gate, std::string_view type) {
  for (const std::size_t x : {std::size_t{0}, std::size_t{1}}) {
    if (!r.value(0) || !r.value(1)) break;
    const BuiltLayer& other = r.layer(r.value(1 - x)->layer);
    const bool same = other.inputs.size() == 1 && other.inputs.front() == r.value(x)->layer;
    if (other.type->name == gate && same) return element(r, type, {}, x);
  }
  return text(NW_TR("it is no product of a value and its {0}"), std::string(gate));
}

Status write_silu(LayerWriter& w) {
  w.finish("Mul", {w.input(), w.part("sigmoid", "Sigmoid", {w.input()})});
  return {};
}
Text read_silu(NodeReader& r) { return read_gated(r, "Sigmoid", "SiLU"); }

Status write_hardswish(LayerWriter& w) {
  w.finish("Mul",
           {w.input(), w.part("hardsigmoid", "HardSigmoid", {w.input()}, {{"alpha", 1.0F / 6.0F}, {"beta", 0.5F}})});
  return {};
}
Text read_hardswish(NodeReader& r) {
  return r.node().op == "HardSwish" ? element(r, "Hardswish", {}) : read_gated(r, "Hardsigmoid", "Hardswish");
}

Status write_mish(LayerWriter& w) {
  w.finish("Mul", {w.input(), w.part("tanh", "Tanh", {w.part("softplus", "Softplus", {w.input()})})});
  return {};
}
Text read_mish(NodeReader& r) {
  if (r.node().op == "Mish") return element(r, "Mish", {});
  for (const std::size_t x : {std::size_t{0}, std::size_t{1}}) {
    if (!r.value(0) || !r.value(1)) break;
    const BuiltLayer& squeezed = r.layer(r.value(1 - x)->layer);
    if (squeezed.type->name != "Tanh" || squeezed.inputs.size() != 1) continue;
    const BuiltLayer& plus = r.layer(squeezed.inputs.front());
    if (plus.type->name == "Softplus" && plus.inputs.front() == r.value(x)->layer) return element(r, "Mish", {}, x);
  }
  return text(NW_TR("it is no Mish"));
}

Status write_gelu(LayerWriter& w) {
  w.finish("Gelu", {w.input()}, {{"approximate", w.attrs().choice("approximate")}});
  return {};
}
Text read_gelu(NodeReader& r) { return element(r, "GELU", {{"approximate", r.node().text("approximate", "none")}}); }

Status write_softmax(LayerWriter& w) {
  w.finish("Softmax", {w.input()}, {{"axis", std::int64_t{1}}});
  return {};
}
Text read_softmax(NodeReader& r) {
  if (r.plain(0) < 0) return text(NW_TR("its input is not an image or a vector"));
  const auto rank = static_cast<std::size_t>(r.shape(0).rank());
  const std::int64_t axis = positive_axis(r.node().integer("axis", r.opset() < 13 ? 1 : -1), rank);
  // Before version 13 the softmax was over all elements from the axis on.
  if (axis != 1 || (r.opset() < 13 && r.shape(0).per_sample() != r.shape(0)[1]))
    return text(NW_TR("it is not over the channels"));
  return r.becomes("Softmax", {}, {r.plain(0)});
}

Status write_prelu(LayerWriter& w) {
  const bool one = w.attrs().choice("num_parameters") == "1";
  const onnx::Dims dims = one || w.in().rank() != 4 ? onnx::Dims{} : onnx::Dims{w.in()[1], 1, 1};
  w.finish("PRelu", {w.input(), w.weight("weight", dims)});
  return {};
}
Text read_prelu(NodeReader& r) {
  const onnx::Tensor* slope = r.constant(1);
  if (!slope || r.plain(0) < 0) return text(NW_TR("its slopes are computed"));
  const Shape x = r.shape(0);
  const bool one = slope->elements() == 1 && (x[1] != 1 || slope->dims.size() < 3);
  auto slopes = per_channel(r, *slope, 0);
  if (!slopes && r.opset() < 7 && slope->dims.size() == 1 && slope->dims[0] == x[1]) slopes = onnx::floats_of(*slope);
  if (!slopes) return text(NW_TR("its slopes are neither one nor one for each channel"));
  if (one) slopes->resize(1);
  onnx::Tensor weight = floats({static_cast<std::int64_t>(slopes->size())}, *slopes);
  weight.name = slope->name;
  return r.becomes("PReLU", {{"num_parameters", std::string(one ? "1" : "channels")}}, {r.plain(0)},
                   {{"weight", std::move(weight)}});
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile elements_operators;
const exchange::OperatorFile elements_operators{[] {
  using namespace exchange;
  return std::vector<OperatorMapping>{
      {"ReLU", {{"Relu"}}, 13, write_plain<relu_op>, read_plain<relu>},
      {"Sigmoid", {{"Sigmoid"}}, 13, write_plain<sigmoid>, read_plain<sigmoid>},
      {"Tanh", {{"Tanh"}}, 13, write_plain<tanh_name>, read_plain<tanh_name>},
      {"ELU", {{"Elu"}}, 13, write_elu, read_elu},
      {"SELU", {{"Selu"}}, 13, write_selu, read_selu},
      {"LeakyReLU", {{"LeakyRelu"}}, 13, write_leaky_relu, read_leaky_relu},
      {"Softplus", {{"Softplus"}, {"Div"}}, 13, write_softplus, read_softplus, true},
      {"ReLU6", {{"Clip"}}, 13, write_relu6, read_relu6, true},
      {"Hardtanh", {{"Clip"}}, 13, write_hardtanh, read_hardtanh},
      {"Hardsigmoid", {{"HardSigmoid"}}, 13, write_hardsigmoid, read_hardsigmoid},
      {"SiLU", {{"Mul"}}, 13, write_silu, read_silu},
      {"Hardswish", {{"HardSwish", 14}, {"Mul"}}, 13, write_hardswish, read_hardswish},
      {"Mish", {{"Mish", 18}, {"Mul"}}, 13, write_mish, read_mish},
      {"GELU", {{"Gelu", 20}}, 20, write_gelu, read_gelu},
      {"Softmax", {{"Softmax"}}, 13, write_softmax, read_softmax},
      {"PReLU", {{"PRelu"}}, 13, write_prelu, read_prelu},
  };
}()};

}  // namespace nw

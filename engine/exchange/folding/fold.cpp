// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/folding/fold.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/exchange/folding/call.hpp"

namespace nw::exchange {
namespace folding {
namespace {

Folded same(const Call& c) {
  if (!c.input(0)) return not_folded(NW_TR("it has no input"));
  return *c.input(0);
}

Folded constant(const Call& c) {
  const auto it = c.node.attributes.find("value");
  if (it != c.node.attributes.end())
    if (const Tensor* t = std::get_if<Tensor>(&it->second)) return *t;
  const auto ints = c.node.integers("value_ints");
  if (c.node.has("value_ints")) return onnx::tensor_of("", {std::ssize(ints)}, ints);
  if (c.node.has("value_int")) return onnx::tensor_of("", {}, std::vector{c.node.integer("value_int", 0)});
  if (c.node.has("value_float"))
    return onnx::tensor_of("", {}, std::vector{static_cast<float>(c.node.real("value_float", 0))});
  return not_folded(NW_TR("it holds no tensor"));
}

bool is_real(Type t) { return t == Type::f32 || t == Type::f64 || t == Type::f16 || t == Type::bf16; }

/// Numbers as a tensor of another type; the types of sizes and weights only.
Folded typed(Type type, Dims dims, const std::vector<double>& values) {
  if (type == Type::f32) return onnx::tensor_of("", std::move(dims), std::vector<float>(values.begin(), values.end()));
  if (type == Type::i64) {
    std::vector<std::int64_t> whole;
    for (const double v : values) {
      if (!(std::abs(v) < 9e15)) return not_folded(NW_TR("its numbers are too large"));
      whole.push_back(static_cast<std::int64_t>(v));
    }
    return onnx::tensor_of("", std::move(dims), whole);
  }
  Tensor out{.name = {}, .type = type, .dims = std::move(dims), .bytes = {}};
  for (const double v : values) {
    if (type == Type::boolean)
      out.bytes.push_back(v != 0 ? 1 : 0);
    else if (type == Type::i32) {
      const auto i = static_cast<std::int32_t>(std::clamp(v, -2147483648.0, 2147483647.0));
      out.bytes.append(reinterpret_cast<const char*>(&i), sizeof i);
    } else if (type == Type::f64)
      out.bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
    else
      return not_folded(NW_TR("its type is not computed with"));
  }
  return out;
}

Folded cast(const Call& c) {
  const Type to = c.node.op == "CastLike" ? (c.input(1) ? c.input(1)->type : Type::undefined)
                                          : static_cast<Type>(c.node.integer("to", 0));
  if (to == c.input(0)->type) return *c.input(0);
  const auto values = onnx::reals_of(*c.input(0));
  if (!values) return not_folded(NW_TR("its type is not computed with"));
  return typed(to, c.input(0)->dims, *values);
}

std::optional<double> computed(std::string_view op, double a, double b, bool whole) {
  if (op == "Add") return a + b;
  if (op == "Sub") return a - b;
  if (op == "Mul") return a * b;
  if (op == "Div" && whole) return b == 0 ? std::nullopt : std::optional(std::trunc(a / b));
  if (op == "Div") return a / b;
  if (op == "Pow") return std::pow(a, b);
  if (op == "Equal") return a == b ? 1 : 0;
  if (op == "Less") return a < b ? 1 : 0;
  if (op == "Greater") return a > b ? 1 : 0;
  if (op == "Min") return std::min(a, b);
  if (op == "Max") return std::max(a, b);
  return std::nullopt;
}

Folded binary(const Call& c) {
  if (!c.input(1) || c.in.size() != 2) return not_folded(NW_TR("it has other than two inputs"));
  const auto dims = broadcast(c.input(0)->dims, c.input(1)->dims);
  if (!dims) return not_folded(NW_TR("its inputs do not fit"));
  NW_ASSIGN(const Tensor a, expanded(c, *c.input(0), *dims));
  NW_ASSIGN(const Tensor b, expanded(c, *c.input(1), *dims));
  const auto x = onnx::reals_of(a), y = onnx::reals_of(b);
  if (!x || !y) return not_folded(NW_TR("its type is not computed with"));
  const bool compares = c.node.op == "Equal" || c.node.op == "Less" || c.node.op == "Greater";
  std::vector<double> out(x->size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto stands_for_batch = [&](double v) { return v == static_cast<double>(c.batch); };
    if (!compares && !is_real(a.type) && (stands_for_batch((*x)[i]) || stands_for_batch((*y)[i])))
      return not_folded(NW_TR("it computes with the number of images"));
    const auto v = computed(c.node.op, (*x)[i], (*y)[i], !is_real(a.type));
    if (!v) return not_folded(NW_TR("it divides by zero"));
    out[i] = a.type == Type::f32 ? static_cast<double>(static_cast<float>(*v)) : *v;
  }
  return typed(compares ? Type::boolean : a.type, *dims, out);
}

Folded unary(const Call& c) {
  const auto x = onnx::reals_of(*c.input(0));
  if (!x) return not_folded(NW_TR("its type is not computed with"));
  std::vector<double> out;
  for (const double v : *x) {
    if (c.node.op == "Sqrt")
      out.push_back(std::sqrt(v));
    else if (c.node.op == "Neg")
      out.push_back(-v);
    else if (c.node.op == "Reciprocal")
      out.push_back(1 / v);
    else if (c.node.op == "Floor")
      out.push_back(std::floor(v));
    else if (c.node.op == "Ceil")
      out.push_back(std::ceil(v));
    else if (c.node.op == "Exp")
      out.push_back(std::exp(v));
    else
      out.push_back(std::abs(v));
  }
  return typed(c.input(0)->type, c.input(0)->dims, out);
}

Folded where(const Call& c) {
  if (!c.input(1) || !c.input(2)) return not_folded(NW_TR("it has fewer than three inputs"));
  const auto two = broadcast(c.input(0)->dims, c.input(1)->dims);
  const auto dims = two ? broadcast(*two, c.input(2)->dims) : std::nullopt;
  if (!dims || c.input(1)->type != c.input(2)->type) return not_folded(NW_TR("its inputs do not fit"));
  NW_ASSIGN(const Tensor which, expanded(c, *c.input(0), *dims));
  NW_ASSIGN(Tensor out, expanded(c, *c.input(1), *dims));
  NW_ASSIGN(const Tensor other, expanded(c, *c.input(2), *dims));
  const auto yes = onnx::reals_of(which);
  const std::size_t each = size_of(out.type);
  for (std::size_t i = 0; yes && i < yes->size(); ++i)
    if ((*yes)[i] == 0) std::memcpy(out.bytes.data() + i * each, other.bytes.data() + i * each, each);
  return out;
}

Folded constant_of_shape(const Call& c) {
  const auto dims = c.integers(0);
  if (!dims || onnx::elements_of(*dims) < 0 || onnx::elements_of(*dims) > c.most)
    return not_folded(NW_TR("its sizes are computed or impossible"));
  const auto it = c.node.attributes.find("value");
  const Tensor* value = it == c.node.attributes.end() ? nullptr : std::get_if<Tensor>(&it->second);
  const Tensor zero = onnx::tensor_of("", {1}, std::vector{0.0F});
  if (value && value->elements() != 1) return not_folded(NW_TR("it holds no tensor"));
  Tensor one = value ? *value : zero;
  one.dims = {};
  return expanded(c, one, *dims);
}

Folded range(const Call& c) {
  const auto a = c.input(0) ? onnx::reals_of(*c.input(0)) : std::nullopt;
  const auto b = c.input(1) ? onnx::reals_of(*c.input(1)) : std::nullopt;
  const auto step = c.input(2) ? onnx::reals_of(*c.input(2)) : std::nullopt;
  if (!a || !b || !step || a->size() != 1 || b->size() != 1 || step->size() != 1 || (*step)[0] == 0)
    return not_folded(NW_TR("its range is impossible"));
  const double count = std::max(0.0, std::ceil(((*b)[0] - (*a)[0]) / (*step)[0]));
  if (!(count <= static_cast<double>(c.most))) return not_folded(NW_TR("its result is too large"));
  std::vector<double> out;
  for (double i = 0; i < count; ++i) out.push_back((*a)[0] + i * (*step)[0]);
  return typed(c.input(0)->type, {std::ssize(out)}, out);
}

using Function = Folded (*)(const Call&);
const std::map<std::string_view, Function>& functions() {
  static const std::map<std::string_view, Function> all{
      {"Identity", same},       {"Constant", constant}, {"Shape", shape},   {"Reshape", reshape},
      {"Unsqueeze", unsqueeze}, {"Squeeze", squeeze},   {"Expand", expand}, {"Concat", concat},
      {"Gather", gather},       {"Slice", slice},       {"Cast", cast},     {"CastLike", cast},
      {"Add", binary},          {"Sub", binary},        {"Mul", binary},    {"Div", binary},
      {"Pow", binary},          {"Equal", binary},      {"Less", binary},   {"Greater", binary},
      {"Min", binary},          {"Max", binary},        {"Sqrt", unary},    {"Neg", unary},
      {"Reciprocal", unary},    {"Floor", unary},       {"Ceil", unary},    {"Exp", unary},
      {"Abs", unary},           {"Where", where},       {"Range", range},   {"ConstantOfShape", constant_of_shape},
      {"Transpose", transpose}};
  return all;
}

}  // namespace
}  // namespace folding

bool is_foldable(const onnx::Node& node) { return node.domain.empty() && folding::functions().contains(node.op); }

Result<std::vector<onnx::Tensor>> fold(const onnx::Node& node, const std::vector<const onnx::Tensor*>& inputs,
                                       std::int64_t opset, std::int64_t batch, std::int64_t most_elements) {
  const auto it = folding::functions().find(node.op);
  if (it == folding::functions().end()) return folding::not_folded(NW_TR("it is not computed in advance"));
  const bool reads = node.op != "Constant";
  if (reads && (inputs.empty() || !inputs[0])) return folding::not_folded(NW_TR("it has no input"));
  for (const onnx::Tensor* t : inputs)
    if (t && t->type == onnx::Type::text) return folding::not_folded(NW_TR("its type is not computed with"));
  NW_ASSIGN(onnx::Tensor out, it->second({node, inputs, opset, batch, most_elements}));
  return std::vector<onnx::Tensor>{std::move(out)};
}

}  // namespace nw::exchange

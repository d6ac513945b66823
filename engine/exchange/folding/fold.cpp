// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/folding/fold.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

namespace nw::exchange {
namespace {

using onnx::Dims;
using onnx::Node;
using onnx::Tensor;
using onnx::Type;

Error not_folded(const char* why) { return fail(Errc::bad_input, why); }

struct Call {
  const Node& node;
  const std::vector<const Tensor*>& in;
  std::int64_t opset, batch, most;

  const Tensor* input(std::size_t i) const { return i < in.size() ? in[i] : nullptr; }
  std::optional<std::vector<std::int64_t>> integers(std::size_t i) const {
    return input(i) ? onnx::integers_of(*input(i)) : std::nullopt;
  }
  /// A list that became an input in version `since`, and was an attribute before.
  std::optional<std::vector<std::int64_t>> list(std::size_t i, const char* attribute) const {
    return input(i) ? integers(i) : node.has(attribute) ? std::optional(node.integers(attribute)) : std::nullopt;
  }
};
using Folded = Result<Tensor>;

std::int64_t axis_of(std::int64_t axis, std::size_t rank) {
  return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
}

Tensor like(const Tensor& t, Dims dims) { return {.name = {}, .type = t.type, .dims = std::move(dims), .bytes = {}}; }

std::vector<std::int64_t> strides_of(const Dims& dims) {
  std::vector<std::int64_t> strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

/// Copies elements: element i of `out` is that of `from` at `start` + the sum of its index times `strides`.
Folded gathered(const Call& c, const Tensor& from, Dims dims, const std::vector<std::int64_t>& strides,
                std::int64_t start = 0) {
  Tensor out = like(from, dims);
  const std::int64_t count = out.elements();
  const std::size_t each = size_of(from.type);
  if (count < 0 || count > c.most) return not_folded(NW_TR("its result is too large"));
  out.bytes.resize(static_cast<std::size_t>(count) * each);
  std::vector<std::int64_t> index(dims.size(), 0);
  std::int64_t at = start;
  for (std::int64_t i = 0; i < count; ++i) {
    if (at < 0 || (static_cast<std::size_t>(at) + 1) * each > from.bytes.size())
      return not_folded(NW_TR("its indices are outside"));
    std::memcpy(out.bytes.data() + static_cast<std::size_t>(i) * each,
                from.bytes.data() + static_cast<std::size_t>(at) * each, each);
    for (std::size_t d = dims.size(); d-- > 0;) {
      at += strides[d];
      if (++index[d] < dims[d]) break;
      at -= strides[d] * dims[d];
      index[d] = 0;
    }
  }
  return out;
}

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

Folded shape(const Call& c) {
  const Dims& dims = c.input(0)->dims;
  const auto rank = std::ssize(dims);
  std::int64_t start = c.node.integer("start", 0), end = c.node.integer("end", rank);
  start = std::clamp<std::int64_t>(start < 0 ? start + rank : start, 0, rank);
  end = std::clamp<std::int64_t>(end < 0 ? end + rank : end, start, rank);
  return onnx::tensor_of(
      "", {end - start},
      std::span(dims).subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start)));
}

Folded reshape(const Call& c) {
  auto to = c.list(1, "shape");
  if (!to) return not_folded(NW_TR("its sizes are computed"));
  std::int64_t known = 1, open = -1;
  for (std::size_t i = 0; i < to->size(); ++i) {
    std::int64_t& size = (*to)[i];
    if (size == 0 && i < c.input(0)->dims.size() && c.node.integer("allowzero", 0) == 0) size = c.input(0)->dims[i];
    if (size == -1)
      open = static_cast<std::int64_t>(i);
    else if (size < 0 || __builtin_mul_overflow(known, size, &known))
      return not_folded(NW_TR("its sizes are impossible"));
  }
  const std::int64_t all = c.input(0)->elements();
  if (open >= 0) {
    if (known == 0 || all % known != 0) return not_folded(NW_TR("its sizes are impossible"));
    (*to)[static_cast<std::size_t>(open)] = all / known;
  }
  Tensor out = *c.input(0);
  out.dims = *to;
  if (out.elements() != all) return not_folded(NW_TR("its sizes are impossible"));
  return out;
}

Folded unsqueeze(const Call& c) {
  auto axes = c.list(1, "axes");
  if (!axes) return not_folded(NW_TR("its axes are computed"));
  Tensor out = *c.input(0);
  for (std::int64_t& a : *axes) a = axis_of(a, out.dims.size() + axes->size());
  std::sort(axes->begin(), axes->end());
  for (const std::int64_t a : *axes) {
    if (a < 0 || a > std::ssize(out.dims)) return not_folded(NW_TR("its axes are impossible"));
    out.dims.insert(out.dims.begin() + a, 1);
  }
  return out;
}

Folded squeeze(const Call& c) {
  const auto axes = c.list(1, "axes");
  Tensor out = *c.input(0);
  Dims dims;
  for (std::size_t i = 0; i < out.dims.size(); ++i) {
    bool named = !axes;
    for (const std::int64_t a : axes.value_or(std::vector<std::int64_t>{}))
      named = named || axis_of(a, out.dims.size()) == static_cast<std::int64_t>(i);
    if (!named || out.dims[i] != 1) dims.push_back(out.dims[i]);
  }
  out.dims = dims;
  if (out.elements() != c.input(0)->elements()) return not_folded(NW_TR("its axes are impossible"));
  return out;
}

Folded transpose(const Call& c) {
  const Tensor& x = *c.input(0);
  std::vector<std::int64_t> perm = c.node.integers("perm");
  if (perm.empty())
    for (std::size_t i = x.dims.size(); i-- > 0;) perm.push_back(static_cast<std::int64_t>(i));
  if (perm.size() != x.dims.size()) return not_folded(NW_TR("its axes are impossible"));
  const auto from = strides_of(x.dims);
  Dims dims;
  std::vector<std::int64_t> strides;
  for (const std::int64_t p : perm) {
    if (p < 0 || p >= std::ssize(x.dims)) return not_folded(NW_TR("its axes are impossible"));
    dims.push_back(x.dims[static_cast<std::size_t>(p)]);
    strides.push_back(from[static_cast<std::size_t>(p)]);
  }
  return gathered(c, x, dims, strides);
}

/// Numpy's broadcasting of two shapes; nothing: they do not fit.
std::optional<Dims> broadcast(const Dims& a, const Dims& b) {
  Dims out(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) return std::nullopt;
    out[out.size() - 1 - i] = x == 1 ? y : x;
  }
  return out;
}

Folded expanded(const Call& c, const Tensor& x, const Dims& to) {
  const auto from = strides_of(x.dims);
  std::vector<std::int64_t> strides(to.size(), 0);
  for (std::size_t i = 0; i < x.dims.size(); ++i)
    if (x.dims[i] != 1) strides[to.size() - x.dims.size() + i] = from[i];
  return gathered(c, x, to, strides);
}

Folded expand(const Call& c) {
  const auto to = c.integers(1);
  const auto dims = to ? broadcast(c.input(0)->dims, *to) : std::nullopt;
  if (!dims) return not_folded(NW_TR("its sizes are computed or impossible"));
  return expanded(c, *c.input(0), *dims);
}

Folded concat(const Call& c) {
  const Tensor& first = *c.input(0);
  const std::int64_t axis = axis_of(c.node.integer("axis", 0), first.dims.size());
  if (axis < 0 || axis >= std::ssize(first.dims)) return not_folded(NW_TR("its axes are impossible"));
  const auto at = static_cast<std::size_t>(axis);
  Dims dims = first.dims;
  dims[at] = 0;
  std::int64_t outer = 1;
  for (std::size_t i = 0; i < at; ++i) outer *= first.dims[i];
  for (const Tensor* t : c.in) {
    if (!t || t->type != first.type || t->dims.size() != dims.size()) return not_folded(NW_TR("its parts do not fit"));
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (i != at && t->dims[i] != dims[i]) return not_folded(NW_TR("its parts do not fit"));
    dims[at] += t->dims[at];
  }
  Tensor out = like(first, dims);
  if (out.elements() < 0 || out.elements() > c.most) return not_folded(NW_TR("its result is too large"));
  for (std::int64_t o = 0; o < outer; ++o)
    for (const Tensor* t : c.in) {
      const std::size_t each = t->bytes.size() / static_cast<std::size_t>(std::max<std::int64_t>(1, outer));
      out.bytes.append(t->bytes, static_cast<std::size_t>(o) * each, each);
    }
  return out;
}

Folded gather(const Call& c) {
  const Tensor& x = *c.input(0);
  const auto which = c.integers(1);
  const std::int64_t axis = axis_of(c.node.integer("axis", 0), x.dims.size());
  if (!which || axis < 0 || axis >= std::ssize(x.dims)) return not_folded(NW_TR("its indices are computed"));
  const auto at = static_cast<std::size_t>(axis);
  Dims dims(x.dims.begin(), x.dims.begin() + axis);
  dims.insert(dims.end(), c.input(1)->dims.begin(), c.input(1)->dims.end());
  dims.insert(dims.end(), x.dims.begin() + axis + 1, x.dims.end());
  Tensor out = like(x, dims);
  if (out.elements() < 0 || out.elements() > c.most) return not_folded(NW_TR("its result is too large"));
  std::size_t outer = 1, inner = size_of(x.type);
  for (std::size_t i = 0; i < at; ++i) outer *= static_cast<std::size_t>(x.dims[i]);
  for (std::size_t i = at + 1; i < x.dims.size(); ++i) inner *= static_cast<std::size_t>(x.dims[i]);
  const auto size = x.dims[at];
  for (std::size_t o = 0; o < outer; ++o)
    for (const std::int64_t w : *which) {
      const std::int64_t i = w < 0 ? w + size : w;
      if (i < 0 || i >= size) return not_folded(NW_TR("its indices are outside"));
      out.bytes.append(x.bytes, (o * static_cast<std::size_t>(size) + static_cast<std::size_t>(i)) * inner, inner);
    }
  return out;
}

Folded slice(const Call& c) {
  const Tensor& x = *c.input(0);
  const auto starts = c.list(1, "starts"), ends = c.list(2, "ends");
  auto axes = c.list(3, "axes"), steps = c.list(4, "steps");
  if (!starts || !ends || starts->size() != ends->size()) return not_folded(NW_TR("its range is computed"));
  if (!axes) {
    axes.emplace(starts->size());
    std::iota(axes->begin(), axes->end(), 0);
  }
  Dims dims = x.dims;
  std::vector<std::int64_t> strides = strides_of(x.dims);
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const std::int64_t axis = i < axes->size() ? axis_of((*axes)[i], x.dims.size()) : -1;
    const std::int64_t step = steps && i < steps->size() ? (*steps)[i] : 1;
    if (axis < 0 || axis >= std::ssize(x.dims) || step == 0 || step < -(1 << 30) || step > (1 << 30))
      return not_folded(NW_TR("its range is impossible"));
    const auto at = static_cast<std::size_t>(axis);
    const std::int64_t size = x.dims[at];
    const auto inside = [&](std::int64_t v, std::int64_t lo, std::int64_t hi) {
      return std::clamp(v < 0 ? (v < -size ? -1 : v + size) : v, lo, hi);
    };
    const std::int64_t from = step > 0 ? inside((*starts)[i], 0, size) : inside((*starts)[i], -1, size - 1);
    const std::int64_t to = step > 0 ? inside((*ends)[i], 0, size) : inside((*ends)[i], -1, size - 1);
    dims[at] = step > 0 ? std::max<std::int64_t>(0, (to - from + step - 1) / step)
                        : std::max<std::int64_t>(0, (from - to - step - 1) / -step);
    begin += from * strides[at];
    strides[at] *= step;
  }
  return gathered(c, x, dims, strides, begin);
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

bool is_foldable(const Node& node) { return node.domain.empty() && functions().contains(node.op); }

Result<std::vector<Tensor>> fold(const Node& node, const std::vector<const Tensor*>& inputs, std::int64_t opset,
                                 std::int64_t batch, std::int64_t most_elements) {
  const auto it = functions().find(node.op);
  if (it == functions().end()) return not_folded(NW_TR("it is not computed in advance"));
  const bool reads = node.op != "Constant";
  if (reads && (inputs.empty() || !inputs[0])) return not_folded(NW_TR("it has no input"));
  for (const Tensor* t : inputs)
    if (t && t->type == Type::text) return not_folded(NW_TR("its type is not computed with"));
  NW_ASSIGN(Tensor out, it->second({node, inputs, opset, batch, most_elements}));
  return std::vector<Tensor>{std::move(out)};
}

}  // namespace nw::exchange

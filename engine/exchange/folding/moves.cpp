// SPDX-License-Identifier: Apache-2.0
// Operators that move elements without changing them.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "engine/exchange/folding/call.hpp"

namespace nw::exchange::folding {
namespace {

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

}  // namespace

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

}  // namespace nw::exchange::folding

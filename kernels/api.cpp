// SPDX-License-Identifier: Apache-2.0
#include "kernels/api.hpp"

#include <algorithm>

namespace nw {

Shape::Shape(std::initializer_list<std::int64_t> dims)
    : Shape(std::span<const std::int64_t>(dims.begin(), dims.size())) {}

Shape::Shape(std::span<const std::int64_t> dims) : rank_(static_cast<int>(dims.size())) {
  assert(dims.size() <= max_rank);
  std::copy(dims.begin(), dims.end(), dims_.begin());
}

std::int64_t Shape::elements() const {
  std::int64_t n = 1;
  for (int i = 0; i < rank_; ++i) n *= dims_[static_cast<std::size_t>(i)];
  return n;
}

std::int64_t Shape::per_sample() const {
  std::int64_t n = 1;
  for (int i = 1; i < rank_; ++i) n *= dims_[static_cast<std::size_t>(i)];
  return n;
}

std::string to_string(const Shape& s, bool skip_batch) {
  std::string out;
  for (int i = skip_batch ? 1 : 0; i < s.rank(); ++i) out += (out.empty() ? "" : "×") + std::to_string(s[i]);
  return out;
}

std::size_t size_of(DType t) {
  switch (t) {
    case DType::f32:
    case DType::tf32:
      return 4;
    case DType::bf16:
    case DType::f16:
      return 2;
    case DType::f64:
    case DType::i64:
      return 8;
    case DType::u8:
      return 1;
  }
  return 0;
}

std::int64_t int_attr(const StepAttrs& a, std::string_view name) {
  const auto it = a.find(name);
  assert(it != a.end());
  return std::get<std::int64_t>(it->second);
}
std::int64_t int_attr(const StepAttrs& a, std::string_view name, std::int64_t otherwise) {
  const auto it = a.find(name);
  return it == a.end() ? otherwise : std::get<std::int64_t>(it->second);
}
double real_attr(const StepAttrs& a, std::string_view name) {
  const auto it = a.find(name);
  assert(it != a.end());
  if (const auto* i = std::get_if<std::int64_t>(&it->second)) return static_cast<double>(*i);
  return std::get<double>(it->second);
}
double real_attr(const StepAttrs& a, std::string_view name, double otherwise) {
  return a.find(name) == a.end() ? otherwise : real_attr(a, name);
}

std::span<const double> reals_attr(const StepAttrs& a, std::string_view name) {
  const auto it = a.find(name);
  if (it == a.end()) return {};
  return std::get<std::vector<double>>(it->second);
}

int Plan::find(std::string_view value_name) const {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].name == value_name) return static_cast<int>(i);
  return -1;
}

}  // namespace nw

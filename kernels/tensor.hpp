// SPDX-License-Identifier: Apache-2.0
// Shapes, element types, layouts and step attributes: what settings and layers need of the backend interface (api.hpp).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/variant.hpp"

namespace nw {

/// Sizes of a tensor, outermost first. Images are (N,C,H,W), vectors (N,features), independent of the layout in memory.
class Shape {
 public:
  static constexpr int max_rank = 6;
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> dims);
  explicit Shape(std::span<const std::int64_t> dims);
  int rank() const { return rank_; }
  std::int64_t operator[](int i) const { return dims_[static_cast<std::size_t>(i)]; }
  std::int64_t& operator[](int i) { return dims_[static_cast<std::size_t>(i)]; }
  std::int64_t elements() const;    // product of all sizes; 1 for rank 0
  std::int64_t per_sample() const;  // product without the first size
  bool operator==(const Shape&) const = default;

 private:
  std::array<std::int64_t, max_rank> dims_{};
  int rank_ = 0;
};
/// "16×5×5"; with `skip_batch` the first size is left out (the label of a connection).
std::string to_string(const Shape& s, bool skip_batch = false);

/// tf32 is a format of computation, never of a stored value: products use the upper 19 bits of f32 operands.
enum class DType : std::uint8_t { f32, bf16, f16, f64, i64, u8, tf32 };
std::size_t size_of(DType);

/// The order of a value's elements in memory; an attribute of each plan value, set by a pass.
enum class Layout : std::uint8_t {
  // rank 4: channels innermost; other ranks: row-major. The reference layout, and the host layout of Executable::read
  // and write.
  nhwc,
  torch,    // row-major in PyTorch's order (OIHW, out x in), as in files. The host layout of all weights.
  lanes16,  // batch in lanes: [ceil(N/16)][per-sample elements in (C,H,W) order][16 images]
};

/// An attribute of a step. Kernels read attributes by name; a missing one is a bug of the compiler.
using StepAttr = Variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;
using StepAttrs = std::map<std::string, StepAttr, std::less<>>;
std::int64_t int_attr(const StepAttrs&, std::string_view name);
std::int64_t int_attr(const StepAttrs&, std::string_view name, std::int64_t otherwise);
double real_attr(const StepAttrs&, std::string_view name);
double real_attr(const StepAttrs&, std::string_view name, double otherwise);
/// Empty where the attribute is missing.
std::span<const double> reals_attr(const StepAttrs&, std::string_view name);

}  // namespace nw

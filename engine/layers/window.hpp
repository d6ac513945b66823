// SPDX-License-Identifier: Apache-2.0
// Shared by the layers that slide a window over an image: convolutions and poolings.
#pragma once
#include "engine/design/layer_type.hpp"

namespace nw {

/// Height and width of an attribute, as kernels take them.
inline std::vector<std::int64_t> height_and_width(const Attrs& a, const char* name) {
  const auto [h, w] = a.pair(name);
  return {h, w};
}

inline StepAttrs conv_geometry(const Attrs& a) {
  return {{"stride", height_and_width(a, "stride")},
          {"padding", height_and_width(a, "padding")},
          {"dilation", height_and_width(a, "dilation")},
          {"groups", a.integer("groups")}};
}

inline StepAttrs pool_geometry(const Attrs& a) {
  return {{"kernel", height_and_width(a, "kernel_size")},
          {"stride", height_and_width(a, "stride")},
          {"padding", height_and_width(a, "padding")}};
}

inline Inferred<Shape> infer_pool(const Attrs& a, std::span<const Shape> in) {
  const Shape& x = in[0];
  if (x.rank() != 4) return ShapeError{text(NW_TR("Needs an image, gets a vector of {0}"), to_string(x, true)), 0, {}};
  const auto [kh, kw] = a.pair("kernel_size");
  const auto [sh, sw] = a.pair("stride");
  const auto [ph, pw] = a.pair("padding");
  if (2 * ph > kh || 2 * pw > kw)
    return ShapeError{text(NW_TR("The padding {0}×{1} is more than half of the window {2}×{3}"), ph, pw, kh, kw),
                      0,
                      {QuickFix::set_padding}};
  const std::int64_t rh = x[2] + 2 * ph - kh, rw = x[3] + 2 * pw - kw;
  if (rh < 0 || rw < 0)
    return ShapeError{
        text(NW_TR("The window {0}×{1} is larger than the padded image {2}×{3}"), kh, kw, x[2] + 2 * ph, x[3] + 2 * pw),
        0,
        {QuickFix::shrink_window, QuickFix::remove}};
  return Shape{x[0], x[1], rh / sh + 1, rw / sw + 1};
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// The outputs of a product in order, and what becomes of their sums.
#pragma once
#include "kernels/cpu/int8/isa/vectors.hpp"

namespace nw::int8::NW_INT8_ISA {
namespace {

/// Walks over the outputs of all images.
struct Walk {
  const Product& p;
  i64 image, y, x;
  Walk(const Product& product, i64 pixel) : p(product) {
    const i64 each = p.out.height * p.out.width;
    image = pixel / each;
    y = pixel % each / p.out.width;
    x = pixel % p.out.width;
  }
  const std::uint8_t* in() const { return p.in.at + image * p.in.image + y * p.step_y + x * p.step_x; }
  /// Null where scores are stored: there is no image then.
  std::uint8_t* out() const {
    return p.scores ? nullptr : p.out.at + image * p.out.image + y * p.out.row + x * p.out.channels;
  }
  void next() {
    if (++x < p.out.width) return;
    x = 0;
    if (++y < p.out.height) return;
    y = 0;
    ++image;
  }
};

/// Stores the sums of block `b` of an output: `pixel`, at `out`.
NW_INLINE void finish(const Product& p, std::uint8_t* out, i64 pixel, i64 b, Ints sums) {
  const i64 first = b * block, count = p.outputs - first;
  const Floats v = real(sums + load(p.constants->bias.data() + first)) * load(p.constants->factor.data() + first);
  if (!p.scores) return store_bytes(out + p.first_output + first, rounded(v, p.rounding), count);
  float* to = p.scores + pixel * p.outputs + first;
  if (count >= block) return store(to, v);
  std::memcpy(to, &v, static_cast<std::size_t>(count) * sizeof(float));
}

}  // namespace
}  // namespace nw::int8::NW_INT8_ISA

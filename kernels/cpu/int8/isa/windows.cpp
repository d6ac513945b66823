// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions and pooling: sixteen channels at once.
#include <algorithm>

#include "kernels/cpu/int8/isa/functions.hpp"
#include "kernels/cpu/int8/isa/vectors.hpp"

namespace nw::int8::NW_INT8_ISA {
namespace {

/// The pixels of the input under a window of one axis.
struct Window {
  i64 first, last;
  Window(i64 at, i64 kernel, i64 stride, i64 padding, i64 size) {
    const i64 begin = at * stride - padding;
    first = std::max<i64>(0, begin);
    last = std::min(size, begin + kernel);
  }
};

void max_of(const Pool& p, const std::uint8_t* image, const Window& y, const Window& x, std::uint8_t* out) {
  for (i64 c = 0; c < p.in.channels; c += block) {
    Bytes most{};
    for (i64 iy = y.first; iy < y.last; ++iy)
      for (i64 ix = x.first; ix < x.last; ++ix) {
        const Bytes in = *reinterpret_cast<const Bytes*>(image + iy * p.in.row + ix * p.in.channels + c);
        most = in > most ? in : most;
      }
    store_some(out + c, most, p.in.channels - c);
  }
}

void mean_of(const Pool& p, const std::uint8_t* image, const Window& y, const Window& x, std::uint8_t* out) {
  const i64 inside = (y.last - y.first) * (x.last - x.first),
            count = p.counts_padding ? p.kernel_y * p.kernel_x : inside;
  const float factor = p.factor / static_cast<float>(count);
  for (i64 c = 0; c < p.in.channels; c += block) {
    Ints sums = Ints{} - static_cast<std::int32_t>(inside) * p.zero;
    for (i64 iy = y.first; iy < y.last; ++iy)
      for (i64 ix = x.first; ix < x.last; ++ix) sums += widened(image + iy * p.in.row + ix * p.in.channels + c);
    store_bytes(out + c, rounded(real(sums) * factor, p.rounding), p.in.channels - c);
  }
}

}  // namespace

void depthwise(const Depthwise& d, Range rows) {
  const i64 channels = d.out.channels, whole = (channels + block - 1) / block * block;
  each_row(d.in, d.out, rows, [&](const std::uint8_t* image, std::uint8_t* out, i64 y) {
    for (i64 x = 0; x < d.out.width; ++x)
      for (i64 c = 0; c < channels; c += block) {
        const std::uint8_t* in = image + y * d.step_y + x * d.step_x + c;
        const std::int8_t* w = d.constants->weights.data() + c;
        Ints sums = load(d.constants->bias.data() + c);
        for (const i64 tap : d.taps) {
          sums += widened(in + tap) * widened(w);
          w += whole;
        }
        store_bytes(out + x * channels + c, rounded(real(sums) * load(d.constants->factor.data() + c), d.rounding),
                    channels - c);
      }
  });
}

void pool(const Pool& p, Range rows) {
  each_row(p.in, p.out, rows, [&](const std::uint8_t* image, std::uint8_t* out, i64 oy) {
    const Window y(oy, p.kernel_y, p.stride_y, p.padding_y, p.in.height);
    for (i64 ox = 0; ox < p.out.width; ++ox, out += p.out.channels) {
      const Window x(ox, p.kernel_x, p.stride_x, p.padding_x, p.in.width);
      p.mean ? mean_of(p, image, y, x, out) : max_of(p, image, y, x, out);
    }
  });
}

}  // namespace nw::int8::NW_INT8_ISA

// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/pixels.hpp"

#include <algorithm>

#include "engine/core/resize.hpp"

namespace nw::predicting {
Image with_channels(const Image& p, std::int64_t channels) {
  if (p.channels == channels || (p.channels != 1 && p.channels != 3) || (channels != 1 && channels != 3)) return p;
  Image out{p.height, p.width, channels, {}};
  const auto count = static_cast<std::size_t>(p.height * p.width);
  out.hwc.reserve(count * static_cast<std::size_t>(channels));
  for (std::size_t i = 0; i < count; ++i) {
    if (channels == 3)
      out.hwc.insert(out.hwc.end(), 3, p.hwc[i]);
    else
      out.hwc.push_back(static_cast<std::uint8_t>(
          (299 * p.hwc[3 * i] + 587 * p.hwc[3 * i + 1] + 114 * p.hwc[3 * i + 2] + 500) / 1000));
  }
  return out;
}

void append_rgba(const Image& p, std::int64_t size, std::vector<std::uint8_t>& out) {
  const std::int64_t longest = std::max<std::int64_t>(1, std::max(p.height, p.width));
  const Image colour = with_channels(p, 3);
  const std::int64_t h = std::max<std::int64_t>(1, p.height * size / longest),
                     w = std::max<std::int64_t>(1, p.width * size / longest);
  const Image scaled = resized(colour, h, w, longest <= size ? Resampling::nearest : Resampling::area);
  const std::size_t begin = out.size();
  out.resize(begin + static_cast<std::size_t>(size * size * 4), 0);
  const std::int64_t top = (size - h) / 2, left = (size - w) / 2;
  for (std::int64_t y = 0; y < h; ++y)
    for (std::int64_t x = 0; x < w; ++x) {
      std::uint8_t* to = out.data() + begin + static_cast<std::size_t>(((top + y) * size + left + x) * 4);
      const std::size_t from = static_cast<std::size_t>((y * w + x) * scaled.channels);
      for (std::int64_t c = 0; c < 3; ++c)
        to[c] = scaled.hwc[from + static_cast<std::size_t>(std::min(c, scaled.channels - 1))];
      to[3] = 255;
    }
}

}  // namespace nw::predicting

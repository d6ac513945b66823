// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/pixels.hpp"

#include <algorithm>
#include <cmath>

namespace nw::predicting {
namespace {

struct Tap {
  std::int64_t from;
  float weight;
};

/// Weights of source positions for each target position along one axis.
std::vector<std::vector<Tap>> taps(std::int64_t from, std::int64_t to) {
  std::vector<std::vector<Tap>> all(static_cast<std::size_t>(to));
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  for (std::int64_t i = 0; i < to; ++i) {
    auto& list = all[static_cast<std::size_t>(i)];
    if (scale > 1) {
      const double begin = static_cast<double>(i) * scale, end = begin + scale;
      for (auto s = static_cast<std::int64_t>(begin); s < from && static_cast<double>(s) < end; ++s) {
        const double share = std::min(end, static_cast<double>(s) + 1) - std::max(begin, static_cast<double>(s));
        if (share > 0) list.push_back({s, static_cast<float>(share / scale)});
      }
    } else {
      const double at = std::clamp((static_cast<double>(i) + 0.5) * scale - 0.5, 0.0, static_cast<double>(from - 1));
      const auto low = static_cast<std::int64_t>(at);
      const auto high = std::min(low + 1, from - 1);
      const auto part = static_cast<float>(at - static_cast<double>(low));
      list = {{low, 1 - part}, {high, part}};
    }
  }
  return all;
}

}  // namespace

Pixels resized(const Pixels& p, std::int64_t height, std::int64_t width) {
  if (p.height == height && p.width == width) return p;
  const auto rows = taps(p.height, height), columns = taps(p.width, width);
  Pixels out{height, width, p.channels,
             std::vector<std::uint8_t>(static_cast<std::size_t>(height * width * p.channels))};
  std::vector<float> line(static_cast<std::size_t>(p.width * p.channels));
  for (std::int64_t y = 0; y < height; ++y) {
    std::fill(line.begin(), line.end(), 0.0f);
    for (const Tap& t : rows[static_cast<std::size_t>(y)])
      for (std::size_t i = 0; i < line.size(); ++i)
        line[i] += t.weight * static_cast<float>(p.hwc[static_cast<std::size_t>(t.from * p.width * p.channels) + i]);
    for (std::int64_t x = 0; x < width; ++x)
      for (std::int64_t c = 0; c < p.channels; ++c) {
        float sum = 0;
        for (const Tap& t : columns[static_cast<std::size_t>(x)])
          sum += t.weight * line[static_cast<std::size_t>(t.from * p.channels + c)];
        out.hwc[static_cast<std::size_t>((y * width + x) * p.channels + c)] =
            static_cast<std::uint8_t>(std::clamp(std::lround(sum), 0L, 255L));
      }
  }
  return out;
}

Pixels with_channels(const Pixels& p, std::int64_t channels) {
  if (p.channels == channels || (p.channels != 1 && p.channels != 3) || (channels != 1 && channels != 3)) return p;
  Pixels out{p.height, p.width, channels, {}};
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

void append_rgba(const Pixels& p, std::int64_t size, std::vector<std::uint8_t>& out) {
  const std::int64_t longest = std::max<std::int64_t>(1, std::max(p.height, p.width));
  const Pixels colour = with_channels(p, 3);
  const bool whole = longest <= size;
  const std::int64_t h = std::max<std::int64_t>(1, p.height * size / longest),
                     w = std::max<std::int64_t>(1, p.width * size / longest);
  const Pixels scaled = whole ? colour : resized(colour, h, w);
  const std::size_t begin = out.size();
  out.resize(begin + static_cast<std::size_t>(size * size * 4), 0);
  const std::int64_t top = (size - h) / 2, left = (size - w) / 2;
  for (std::int64_t y = 0; y < h; ++y)
    for (std::int64_t x = 0; x < w; ++x) {
      const std::int64_t sy = whole ? y * p.height / h : y, sx = whole ? x * p.width / w : x;
      std::uint8_t* to = out.data() + begin + static_cast<std::size_t>(((top + y) * size + left + x) * 4);
      const std::size_t from = static_cast<std::size_t>((sy * scaled.width + sx) * scaled.channels);
      for (std::int64_t c = 0; c < 3; ++c)
        to[c] = scaled.hwc[from + static_cast<std::size_t>(std::min(c, scaled.channels - 1))];
      to[3] = 255;
    }
}

}  // namespace nw::predicting

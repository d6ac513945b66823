// SPDX-License-Identifier: Apache-2.0
#include "engine/core/resize.hpp"

#include <algorithm>
#include <cmath>

namespace nw {
namespace {

/// The weight of one source position in a target position.
struct ResizeTap {
  std::int64_t from;
  float weight;
};
using ResizeTaps = std::vector<std::vector<ResizeTap>>;  // by target position

std::vector<ResizeTap> area_taps(std::int64_t i, double scale, std::int64_t from) {
  std::vector<ResizeTap> list;
  const double begin = static_cast<double>(i) * scale, end = begin + scale;
  for (auto s = static_cast<std::int64_t>(begin); s < from && static_cast<double>(s) < end; ++s) {
    const double share = std::min(end, static_cast<double>(s) + 1) - std::max(begin, static_cast<double>(s));
    if (share > 0) list.push_back({s, static_cast<float>(share / scale)});
  }
  return list;
}

std::vector<ResizeTap> bilinear_taps(std::int64_t i, double scale, std::int64_t from) {
  const double at = std::clamp((static_cast<double>(i) + 0.5) * scale - 0.5, 0.0, static_cast<double>(from - 1));
  const auto low = static_cast<std::int64_t>(at);
  const auto part = static_cast<float>(at - static_cast<double>(low));
  return {{low, 1 - part}, {std::min(low + 1, from - 1), part}};
}

ResizeTaps resize_taps(std::int64_t from, std::int64_t to, Resampling how) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  ResizeTaps all(static_cast<std::size_t>(to));
  for (std::int64_t i = 0; i < to; ++i) {
    auto& list = all[static_cast<std::size_t>(i)];
    if (how == Resampling::nearest)
      list = {{i * from / to, 1.0f}};
    else if (how == Resampling::area && scale > 1)
      list = area_taps(i, scale, from);
    else
      list = bilinear_taps(i, scale, from);
  }
  return all;
}

/// Calls `put` with each number of the result in memory order. Columns are summed after rows.
template <class T, class Put>
void resample(std::span<const T> from, std::size_t width, std::size_t channels, const ResizeTaps& rows,
              const ResizeTaps& columns, const Put& put) {
  std::vector<float> line(width * channels);
  for (const auto& row : rows) {
    std::fill(line.begin(), line.end(), 0.0f);
    for (const ResizeTap& t : row)
      for (std::size_t i = 0; i < line.size(); ++i)
        line[i] += t.weight * static_cast<float>(from[static_cast<std::size_t>(t.from) * line.size() + i]);
    for (const auto& column : columns)
      for (std::size_t c = 0; c < channels; ++c) {
        float sum = 0;
        for (const ResizeTap& t : column) sum += t.weight * line[static_cast<std::size_t>(t.from) * channels + c];
        put(sum);
      }
  }
}

}  // namespace

Image resized(const Image& p, std::int64_t height, std::int64_t width, Resampling how) {
  if (p.height == height && p.width == width) return p;
  Image out{height, width, p.channels, {}};
  out.hwc.reserve(static_cast<std::size_t>(height * width * p.channels));
  resample(std::span<const std::uint8_t>(p.hwc), static_cast<std::size_t>(p.width),
           static_cast<std::size_t>(p.channels), resize_taps(p.height, height, how), resize_taps(p.width, width, how),
           [&](float v) { out.hwc.push_back(static_cast<std::uint8_t>(std::clamp(std::lround(v), 0L, 255L))); });
  return out;
}

std::vector<float> resized(std::span<const float> map, std::int64_t height, std::int64_t width, std::int64_t to_height,
                           std::int64_t to_width, Resampling how) {
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(to_height * to_width));
  resample(map, static_cast<std::size_t>(width), 1, resize_taps(height, to_height, how),
           resize_taps(width, to_width, how), [&](float v) { out.push_back(v); });
  return out;
}

}  // namespace nw

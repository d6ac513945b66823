// SPDX-License-Identifier: Apache-2.0
#include "engine/core/resize.hpp"

#include <algorithm>
#include <array>
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

/// The weights of consecutive source positions in a target position, as Pillow's precompute_coeffs() with its bilinear
/// filter: a triangle as wide as two target pixels, or two source pixels if the axis becomes longer.
struct Triangle {
  std::int64_t first = 0;
  std::vector<double> weights;
};
Triangle triangle(std::int64_t i, double scale, std::int64_t from) {
  const double wide = std::max(scale, 1.0), centre = (static_cast<double>(i) + 0.5) * scale;
  const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(centre - wide + 0.5)),
             end = std::min(from, static_cast<std::int64_t>(centre + wide + 0.5));
  Triangle t{first, {}};
  double sum = 0;
  for (std::int64_t s = first; s < end; ++s) {
    const double distance = std::abs((static_cast<double>(s) - centre + 0.5) / wide);
    t.weights.push_back(distance < 1 ? 1 - distance : 0);
    sum += t.weights.back();
  }
  for (double& w : t.weights) w /= sum;
  return t;
}

std::vector<ResizeTap> triangle_taps(std::int64_t i, double scale, std::int64_t from) {
  const Triangle t = triangle(i, scale, from);
  std::vector<ResizeTap> list;
  for (std::size_t k = 0; k < t.weights.size(); ++k)
    list.push_back({t.first + static_cast<std::int64_t>(k), static_cast<float>(t.weights[k])});
  return list;
}

ResizeTaps resize_taps(std::int64_t from, std::int64_t to, Resampling how) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  ResizeTaps all(static_cast<std::size_t>(to));
  for (std::int64_t i = 0; i < to; ++i) {
    auto& list = all[static_cast<std::size_t>(i)];
    if (how == Resampling::antialiased)
      list = triangle_taps(i, scale, from);
    else if (how == Resampling::nearest)
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

/// Weights in fixed point: products of bytes are added without rounding errors, as in Pillow's Resample.c.
constexpr int precision_bits = 32 - 8 - 2;
struct FixedTaps {
  std::size_t first = 0;
  std::vector<std::int32_t> weights;
};
std::vector<FixedTaps> fixed_taps(std::int64_t from, std::int64_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  std::vector<FixedTaps> all(static_cast<std::size_t>(to));
  for (std::int64_t i = 0; i < to; ++i) {
    const Triangle t = triangle(i, scale, from);
    FixedTaps& fixed = all[static_cast<std::size_t>(i)];
    fixed.first = static_cast<std::size_t>(t.first);
    for (const double w : t.weights)
      fixed.weights.push_back(static_cast<std::int32_t>(0.5 + w * (1 << precision_bits)));
  }
  return all;
}

constexpr std::int32_t half = 1 << (precision_bits - 1);
std::uint8_t byte_of(std::int32_t sum) { return static_cast<std::uint8_t>(std::clamp(sum >> precision_bits, 0, 255)); }

/// Each row of pixels of `Channels` bytes becomes a row of as many pixels as there are taps. Blocks of eight pixels are
/// summed side by side: sums of whole numbers do not depend on the order.
template <std::size_t Channels>
void blend_rows(const std::uint8_t* from, std::size_t rows, std::size_t width, const std::vector<FixedTaps>& taps,
                std::uint8_t* to) {
  constexpr std::size_t block = 8 * Channels;
  std::vector<std::vector<std::int32_t>> weights;  // one for each byte
  for (const FixedTaps& t : taps) {
    weights.emplace_back();
    for (const std::int32_t w : t.weights) weights.back().insert(weights.back().end(), Channels, w);
  }
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < taps.size(); ++x) {
      const std::uint8_t* source = from + (y * width + taps[x].first) * Channels;
      const std::int32_t* w = weights[x].data();
      const std::int32_t* const end = w + weights[x].size();
      std::array<std::int32_t, block> sums{};
      for (; end - w >= static_cast<std::ptrdiff_t>(block); w += block, source += block)
        for (std::size_t i = 0; i < block; ++i) sums[i] += w[i] * source[i];
      for (std::size_t i = 0; w < end; ++w, ++source, ++i) sums[i] += *w * *source;
      for (std::size_t c = 0; c < Channels; ++c) {
        std::int32_t sum = half;
        for (std::size_t i = c; i < block; i += Channels) sum += sums[i];
        *to++ = byte_of(sum);
      }
    }
}

/// The rows of `line` bytes become as many rows as there are taps.
void blend_columns(const std::uint8_t* from, std::size_t line, const std::vector<FixedTaps>& taps, std::uint8_t* to) {
  std::vector<std::int32_t> sums(line);
  for (const FixedTaps& t : taps) {
    std::fill(sums.begin(), sums.end(), half);
    const std::uint8_t* source = from + t.first * line;
    for (const std::int32_t w : t.weights)
      for (std::size_t i = 0; i < line; ++i) sums[i] += w * *source++;
    to = std::transform(sums.begin(), sums.end(), to, byte_of);
  }
}

Image narrowed(const Image& p, std::int64_t width) {
  Image out{p.height, width, p.channels,
            std::vector<std::uint8_t>(static_cast<std::size_t>(p.height * width * p.channels))};
  const auto rows = static_cast<std::size_t>(p.height), line = static_cast<std::size_t>(p.width);
  const std::vector<FixedTaps> taps = fixed_taps(p.width, width);
  if (p.channels == 1)
    blend_rows<1>(p.hwc.data(), rows, line, taps, out.hwc.data());
  else if (p.channels == 3)
    blend_rows<3>(p.hwc.data(), rows, line, taps, out.hwc.data());
  else
    for (std::size_t y = 0; y < rows; ++y)  // a row of any number of channels is a column of pixels
      blend_columns(p.hwc.data() + y * line * static_cast<std::size_t>(p.channels),
                    static_cast<std::size_t>(p.channels), taps,
                    out.hwc.data() + y * static_cast<std::size_t>(width * p.channels));
  return out;
}

Image lowered(const Image& p, std::int64_t height) {
  Image out{height, p.width, p.channels,
            std::vector<std::uint8_t>(static_cast<std::size_t>(height * p.width * p.channels))};
  blend_columns(p.hwc.data(), static_cast<std::size_t>(p.width * p.channels), fixed_taps(p.height, height),
                out.hwc.data());
  return out;
}

/// Rows first, in bytes: each row becomes `width` pixels, then each column `height`.
Image antialiased(const Image& p, std::int64_t height, std::int64_t width) {
  if (p.width == width) return lowered(p, height);
  Image rows = narrowed(p, width);
  return p.height == height ? rows : lowered(rows, height);
}

}  // namespace

std::optional<Resampling> resampling_named(std::string_view name) {
  if (name == "bilinear") return Resampling::antialiased;
  if (name == "area") return Resampling::area;
  if (name == "nearest") return Resampling::nearest;
  return {};
}

Image resized(const Image& p, std::int64_t height, std::int64_t width, Resampling how) {
  if (p.height == height && p.width == width) return p;
  if (how == Resampling::antialiased) return antialiased(p, height, width);
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

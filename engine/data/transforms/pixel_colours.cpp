// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/data/transforms/pixel_ops.hpp"
#include "engine/design/transform.hpp"

namespace nw {
namespace {

std::uint8_t byte(float v) { return static_cast<std::uint8_t>(std::clamp(v, 0.0f, 255.0f)); }

/// Luma of ITU-R BT.601, rounded down.
float grey(const std::uint8_t* p, std::int64_t channels) {
  if (channels != 3) return static_cast<float>(p[0]);
  return std::floor(0.2989f * static_cast<float>(p[0]) + 0.587f * static_cast<float>(p[1]) +
                    0.114f * static_cast<float>(p[2]));
}

/// Calls f(pixel) for each of the image's pixels.
template <class F>
void each_pixel(TransformImage& image, F f) {
  for (std::size_t i = 0; i + static_cast<std::size_t>(image.channels) <= image.hwc.size();
       i += static_cast<std::size_t>(image.channels))
    f(image.hwc.data() + i);
}

void look_up(TransformImage& image, std::int64_t channel, const std::array<std::uint8_t, 256>& table) {
  each_pixel(image, [&](std::uint8_t* p) { p[channel] = table[p[channel]]; });
}

std::array<std::int64_t, 256> histogram(TransformImage& image, std::int64_t channel) {
  std::array<std::int64_t, 256> counts{};
  each_pixel(image, [&](const std::uint8_t* p) { ++counts[p[channel]]; });
  return counts;
}

/// Smith, "Color gamut transform pairs", 1978; all values in 0 … 1.
struct Hsv {
  float hue, saturation, value;
};
Hsv hsv_of(float r, float g, float b) {
  const float high = std::max({r, g, b}), low = std::min({r, g, b}), span = high - low;
  if (span == 0) return {0, 0, high};
  const float turn = high == r ? (g - b) / span : high == g ? 2 + (b - r) / span : 4 + (r - g) / span;
  return {turn / 6 - std::floor(turn / 6), span / high, high};
}

std::array<float, 3> rgb_of(const Hsv& c) {
  const float sector = std::floor(c.hue * 6), f = c.hue * 6 - sector;
  const float p = c.value * (1 - c.saturation), q = c.value * (1 - c.saturation * f),
              t = c.value * (1 - c.saturation * (1 - f));
  switch (static_cast<int>(sector) % 6) {
    case 0:
      return {c.value, t, p};
    case 1:
      return {q, c.value, p};
    case 2:
      return {p, c.value, t};
    case 3:
      return {p, q, c.value};
    case 4:
      return {t, p, c.value};
    default:
      return {c.value, p, q};
  }
}

}  // namespace

void adjust_brightness(TransformImage& image, double factor) {
  for (std::uint8_t& v : image.hwc) v = byte(static_cast<float>(v) * static_cast<float>(factor));
}

void adjust_contrast(TransformImage& image, double factor) {
  double sum = 0;
  each_pixel(image, [&](const std::uint8_t* p) { sum += static_cast<double>(grey(p, image.channels)); });
  const float f = static_cast<float>(factor),
              mean = static_cast<float>(sum / static_cast<double>(image.height * image.width));
  for (std::uint8_t& v : image.hwc) v = byte(f * static_cast<float>(v) + (1 - f) * mean);
}

void adjust_saturation(TransformImage& image, double factor) {
  if (image.channels != 3) return;
  const float f = static_cast<float>(factor);
  each_pixel(image, [&](std::uint8_t* p) {
    const float g = grey(p, 3);
    for (int c = 0; c < 3; ++c) p[c] = byte(f * static_cast<float>(p[c]) + (1 - f) * g);
  });
}

void adjust_hue(TransformImage& image, double turn) {
  if (image.channels != 3) return;
  each_pixel(image, [&](std::uint8_t* p) {
    Hsv c = hsv_of(static_cast<float>(p[0]) / 255, static_cast<float>(p[1]) / 255, static_cast<float>(p[2]) / 255);
    c.hue += static_cast<float>(turn);
    c.hue -= std::floor(c.hue);
    const std::array<float, 3> rgb = rgb_of(c);
    for (std::size_t i = 0; i < 3; ++i) p[i] = byte(rgb[i] * 255.999f);
  });
}

void adjust_sharpness(TransformImage& image, double factor) {
  if (image.height <= 2 || image.width <= 2) return;
  image.scratch = image.hwc;
  const float f = static_cast<float>(factor);
  const std::int64_t row = image.width * image.channels;
  for (std::int64_t y = 1; y + 1 < image.height; ++y)
    for (std::int64_t i = y * row + image.channels; i < (y + 1) * row - image.channels; ++i) {
      float sum = 4 * static_cast<float>(image.scratch[static_cast<std::size_t>(i)]);
      for (std::int64_t dy = -1; dy <= 1; ++dy)
        for (std::int64_t dx = -1; dx <= 1; ++dx)
          sum += static_cast<float>(image.scratch[static_cast<std::size_t>(i + dy * row + dx * image.channels)]);
      const float now = static_cast<float>(image.scratch[static_cast<std::size_t>(i)]);
      image.hwc[static_cast<std::size_t>(i)] = byte(now + (1 - f) * (std::nearbyint(sum / 13) - now));
    }
}

void to_grayscale(TransformImage& image) {
  if (image.channels == 3)
    each_pixel(image, [](std::uint8_t* p) { p[0] = p[1] = p[2] = static_cast<std::uint8_t>(grey(p, 3)); });
}

void posterize(TransformImage& image, int bits) {
  const auto mask = static_cast<std::uint8_t>(bits >= 8 ? 255 : ~((1 << (8 - bits)) - 1));
  for (std::uint8_t& v : image.hwc) v &= mask;
}

void solarize(TransformImage& image, double threshold) {
  for (std::uint8_t& v : image.hwc)
    if (v >= threshold) v = static_cast<std::uint8_t>(255 - v);
}

void autocontrast(TransformImage& image) {
  for (std::int64_t c = 0; c < image.channels; ++c) {
    int low = 255, high = 0;
    each_pixel(image, [&](const std::uint8_t* p) { low = std::min<int>(low, p[c]), high = std::max<int>(high, p[c]); });
    if (low >= high) continue;
    std::array<std::uint8_t, 256> table{};
    for (int v = low; v <= high; ++v)
      table[static_cast<std::size_t>(v)] =
          byte(static_cast<float>(v - low) * (255.0f / static_cast<float>(high - low)));
    look_up(image, c, table);
  }
}

/// The lookup table of Pillow's ImageOps.equalize.
void equalize(TransformImage& image) {
  for (std::int64_t c = 0; c < image.channels; ++c) {
    const std::array<std::int64_t, 256> counts = histogram(image, c);
    std::int64_t last = 0, sum = 0;
    for (const std::int64_t n : counts)
      if (n != 0) last = n;
    const std::int64_t step = (image.height * image.width - last) / 255;
    if (step == 0) continue;
    std::array<std::uint8_t, 256> table{};
    for (std::size_t v = 0; v < 256; ++v) {
      table[v] = static_cast<std::uint8_t>(std::min<std::int64_t>((sum + step / 2) / step, 255));
      sum += counts[v];
    }
    look_up(image, c, table);
  }
}

}  // namespace nw

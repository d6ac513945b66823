// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/data/transforms/pixel_ops.hpp"
#include "engine/design/transform.hpp"

namespace nw {
namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// Maps a position in the result to one in the original, both relative to the centre: rows of a 2x3 matrix.
std::array<float, 6> inverse_matrix(const Affine& a) {
  const double rotation = radians(a.angle), sx = radians(a.shear_x), sy = radians(a.shear_y);
  const double p = std::cos(rotation - sy) / std::cos(sy),
               q = -std::cos(rotation - sy) * std::tan(sx) / std::cos(sy) - std::sin(rotation);
  const double r = std::sin(rotation - sy) / std::cos(sy),
               s = -std::sin(rotation - sy) * std::tan(sx) / std::cos(sy) + std::cos(rotation);
  const std::array<double, 4> m = {s / a.scale, -q / a.scale, -r / a.scale, p / a.scale};
  const auto f = [](double v) { return static_cast<float>(v); };
  return {f(m[0]), f(m[1]), f(-m[0] * a.shift_x - m[1] * a.shift_y),
          f(m[2]), f(m[3]), f(-m[2] * a.shift_x - m[3] * a.shift_y)};
}

/// Bilinear interpolation of the four pixels around a position; pixels outside are black.
void blend_at(const TransformImage& image, float x, float y, std::uint8_t* to) {
  const float x0 = std::floor(x), y0 = std::floor(y), fx = x - x0, fy = y - y0;
  const std::array<float, 4> weight = {(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy};
  std::array<const std::uint8_t*, 4> from{};
  for (std::size_t corner = 0; corner < 4; ++corner) {
    const float cx = x0 + static_cast<float>(corner & 1), cy = y0 + static_cast<float>(corner >> 1);
    if (cx >= 0 && cy >= 0 && cx < static_cast<float>(image.width) && cy < static_cast<float>(image.height))
      from[corner] = image.hwc.data() +
                     (static_cast<std::int64_t>(cy) * image.width + static_cast<std::int64_t>(cx)) * image.channels;
  }
  for (std::int64_t c = 0; c < image.channels; ++c) {
    float sum = 0;
    for (std::size_t corner = 0; corner < 4; ++corner)
      if (from[corner]) sum += weight[corner] * static_cast<float>(from[corner][c]);
    to[c] = static_cast<std::uint8_t>(std::clamp(std::nearbyint(sum), 0.0f, 255.0f));
  }
}

std::int64_t mirrored(std::int64_t at, std::int64_t size) {
  if (size == 1) return 0;
  const std::int64_t period = 2 * (size - 1), folded = ((at % period) + period) % period;
  return folded < size ? folded : period - folded;
}

std::vector<float> gaussian(int size, double sigma) {
  std::vector<float> weights(static_cast<std::size_t>(size));
  double sum = 0;
  for (int i = 0; i < size; ++i)
    sum += weights[static_cast<std::size_t>(i)] =
        static_cast<float>(std::exp(-0.5 * std::pow((i - (size - 1) * 0.5) / sigma, 2)));
  for (float& w : weights) w = static_cast<float>(w / sum);
  return weights;
}

/// One pass of a separable filter over lines of `length` numbers, `stride` apart, that begin at each of `starts`.
struct Lines {
  std::vector<std::int64_t> starts;
  std::int64_t length, stride;
};
void filter(const std::vector<float>& from, std::vector<float>& to, const std::vector<float>& weights,
            const Lines& lines) {
  const auto radius = static_cast<std::int64_t>(weights.size() / 2);
  for (const std::int64_t start : lines.starts)
    for (std::int64_t i = 0; i < lines.length; ++i) {
      float sum = 0;
      for (std::int64_t k = -radius; k <= radius; ++k)
        sum += weights[static_cast<std::size_t>(k + radius)] *
               from[static_cast<std::size_t>(start + mirrored(i + k, lines.length) * lines.stride)];
      to[static_cast<std::size_t>(start + i * lines.stride)] = sum;
    }
}

Lines rows_of(const TransformImage& image) {
  Lines lines{{}, image.width, image.channels};
  for (std::int64_t y = 0; y < image.height; ++y)
    for (std::int64_t c = 0; c < image.channels; ++c) lines.starts.push_back(y * image.width * image.channels + c);
  return lines;
}

Lines columns_of(const TransformImage& image) {
  Lines lines{{}, image.height, image.width * image.channels};
  for (std::int64_t start = 0; start < lines.stride; ++start) lines.starts.push_back(start);
  return lines;
}

}  // namespace

void affine(TransformImage& image, const Affine& a) {
  const std::array<float, 6> m = inverse_matrix(a);
  const float cx = static_cast<float>(image.width) / 2, cy = static_cast<float>(image.height) / 2;
  image.scratch.resize(image.hwc.size());
  std::uint8_t* to = image.scratch.data();
  for (std::int64_t y = 0; y < image.height; ++y)
    for (std::int64_t x = 0; x < image.width; ++x, to += image.channels) {
      const float u = static_cast<float>(x) + 0.5f - cx, v = static_cast<float>(y) + 0.5f - cy;
      blend_at(image, m[0] * u + m[1] * v + m[2] + cx - 0.5f, m[3] * u + m[4] * v + m[5] + cy - 0.5f, to);
    }
  image.hwc.swap(image.scratch);
}

void flip_vertical(TransformImage& image) {
  const auto row = static_cast<std::ptrdiff_t>(image.width * image.channels);
  for (std::int64_t y = 0; y < image.height / 2; ++y) {
    const auto upper = image.hwc.begin() + y * row;
    std::swap_ranges(upper, upper + row, image.hwc.begin() + (image.height - 1 - y) * row);
  }
}

void gaussian_blur(TransformImage& image, int size, double sigma) {
  const std::vector<float> weights = gaussian(size, sigma);
  std::vector<float> from(image.hwc.begin(), image.hwc.end()), to(from.size());
  filter(from, to, weights, rows_of(image));
  filter(to, from, weights, columns_of(image));
  std::transform(from.begin(), from.end(), image.hwc.begin(),
                 [](float v) { return static_cast<std::uint8_t>(std::clamp(std::nearbyint(v), 0.0f, 255.0f)); });
}

void erase(TransformImage& image, std::int64_t top, std::int64_t left, std::int64_t height, std::int64_t width) {
  const std::int64_t x0 = std::clamp<std::int64_t>(left, 0, image.width),
                     x1 = std::clamp(left + width, x0, image.width);
  for (std::int64_t y = std::max<std::int64_t>(top, 0); y < std::min(top + height, image.height); ++y) {
    const auto row = image.hwc.begin() + y * image.width * image.channels;
    std::fill(row + x0 * image.channels, row + x1 * image.channels, std::uint8_t{0});
  }
}

}  // namespace nw

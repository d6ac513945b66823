// SPDX-License-Identifier: Apache-2.0
// Synthetic handwriting: each digit is a few strokes (polylines and arcs on a unit square) whose points, slant, size,
// rotation and thickness vary with the sample. It is rendered by distance to the stroke, white on black, 28×28.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/core/rng.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

struct P {
  float x, y;
};
using Stroke = std::vector<P>;
constexpr int digit_side = 28;
constexpr float pi = 3.14159265f;

/// Points on an ellipse from angle a to b (turns; 0 = right, 0.25 = down).
Stroke arc(float cx, float cy, float rx, float ry, float a, float b) {
  Stroke s;
  for (int i = 0; i <= 14; ++i) {
    const float t = 2 * pi * (a + (b - a) * static_cast<float>(i) / 14);
    s.push_back({cx + rx * std::cos(t), cy + ry * std::sin(t)});
  }
  return s;
}

Stroke joined(Stroke a, const Stroke& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The strokes of one common form of a digit, on 0…1 × 0…1, y down.
std::vector<Stroke> glyph(int digit, int spelling) {
  switch (digit) {
    case 0:
      return {arc(0.5f, 0.5f, spelling ? 0.24f : 0.30f, 0.42f, -0.25f, 0.77f)};
    case 1:
      return spelling ? std::vector<Stroke>{{{0.5f, 0.08f}, {0.5f, 0.92f}}}
                      : std::vector<Stroke>{{{0.36f, 0.26f}, {0.54f, 0.08f}, {0.54f, 0.92f}}};
    case 2:
      return {joined(arc(0.5f, 0.32f, 0.26f, 0.24f, 0.55f, 1.10f),
                     spelling ? Stroke{{0.24f, 0.88f}, {0.80f, 0.88f}}
                              : Stroke{{0.36f, 0.80f}, {0.26f, 0.90f}, {0.42f, 0.82f}, {0.80f, 0.90f}})};
    case 3:
      return {joined(arc(0.46f, 0.29f, 0.24f, 0.21f, 0.58f, 1.24f), arc(0.46f, 0.70f, 0.28f, 0.22f, 0.77f, 1.42f))};
    case 4:
      return spelling ? std::vector<Stroke>{{{0.28f, 0.10f}, {0.24f, 0.54f}, {0.76f, 0.54f}},
                                            {{0.70f, 0.10f}, {0.66f, 0.92f}}}
                      : std::vector<Stroke>{{{0.60f, 0.08f}, {0.20f, 0.62f}, {0.82f, 0.62f}},
                                            {{0.62f, 0.36f}, {0.60f, 0.94f}}};
    case 5:
      return {joined({{0.76f, 0.10f}, {0.34f, 0.10f}, {0.30f, 0.44f}}, arc(0.48f, 0.66f, 0.27f, 0.25f, 0.64f, 1.42f))};
    case 6:
      return {joined({{0.66f, 0.08f}, {0.40f, 0.30f}, {0.27f, 0.60f}}, arc(0.49f, 0.68f, 0.22f, 0.21f, 0.50f, 1.52f))};
    case 7:
      return spelling ? std::vector<Stroke>{{{0.20f, 0.12f}, {0.80f, 0.12f}, {0.42f, 0.92f}},
                                            {{0.34f, 0.52f}, {0.74f, 0.50f}}}
                      : std::vector<Stroke>{{{0.20f, 0.14f}, {0.78f, 0.10f}, {0.60f, 0.46f}, {0.46f, 0.92f}}};
    case 8:
      return {joined(arc(0.5f, 0.29f, 0.20f, 0.20f, 0.25f, 1.25f), arc(0.5f, 0.70f, 0.25f, 0.21f, -0.25f, 0.77f))};
    default:
      return {joined(arc(0.50f, 0.30f, 0.22f, 0.21f, 0.02f, 1.02f), {{0.71f, 0.34f}, {0.68f, 0.62f}, {0.58f, 0.94f}})};
  }
}

float distance_to(P p, P a, P b) {
  const float dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const float t = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0f, 1.0f) : 0.0f;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/// A writing pose: maps a point of the unit square to pixels.
struct PenStroke {
  float angle, slant, width, height, x, y, wave, phase;
  explicit PenStroke(RandomStream& r) {
    const auto spread = [&](float around, float by) { return around + by * (2 * r.uniform() - 1); };
    angle = spread(0, 0.22f);
    slant = spread(-0.12f, 0.30f);
    width = spread(17.0f, 4.5f);
    height = spread(20.0f, 2.0f);
    x = spread(14, 2.0f);
    y = spread(14, 2.0f);
    wave = spread(0, 0.05f);
    phase = 2 * pi * r.uniform();
  }
  P place(P p) const {
    const float u = p.x - 0.5f + wave * std::sin(5 * p.y + phase), v = p.y - 0.5f + wave * std::sin(5 * p.x + phase);
    const float px = u * width - slant * v * height, py = v * height;
    return {x + px * std::cos(angle) - py * std::sin(angle), y + px * std::sin(angle) + py * std::cos(angle)};
  }
};

using Distances = std::array<float, std::size_t{digit_side} * digit_side>;

/// The pixels that can lie within `reach` of what lies between two coordinates, the second one excluded.
std::pair<int, int> pixels_near(float a, float b, float reach) {
  const float rounding = 0.01f;
  return {std::max(0, static_cast<int>(std::floor(std::min(a, b) - reach - rounding))),
          std::min(digit_side, static_cast<int>(std::ceil(std::max(a, b) + reach + rounding)) + 1)};
}

/// The distance of each pixel from the nearest stroke where it is less than `reach`; a greater number elsewhere.
Distances distances_to(const std::vector<Stroke>& strokes, float reach) {
  Distances nearest;
  nearest.fill(100);
  for (const Stroke& s : strokes)
    for (std::size_t i = 0; i + 1 < s.size(); ++i) {
      const auto [top, bottom] = pixels_near(s[i].y, s[i + 1].y, reach);
      const auto [left, right] = pixels_near(s[i].x, s[i + 1].x, reach);
      for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) {
          float& here = nearest[static_cast<std::size_t>(y * digit_side + x)];
          here = std::min(here, distance_to({static_cast<float>(x), static_cast<float>(y)}, s[i], s[i + 1]));
        }
    }
  return nearest;
}

void draw(int digit, RandomStream random, std::uint8_t* pixels) {
  std::vector<Stroke> strokes = glyph(digit, static_cast<int>(random.below(2)));
  const PenStroke hand(random);
  const float radius = 0.75f + 1.05f * random.uniform(), noise = 14 * random.uniform();
  for (Stroke& s : strokes)
    for (P& p : s) p = hand.place({p.x + 0.07f * (random.uniform() - 0.5f), p.y + 0.07f * (random.uniform() - 0.5f)});
  const Distances nearest = distances_to(strokes, radius + 0.6f);
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    const float ink = std::clamp(radius + 0.6f - nearest[i], 0.0f, 1.0f);
    const float grain = ink > 0 ? noise * (random.uniform() - 1.0f) : 0.0f;
    pixels[i] = static_cast<std::uint8_t>(std::clamp(255 * ink + grain, 0.0f, 255.0f));
  }
}

std::shared_ptr<MemoryDataset> make(std::int64_t count, std::int64_t first, const char* name) {
  auto set = std::make_shared<MemoryDataset>(1, digit_side, digit_side);
  set->origins_ = {name};
  set->pixels_.resize(static_cast<std::size_t>(count) * digit_side * digit_side);
  for (std::int64_t i = 0; i < count; ++i) {
    RandomStream random({.seed = 0x5eed,
                         .op = static_cast<std::uint32_t>(RandomOp::synthetic),
                         .sample = static_cast<std::uint64_t>(first + i)});
    const int digit = static_cast<int>(random.below(10));
    set->labels_.push_back(digit);
    draw(digit, random, set->pixels_.data() + static_cast<std::size_t>(i) * digit_side * digit_side);
  }
  return set;
}

}  // namespace

OpenedData make_synthetic(std::int64_t train, std::int64_t test) {
  OpenedData data;
  for (int c = 0; c < 10; ++c) data.classes.push_back(std::to_string(c));
  data.train = make(std::clamp<std::int64_t>(train, 20, 1000000), 0, "synthetic digits");
  data.test = make(std::clamp<std::int64_t>(test, 20, 1000000), std::int64_t{1} << 40, "synthetic test digits");
  data.description = NW_TR("Synthetic digits");
  return data;
}

Result<OpenedData> make_noise(std::int64_t channels, std::int64_t height, std::int64_t width, std::int64_t train,
                              std::int64_t test) {
  if (channels < 1 || channels > 64 || height < 1 || height > 4096 || width < 1 || width > 4096)
    return fail(Errc::bad_input, NW_TR("Noise of {0}×{1}×{2} cannot be made"), channels, height, width);
  const auto make = [&](std::int64_t count, std::uint64_t seed) {
    auto set = std::make_shared<MemoryDataset>(channels, height, width);
    set->origins_ = {"noise"};
    set->pixels_.resize(static_cast<std::size_t>(count * channels * height * width));
    std::uint64_t state = seed;  // xorshift64
    for (std::uint8_t& pixel : set->pixels_) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      pixel = static_cast<std::uint8_t>(state >> 32);
    }
    for (std::int64_t i = 0; i < count; ++i) set->labels_.push_back(i * 7 % 10);
    return set;
  };
  OpenedData data;
  for (int c = 0; c < 10; ++c) data.classes.push_back(std::to_string(c));
  data.train = make(std::clamp<std::int64_t>(train, 20, 100000), 0x9E3779B97F4A7C15u);
  data.test = make(std::clamp<std::int64_t>(test, 20, 100000), 0xBF58476D1CE4E5B9u);
  data.description = NW_TR("Noise");
  return data;
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Data sets that need no file: coloured shapes with class, labels or position and size as target, and points of two
// moons.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/rng.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/sources/targets.hpp"

namespace nw {
namespace {

constexpr int canvas_side = 32;
constexpr std::size_t kinds = 3;
// distinguishes the random numbers of test samples from those of training samples
constexpr std::int64_t most_samples = 1'000'000, test_from = std::int64_t{1} << 40;

RandomStream stream_of(std::uint64_t seed, std::int64_t sample) {
  return RandomStream({.seed = seed,
                       .op = static_cast<std::uint32_t>(RandomOp::synthetic),
                       .sample = static_cast<std::uint64_t>(sample)});
}
float between(RandomStream& r, float lo, float hi) { return lo + (hi - lo) * r.uniform(); }

struct Figure {
  int kind = 0;
  float x = 0, y = 0, size = 0;
};  // in pixels; size: from the centre to the edge

/// Distance of a point inside the figure from its edge, in pixels; negative outside.
float depth(const Figure& f, float x, float y) {
  const float dx = x - f.x, dy = y - f.y;
  if (f.kind == 0) return f.size - std::hypot(dx, dy);
  if (f.kind == 1) return 0.9f * f.size - std::max(std::abs(dx), std::abs(dy));
  // An equilateral triangle on its base: the smallest distance to its three sides.
  return std::min(0.6f * f.size - dy, 0.6f * f.size + 0.5f * dy - 0.8660254f * std::abs(dx));
}

using Colour = std::array<float, 3>;
Colour bright(RandomStream& r) {
  Colour c{between(r, 60, 255), between(r, 60, 255), between(r, 60, 255)};
  c[r.below(3)] = 255;
  return c;
}

void draw(const std::vector<Figure>& figures, RandomStream& r, std::uint8_t* hwc) {
  const Colour ground{between(r, 0, 50), between(r, 0, 50), between(r, 0, 50)};
  const float noise = between(r, 0, 24);
  std::vector<Colour> colours;
  for (std::size_t i = 0; i < figures.size(); ++i) colours.push_back(bright(r));
  for (int y = 0; y < canvas_side; ++y)
    for (int x = 0; x < canvas_side; ++x) {
      Colour pixel = ground;
      for (std::size_t i = 0; i < figures.size(); ++i) {
        const float cover =
            std::clamp(depth(figures[i], static_cast<float>(x), static_cast<float>(y)) + 0.5f, 0.0f, 1.0f);
        for (std::size_t c = 0; c < 3; ++c) pixel[c] += cover * (colours[i][c] - pixel[c]);
      }
      for (const float v : pixel)
        *hwc++ = static_cast<std::uint8_t>(std::clamp(v + noise * (r.uniform() - 0.5f), 0.0f, 255.0f));
    }
}

/// Each shape is present or absent, each in a separate quarter of the image.
std::vector<Figure> several(RandomStream& r) {
  std::array<int, 4> quarter = {0, 1, 2, 3};
  for (std::uint32_t i = 4; i > 1; --i) std::swap(quarter[i - 1], quarter[r.below(i)]);
  std::vector<Figure> all;
  for (int kind = 0; kind < static_cast<int>(kinds); ++kind) {
    const int q = quarter[static_cast<std::size_t>(kind)];
    const Figure f{kind, static_cast<float>(8 + 16 * (q % 2)) + between(r, -1.5f, 1.5f),
                   static_cast<float>(8 + 16 * (q / 2)) + between(r, -1.5f, 1.5f), between(r, 4.5f, 6.5f)};
    if (r.below(2) == 1) all.push_back(f);
  }
  return all;
}

Figure one(RandomStream& r) {
  const auto kind = static_cast<int>(r.below(kinds));
  const float size = between(r, 4, 11);
  return {kind, between(r, size, canvas_side - 1 - size), between(r, size, canvas_side - 1 - size), size};
}

std::shared_ptr<MemoryDataset> shapes(std::int64_t count, std::int64_t first, const char* name, TargetKind kind) {
  auto set = std::make_shared<MemoryDataset>(3, canvas_side, canvas_side);
  set->origins_ = {name};
  set->pixels_.resize(static_cast<std::size_t>(count * set->bytes()));
  set->target_width_ = kind == TargetKind::classes ? 0 : 3;
  for (std::int64_t i = 0; i < count; ++i) {
    RandomStream r = stream_of(0x54a9e5, first + i);
    const std::vector<Figure> figures = kind == TargetKind::labels ? several(r) : std::vector<Figure>{one(r)};
    const Figure f = figures.empty() ? Figure{} : figures.front();
    if (kind == TargetKind::classes) set->labels_.push_back(f.kind);
    if (kind == TargetKind::values)
      set->targets_.insert(set->targets_.end(), {f.x / canvas_side, f.y / canvas_side, f.size / canvas_side});
    if (kind == TargetKind::labels) {
      set->targets_.resize(set->targets_.size() + kinds, 0.0F);
      for (const Figure& there : figures)
        set->targets_[static_cast<std::size_t>(i) * kinds + static_cast<std::size_t>(there.kind)] = 1;
    }
    draw(figures, r, set->pixels_.data() + i * set->bytes());
  }
  return set;
}

/// A normally distributed number by the Box-Muller transform.
float normal(RandomStream& r) {
  const float radius = std::sqrt(-2 * std::log(1 - r.uniform()));
  return radius * std::cos(6.2831853f * r.uniform());
}

std::uint8_t byte_of(float v, float lo, float hi) {
  return static_cast<std::uint8_t>(std::clamp(std::nearbyint(255 * (v - lo) / (hi - lo)), 0.0f, 255.0f));
}

std::shared_ptr<MemoryDataset> moons(std::int64_t count, std::int64_t first, const char* name) {
  auto set = std::make_shared<MemoryDataset>(1, 1, 2);
  set->origins_ = {name};
  for (std::int64_t i = 0; i < count; ++i) {
    RandomStream r = stream_of(0x300f5, first + i);
    const bool lower = r.below(2) == 1;
    const float t = 3.1415927f * r.uniform();
    const float x = (lower ? 1 - std::cos(t) : std::cos(t)) + 0.1f * normal(r),
                y = (lower ? 0.5f - std::sin(t) : std::sin(t)) + 0.1f * normal(r);
    set->pixels_.insert(set->pixels_.end(), {byte_of(x, -1.5f, 2.5f), byte_of(y, -1.0f, 1.5f)});
    set->labels_.push_back(lower);
  }
  return set;
}

std::int64_t possible(std::int64_t count) { return std::clamp<std::int64_t>(count, 20, most_samples); }

}  // namespace

OpenedData make_shapes(std::int64_t train, std::int64_t test, TargetKind kind) {
  OpenedData data;
  const std::vector<std::string> names = {"circle", "square", "triangle"};
  const auto train_set = shapes(possible(train), 0, "synthetic shapes", kind),
             test_set = shapes(possible(test), test_from, "synthetic test shapes", kind);
  data.target_kind = kind;
  data.classes = names;
  if (kind == TargetKind::labels) data.target_names = names;
  if (kind == TargetKind::values) data.target_names = {"x", "y", "size"};
  if (kind != TargetKind::classes) group_by_targets(data, *train_set, test_set.get());
  data.train = train_set;
  data.test = test_set;
  data.description = "Synthetic shapes";
  return data;
}

OpenedData make_two_moons(std::int64_t train, std::int64_t test) {
  OpenedData data;
  data.classes = {"upper", "lower"};
  data.train = moons(possible(train), 0, "two moons");
  data.test = moons(possible(test), test_from, "two test moons");
  data.description = "Two moons";
  return data;
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
#include "engine/data/transforms/mixing.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/rng.hpp"

namespace nw {
namespace {

Mix::Kind kind_of(const Transform& t) { return t.type == "CutMix" ? Mix::Kind::cutmix : Mix::Kind::mixup; }

double uniform(RandomStream& random) { return (static_cast<double>(random.word()) + 0.5) / 4294967296.0; }

/// Box and Muller, "A note on the generation of random normal deviates", 1958.
double normal(RandomStream& random) {
  const double radius = std::sqrt(-2 * std::log(uniform(random)));
  return radius * std::cos(6.283185307179586 * uniform(random));
}

/// Logarithm of a draw from Gamma(shape, 1): Marsaglia and Tsang, "A simple method for generating gamma variables",
/// 2000; for shapes below 1 with their note 6. A logarithm, because draws of small shapes underflow.
double log_gamma_draw(RandomStream& random, double shape) {
  if (shape < 1) return log_gamma_draw(random, shape + 1) + std::log(uniform(random)) / shape;
  const double d = shape - 1.0 / 3.0, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal(random), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(uniform(random)) < 0.5 * x * x + d - d * v + d * std::log(v)) return std::log(d * v);
  }
}

double beta_draw(RandomStream& random, double alpha) {
  const double a = log_gamma_draw(random, alpha), b = log_gamma_draw(random, alpha);
  return 1 / (1 + std::exp(b - a));
}

/// A rectangle with 1 - lambda of the area around a random position, clipped to the image; `own` is computed from the
/// clipped area.
Mix cutmix(RandomStream& random, double lambda, std::int64_t height, std::int64_t width) {
  const auto x = static_cast<std::int64_t>(random.below(static_cast<std::uint32_t>(width))),
             y = static_cast<std::int64_t>(random.below(static_cast<std::uint32_t>(height)));
  const double half = 0.5 * std::sqrt(1 - lambda);
  const auto across = static_cast<std::int64_t>(half * static_cast<double>(width)),
             down = static_cast<std::int64_t>(half * static_cast<double>(height));
  Mix m{.kind = Mix::Kind::cutmix,
        .top = std::max<std::int64_t>(0, y - down),
        .left = std::max<std::int64_t>(0, x - across),
        .bottom = std::min(height, y + down),
        .right = std::min(width, x + across)};
  m.own = static_cast<float>(1 - static_cast<double>((m.bottom - m.top) * (m.right - m.left)) /
                                     static_cast<double>(height * width));
  return m;
}

}  // namespace

bool mixes(const Transform& t) {
  const TransformType* type = find_transform(t.type);
  return type && !type->apply;
}
bool mixes(std::span<const Transform> list) {
  return std::any_of(list.begin(), list.end(), [](const Transform& t) { return mixes(t); });
}

Mix mix_of_batch(std::span<const Transform> list, std::uint64_t seed, std::int64_t epoch, std::int64_t batch,
                 std::int64_t height, std::int64_t width) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (!mixes(list[k])) continue;
    RandomStream random({.seed = seed,
                         .op = static_cast<std::uint32_t>(RandomOp::transform) + static_cast<std::uint32_t>(k),
                         .epoch = static_cast<std::uint32_t>(epoch),
                         .sample = static_cast<std::uint64_t>(batch)});
    const double p = list[k].values[0], alpha = list[k].values[1];
    if (static_cast<double>(random.uniform()) >= p) continue;
    const double lambda = beta_draw(random, alpha);
    if (kind_of(list[k]) == Mix::Kind::cutmix) return cutmix(random, lambda, height, width);
    return {.kind = Mix::Kind::mixup, .own = static_cast<float>(lambda)};
  }
  return {};
}

namespace {

/// A rectangle with 1 - lambda of the area, inside the image.
Mix whole_rectangle(RandomStream& random, double lambda, std::int64_t height, std::int64_t width) {
  const double side = std::sqrt(1 - lambda);
  const auto down = std::max<std::int64_t>(1, std::lround(side * static_cast<double>(height))),
             across = std::max<std::int64_t>(1, std::lround(side * static_cast<double>(width)));
  const auto top = static_cast<std::int64_t>(random.below(static_cast<std::uint32_t>(height - down + 1))),
             left = static_cast<std::int64_t>(random.below(static_cast<std::uint32_t>(width - across + 1)));
  return {.kind = Mix::Kind::cutmix,
          .own = 1 - static_cast<float>(down * across) / static_cast<float>(height * width),
          .top = top,
          .left = left,
          .bottom = top + down,
          .right = left + across};
}

/// The kind of the first row that can mix at all.
Mix::Kind first_kind(std::span<const Transform> list) {
  const auto row =
      std::find_if(list.begin(), list.end(), [](const Transform& t) { return mixes(t) && t.values[0] > 0; });
  return row == list.end() ? Mix::Kind::none : kind_of(*row);
}

}  // namespace

Mix mix_of_preview(std::span<const Transform> list, std::uint64_t seed, std::int64_t k, std::int64_t height,
                   std::int64_t width) {
  Mix::Kind kind = mix_of_batch(list, seed, k, k, height, width).kind;
  if (kind == Mix::Kind::none && k == 0) kind = first_kind(list);
  RandomStream random({.seed = seed,
                       .op = static_cast<std::uint32_t>(RandomOp::transform),
                       .epoch = static_cast<std::uint32_t>(k),
                       .sample = static_cast<std::uint64_t>(k)});
  const auto drawn = static_cast<double>(random.uniform());
  if (kind == Mix::Kind::cutmix) return whole_rectangle(random, 0.5 + 0.25 * drawn, height, width);
  return kind == Mix::Kind::none ? Mix{} : Mix{.kind = kind, .own = static_cast<float>(0.35 + 0.3 * drawn)};
}

void mix_targets(const Mix& m, std::span<float> own, std::span<const float> other) {
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = m.own * own[i] + (1 - m.own) * other[i];
}

void mix_images(const Mix& m, std::span<float> own, std::span<const float> other, std::int64_t width,
                std::int64_t channels) {
  if (m.kind == Mix::Kind::mixup) return mix_targets(m, own, other);
  const std::int64_t row = width * channels, begin = m.left * channels, count = (m.right - m.left) * channels;
  for (std::int64_t y = m.top; y < m.bottom && count > 0; ++y)
    std::copy_n(other.begin() + y * row + begin, count, own.begin() + y * row + begin);
}

}  // namespace nw

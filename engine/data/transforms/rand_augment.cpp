// SPDX-License-Identifier: Apache-2.0
#include "engine/data/transforms/rand_augment.hpp"

#include <cmath>
#include <numbers>

#include "engine/core/rng.hpp"
#include "engine/data/transforms/pixel_ops.hpp"

namespace nw {
namespace {

constexpr double strongest = 30;  // magnitudes 0 … 30

/// One operation: its largest strength, whether its sign is random, and its function.
struct Operation {
  double most;
  bool either_way;
  void (*apply)(TransformImage&, double strength);
};

double shear_degrees(double slope) { return std::atan(slope) * 180 / std::numbers::pi; }

const Operation operations_table[] = {
    {0, false, [](TransformImage&, double) {}},
    {0.3, true, [](TransformImage& i, double s) { affine(i, {.shear_x = shear_degrees(s)}); }},
    {0.3, true, [](TransformImage& i, double s) { affine(i, {.shear_y = shear_degrees(s)}); }},
    {150.0 / 331, true,
     [](TransformImage& i, double s) { affine(i, {.shift_x = std::trunc(s * static_cast<double>(i.width))}); }},
    {150.0 / 331, true,
     [](TransformImage& i, double s) { affine(i, {.shift_y = std::trunc(s * static_cast<double>(i.height))}); }},
    {30, true, [](TransformImage& i, double s) { affine(i, {.angle = s}); }},
    {0.9, true, [](TransformImage& i, double s) { adjust_brightness(i, 1 + s); }},
    {0.9, true, [](TransformImage& i, double s) { adjust_saturation(i, 1 + s); }},
    {0.9, true, [](TransformImage& i, double s) { adjust_contrast(i, 1 + s); }},
    {0.9, true, [](TransformImage& i, double s) { adjust_sharpness(i, 1 + s); }},
    {4, false, [](TransformImage& i, double s) { posterize(i, 8 - static_cast<int>(std::lround(s))); }},
    {255, false, [](TransformImage& i, double s) { solarize(i, 255 - s); }},
    {0, false, [](TransformImage& i, double) { autocontrast(i); }},
    {0, false, [](TransformImage& i, double) { equalize(i); }},
};

}  // namespace

void rand_augment(TransformImage& image, int operations, int magnitude, RandomStream& random) {
  for (int k = 0; k < operations; ++k) {
    const Operation& op = operations_table[random.below(static_cast<std::uint32_t>(std::size(operations_table)))];
    const double strength = op.most * magnitude / strongest;
    op.apply(image, op.either_way && random.below(2) == 1 ? -strength : strength);
  }
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "engine/core/rng.hpp"
#include "engine/data/transforms/pixel_ops.hpp"
#include "engine/data/transforms/rand_augment.hpp"
#include "engine/design/transform.hpp"
#include "kernels/result.hpp"

namespace nw {
namespace {

using Values = std::span<const double>;

/// Uniform in [lo, hi).
double between(RandomStream& random, double lo, double hi) {
  return lo + (hi - lo) * static_cast<double>(random.uniform());
}
bool happens(RandomStream& random, double p) { return static_cast<double>(random.uniform()) < p; }

void vertical_flip(TransformImage& image, Values v, RandomStream& random) {
  if (happens(random, v[0])) flip_vertical(image);
}

void rotation(TransformImage& image, Values v, RandomStream& random) {
  affine(image, {.angle = between(random, -v[0], v[0])});
}

void random_affine(TransformImage& image, Values v, RandomStream& random) {
  Affine a{.angle = between(random, -v[0], v[0])};
  a.shift_x = std::nearbyint(between(random, -v[1], v[1]) * static_cast<double>(image.width));
  a.shift_y = std::nearbyint(between(random, -v[1], v[1]) * static_cast<double>(image.height));
  a.scale = between(random, 1 - v[2], 1 + v[2]);
  a.shear_x = between(random, -v[3], v[3]);
  affine(image, a);
}

/// Applies the four adjustments in a random order per image, as torchvision does.
void color_jitter(TransformImage& image, Values v, RandomStream& random) {
  std::array<int, 4> order = {0, 1, 2, 3};
  for (std::uint32_t i = 4; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::array<double, 4> factor{};
  for (std::size_t i = 0; i < 3; ++i) factor[i] = between(random, std::max(0.0, 1 - v[i]), 1 + v[i]);
  factor[3] = between(random, -v[3], v[3]);
  constexpr std::array change = {adjust_brightness, adjust_contrast, adjust_saturation, adjust_hue};
  for (const int i : order)
    if (v[static_cast<std::size_t>(i)] > 0)
      change[static_cast<std::size_t>(i)](image, factor[static_cast<std::size_t>(i)]);
}

void grayscale(TransformImage& image, Values v, RandomStream& random) {
  if (happens(random, v[0])) to_grayscale(image);
}

void blur(TransformImage& image, Values v, RandomStream& random) {
  gaussian_blur(image, 2 * static_cast<int>(v[0]) + 1, between(random, std::min(0.1, v[1]), v[1]));
}

/// Box and Muller, "A note on the generation of random normal deviates", 1958.
void noise(TransformImage& image, Values v, RandomStream& random) {
  for (std::uint8_t& b : image.hwc) {
    const double radius = std::sqrt(-2 * std::log(1 - static_cast<double>(random.uniform()))),
                 angle = 6.283185307179586 * static_cast<double>(random.uniform());
    b = static_cast<std::uint8_t>(std::clamp(std::nearbyint(b + 255 * v[0] * radius * std::cos(angle)), 0.0, 255.0));
  }
}

/// Zhong et al., "Random erasing data augmentation", 2020: area 0.02 … v[1] of the image, sides 0.3 … 3.3; ten attempts
/// to fit in.
void erasing(TransformImage& image, Values v, RandomStream& random) {
  if (!happens(random, v[0])) return;
  const double area = static_cast<double>(image.height * image.width);
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double part = area * between(random, std::min(0.02, v[1]), v[1]),
                 ratio = std::exp(between(random, std::log(0.3), std::log(3.3)));
    const auto h = static_cast<std::int64_t>(std::lround(std::sqrt(part * ratio))),
               w = static_cast<std::int64_t>(std::lround(std::sqrt(part / ratio)));
    if (h < 1 || w < 1 || h >= image.height || w >= image.width) continue;
    const auto top = random.below(static_cast<std::uint32_t>(image.height - h + 1)),
               left = random.below(static_cast<std::uint32_t>(image.width - w + 1));
    return erase(image, top, left, h, w);
  }
}

void rand_augment(TransformImage& image, Values v, RandomStream& random) {
  nw::rand_augment(image, static_cast<int>(v[0]), static_cast<int>(v[1]), random);
}

constexpr TransformField flip_fields[] = {{"p", NW_TR("Probability"), 0.5, 0, 1, 0.05}};
constexpr TransformField rotation_fields[] = {{"degrees", NW_TR("Degrees"), 15, 0, 180, 1}};
constexpr TransformField affine_fields[] = {{"degrees", NW_TR("Degrees"), 10, 0, 180, 1},
                                            {"translate", NW_TR("Shift"), 0.1, 0, 1, 0.01},
                                            {"scale", NW_TR("Scale"), 0.1, 0, 0.9, 0.01},
                                            {"shear", NW_TR("Shear"), 5, 0, 60, 1}};
constexpr TransformField jitter_fields[] = {{"brightness", NW_TR("Brightness"), 0.2, 0, 1, 0.05},
                                            {"contrast", NW_TR("Contrast"), 0.2, 0, 1, 0.05},
                                            {"saturation", NW_TR("Saturation"), 0.2, 0, 1, 0.05},
                                            {"hue", NW_TR("Hue"), 0.02, 0, 0.5, 0.01}};
constexpr TransformField grey_fields[] = {{"p", NW_TR("Probability"), 0.1, 0, 1, 0.05}};
constexpr TransformField blur_fields[] = {{"radius", NW_TR("Radius"), 1, 1, 11, 1, true},
                                          {"sigma", NW_TR("Sigma"), 1, 0.1, 10, 0.1}};
constexpr TransformField noise_fields[] = {{"sigma", NW_TR("Sigma"), 0.05, 0, 1, 0.01}};
constexpr TransformField erase_fields[] = {{"p", NW_TR("Probability"), 0.5, 0, 1, 0.05},
                                           {"scale", NW_TR("Largest area"), 0.2, 0.01, 0.9, 0.01}};
constexpr TransformField mixup_fields[] = {{"p", NW_TR("Probability"), 0.5, 0, 1, 0.05},
                                           {"alpha", NW_TR("Alpha"), 0.2, 0.01, 10, 0.1}};
constexpr TransformField cutmix_fields[] = {{"p", NW_TR("Probability"), 0.5, 0, 1, 0.05},
                                            {"alpha", NW_TR("Alpha"), 1, 0.01, 10, 0.1}};
constexpr TransformField augment_fields[] = {{"num_ops", NW_TR("Operations"), 2, 1, 8, 1, true},
                                             {"magnitude", NW_TR("Magnitude"), 9, 0, 30, 1, true}};

const TransformType table[] = {
    {"RandomVerticalFlip", NW_TR("Flips some images vertically."), flip_fields, vertical_flip},
    {"RandomRotation", NW_TR("Rotates images by up to this many degrees in either direction."), rotation_fields,
     rotation},
    {"RandomAffine", NW_TR("Rotates, shifts, scales and shears images."), affine_fields, random_affine},
    {"ColorJitter", NW_TR("Changes brightness, contrast, saturation and hue."), jitter_fields, color_jitter},
    {"RandomGrayscale", NW_TR("Converts some images to grayscale."), grey_fields, grayscale},
    {"GaussianBlur", NW_TR("Blurs images with a Gaussian of up to sigma pixels."), blur_fields, blur},
    {"GaussianNoise", NW_TR("Adds noise to every pixel; sigma 1 is from black to white."), noise_fields, noise},
    {"RandomErasing", NW_TR("Paints a black rectangle over some images."), erase_fields, erasing},
    {"RandAugment", NW_TR("Applies a few operations drawn from fourteen, all at one strength (Cubuk et al., 2020)."),
     augment_fields, rand_augment},
    {"MixUp", NW_TR("Blends each image of some batches with another, and their targets; a small alpha blends little."),
     mixup_fields, nullptr},
    {"CutMix", NW_TR("Puts a piece of another image into each image of some batches, and mixes their targets by area."),
     cutmix_fields, nullptr},
};

}  // namespace

std::span<const TransformType> all_transforms() { return table; }

const TransformType* find_transform(std::string_view name) {
  const auto at =
      std::find_if(std::begin(table), std::end(table), [&](const TransformType& t) { return name == t.name; });
  return at == std::end(table) ? nullptr : at;
}

Transform default_transform(const TransformType& type) {
  Transform t{type.name, {}};
  for (const TransformField& f : type.fields) t.values.push_back(f.otherwise);
  return t;
}

void apply_transforms(std::span<const Transform> list, std::uint64_t seed, std::int64_t epoch, std::int64_t sample,
                      TransformImage& image) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    const TransformType* type = find_transform(list[k].type);
    assert(type && list[k].values.size() == type->fields.size());
    if (!type->apply) continue;  // applied to batches, not to single images
    RandomStream random({.seed = seed,
                         .op = static_cast<std::uint32_t>(RandomOp::transform) + static_cast<std::uint32_t>(k),
                         .epoch = static_cast<std::uint32_t>(epoch),
                         .sample = static_cast<std::uint64_t>(sample)});
    type->apply(image, list[k].values, random);
  }
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
#include "engine/examples/shape_photos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/png.hpp"
#include "engine/core/rng.hpp"

namespace nw {
namespace {

constexpr std::int64_t width = 48, height = 36;
constexpr float thickness = 0.34F;  // of crosses and rings, as a part of the radius

const char* folder_of(PhotoShape shape) {
  switch (shape) {
    case PhotoShape::circle:
      return "circles";
    case PhotoShape::square:
      return "squares";
    case PhotoShape::cross:
      return "crosses";
    case PhotoShape::triangle:
      return "triangles";
    case PhotoShape::ring:
      return "rings";
  }
  return "";
}

/// Whether the shape covers a point; both coordinates are -1 to 1 within it.
bool covers(PhotoShape shape, float x, float y) {
  const float distance = std::hypot(x, y), side = std::max(std::abs(x), std::abs(y));
  switch (shape) {
    case PhotoShape::circle:
      return distance < 1;
    case PhotoShape::square:
      return side < 0.85F;
    case PhotoShape::cross:
      return side < 1 && std::min(std::abs(x), std::abs(y)) < thickness;
    case PhotoShape::triangle:
      return y < 0.8F && y > -0.9F && std::abs(x) < (y + 0.9F) * 0.55F;
    case PhotoShape::ring:
      return distance < 1 && distance > 1 - 1.3F * thickness;
  }
  return false;
}

using Colour = std::array<float, 3>;

Colour random_colour(RandomStream& random, float low) {
  Colour c{};
  for (float& channel : c) channel = low + 90 * random.uniform();
  return c;
}

Image shape_photo(PhotoShape shape, RandomStream& random) {
  Image image{height, width, 3, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * height * width))};
  const Colour ground = random_colour(random, 20), figure = random_colour(random, 130);
  const float radius = 9 + 6 * random.uniform();
  const float cx = radius + (static_cast<float>(width) - 2 * radius) * random.uniform();
  const float cy = radius + (static_cast<float>(height) - 2 * radius) * random.uniform();
  std::size_t at = 0;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      const bool inside = covers(shape, (static_cast<float>(x) - cx) / radius, (static_cast<float>(y) - cy) / radius);
      for (const float channel : inside ? figure : ground)
        image.hwc[at++] = static_cast<std::uint8_t>(channel + 30 * random.uniform());
    }
  return image;
}

}  // namespace

Status write_shape_photos(const fs::path& folder, std::initializer_list<PhotoShape> shapes, int count) {
  for (const PhotoShape shape : shapes) {
    const fs::path place = folder / folder_of(shape);
    NW_TRY(make_folder(place));
    RandomStream random(
        {.seed = static_cast<std::uint64_t>(shape), .op = static_cast<std::uint32_t>(RandomOp::synthetic)});
    for (int i = 1; i <= count; ++i)
      NW_TRY(save_file(place / fmt::format("{:03}.png", i), png_of(shape_photo(shape, random))));
  }
  return {};
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Features of images: the input of the network's last layer with weights. For the network, images with similar features
// are similar.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace nw {

struct Features {
  std::int64_t width = 0;                   // numbers per image
  std::vector<float> rows;                  // (images, width)
  std::vector<std::int64_t> sample, label;  // data-set index, class
  std::int64_t count() const { return static_cast<std::int64_t>(sample.size()); }
  std::span<const float> row(std::int64_t i) const {
    return {rows.data() + i * width, static_cast<std::size_t>(width)};
  }
};

struct Neighbor {
  std::int64_t at = 0;  // row of the features
  double likeness = 0;  // cosine of the angle between both, -1…1
};
/// The `most` neighbours nearest to `one` (width numbers), nearest first; `but`: an index that is skipped.
std::vector<Neighbor> nearest(const Features&, std::span<const float> one, std::size_t most, std::int64_t but = -1);

/// The plane in which the features differ most (principal components; found by orthogonal iteration, the same every
/// time).
struct Plane {
  std::vector<double> x, y;  // of each image
  double share[2] = {0, 0};  // fraction of the variance, along x and y
};
Plane principal_plane(const Features&);

}  // namespace nw

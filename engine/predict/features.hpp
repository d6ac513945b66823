// SPDX-License-Identifier: Apache-2.0
// Features of images: the input of the network's last layer with weights. Similar features mean that the network treats
// the images as similar.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace nw {

struct Features {
  std::int64_t width = 0;                   // features per image
  std::vector<float> rows;                  // (images, width)
  std::vector<std::int64_t> sample, label;  // data-set index, class
  std::int64_t count() const { return static_cast<std::int64_t>(sample.size()); }
  std::span<const float> row(std::int64_t i) const {
    return {rows.data() + i * width, static_cast<std::size_t>(width)};
  }
};

struct Neighbor {
  std::int64_t at = 0;  // row of the neighbor
  double likeness = 0;  // cosine similarity, -1…1
};
/// The `most` nearest neighbors of `one` (`width` numbers), nearest first; `but`: a row that is skipped.
std::vector<Neighbor> nearest(const Features&, std::span<const float> one, std::size_t most, std::int64_t but = -1);

/// The first two principal components of the features, computed by orthogonal iteration; deterministic.
struct Plane {
  std::vector<double> x, y;  // coordinates of each image
  double share[2] = {0, 0};  // fraction of the variance, along x and y
};
Plane principal_plane(const Features&);

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Similar images whose bytes differ: recompressed, brightened, blurred, noisy, shifted by a few pixels.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kernels/result.hpp"

namespace nw {

inline constexpr std::int64_t comparison_side = 32;

/// An image reduced for the comparison: grey, comparison_side × comparison_side.
using Look = std::array<float, comparison_side * comparison_side>;
Look comparison_image(std::span<const std::uint8_t> hwc, std::int64_t height, std::int64_t width,
                      std::int64_t channels);

/// A perceptual hash: the signs of the 63 lowest frequencies of the discrete cosine transform without the mean; similar
/// images differ in few signs.
std::uint64_t perceptual_hash(const Look&);
/// The similarity of the fine structure of two images, the maximum over shifts by at most two pixels, and over crops of
/// as many pixels enlarged to the original size. 1: equal, near 0: unrelated; 0 if one of them has no fine structure.
double likeness(const Look&, const Look&);

struct NearDuplicatePair {
  std::int64_t a = 0, b = 0;  // a < b, indices of the codes
  double likeness = 0;
};
inline constexpr double similarity_threshold = 0.6;
/// Pairs whose similarity is at least similarity_threshold, the most similar first. `look` is called by several
/// threads. `progress` gets 0…1; false cancels (Errc::stopped). Every pair of codes is compared: some seconds for
/// 100,000 images; the time grows with the square of their number.
Result<std::vector<NearDuplicatePair>> find_near_duplicate_pairs(const std::vector<std::uint64_t>& codes,
                                                                 const std::function<Look(std::int64_t)>& look,
                                                                 const std::function<bool(double)>& progress);

}  // namespace nw

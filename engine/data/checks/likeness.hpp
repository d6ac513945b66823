// SPDX-License-Identifier: Apache-2.0
// Which images look alike although their bytes differ: compressed again, brightened, blurred, noisy, moved by a few
// pixels.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kernels/result.hpp"

namespace nw {

inline constexpr std::int64_t look_side = 32;

/// An image as it is compared: grey, look_side × look_side.
using Look = std::array<float, look_side * look_side>;
Look look_of(std::span<const std::uint8_t> hwc, std::int64_t height, std::int64_t width, std::int64_t channels);

/// Signs of the 63 lowest frequencies of a look (its discrete cosine transform without the mean); alike images differ
/// in few.
std::uint64_t coarse_code(const Look&);
/// How well the fine structure of two looks agrees when one is moved by at most two pixels, or cropped by as many and
/// stretched to its size again: 1 the same, near 0 unrelated; 0 where one has none.
double likeness(const Look&, const Look&);

struct LikePair {
  std::int64_t a = 0, b = 0;  // a < b, positions among the codes
  double likeness = 0;
};
inline constexpr double alike_from = 0.6;
/// Pairs whose likeness is at least alike_from, the most alike first. `look` is asked from several threads. `progress`
/// gets 0…1; false cancels (Errc::stopped). Every pair of codes is compared: some seconds for 100,000 images, with the
/// square of their number.
Result<std::vector<LikePair>> like_pairs(const std::vector<std::uint64_t>& codes,
                                         const std::function<Look(std::int64_t)>& look,
                                         const std::function<bool(double)>& progress);

}  // namespace nw

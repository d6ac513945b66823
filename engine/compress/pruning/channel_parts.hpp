// SPDX-License-Identifier: Apache-2.0
// Where the numbers of a channel lie in a weight.
#pragma once
#include <functional>
#include <numeric>
#include <vector>

#include "engine/compress/pruning/channel_groups.hpp"

namespace nw::compress {

/// The number of elements of dimensions [from, to).
inline std::int64_t elements(const std::vector<std::int64_t>& dims, std::size_t from, std::size_t to) {
  return std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(from),
                         dims.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t{1}, std::multiplies<>());
}

/// Calls fn(channel, first, count) for every run of consecutive numbers that a weight of the sizes `dims` has of a
/// channel of the axis.
template <class Fn>
void for_each_part(const ChannelAxis& axis, std::int64_t channels, const std::vector<std::int64_t>& dims, Fn&& fn) {
  const auto dim = static_cast<std::size_t>(axis.dim);
  const std::int64_t inner = elements(dims, dim + 1, dims.size()), outer = elements(dims, 0, dim);
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t c = 0; c < channels; ++c)
      fn(c, (o * dims[dim] + axis.first + c * axis.each) * inner, axis.each * inner);
}

}  // namespace nw::compress

// SPDX-License-Identifier: Apache-2.0
// What a Communicator may also be: what replicas need of which each keeps a part of the optimizer's state, and how long
// they wait for each other.
#pragma once
#include <span>

#include "kernels/api.hpp"

namespace nw {

class RankCommunicator : public Communicator {
 public:
  /// `bounds`: world() + 1 ascending offsets of elements, the first 0. Rank r gets the sums, in rank order, of the
  /// elements from bounds[r] up to bounds[r + 1]; its others are left in any state. False: as all_reduce_sum().
  virtual bool reduce_scatter_sum(float* data, std::span<const std::int64_t> bounds) = 0;
  /// Every rank gets the bytes from bounds[r] up to bounds[r + 1] that rank r has there. False: as all_reduce_sum().
  virtual bool all_gather(std::byte* data, std::span<const std::int64_t> bounds) = 0;
  /// Seconds in which calls so far waited for ranks that arrived later. Any thread.
  virtual double waited_seconds() const = 0;
};

}  // namespace nw

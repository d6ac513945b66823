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
  /// Sums of a step's gradients, bucket by bucket, while the rank computes others; every rank begins the same ones in
  /// the same order. Rank r adds up, in rank order, the elements from bounds[r] up to bounds[r + 1]; with `to_all` each
  /// rank gets all of them. `data` is the same in all sums of a step, which own it until finish_sums(). Never waits.
  virtual void begin_sum(float* data, std::span<const std::int64_t> bounds, bool to_all) = 0;
  /// Does what can be done of the sums without waiting, and returns how many of them are here since the last
  /// finish_sums(): those whose own elements are added up, and with `to_all` those of the other ranks too. One thread
  /// at a time.
  virtual std::size_t advance_sums() = 0;
  /// Waits until all sums that were begun are complete on all ranks, and sums these numbers too, in rank order; at most
  /// `most_numbers`. False: as all_reduce_sum().
  virtual bool finish_sums(std::span<double> numbers) = 0;
  static constexpr std::size_t most_numbers = 4;
  /// Seconds in which calls so far waited for ranks that arrived later. Any thread.
  virtual double waited_seconds() const = 0;
};

}  // namespace nw

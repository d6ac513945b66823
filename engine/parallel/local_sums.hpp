// SPDX-License-Identifier: Apache-2.0
// Sums of buckets of gradients over threads that each play a device, while they compute: see RankCommunicator.
#pragma once
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "kernels/rank_communicator.hpp"

namespace nw {

/// Shared by all ranks. Each rank publishes where its data are, and adds up its part of a bucket as soon as all ranks
/// have published that bucket.
class LocalSums {
 public:
  explicit LocalSums(int world);
  void begin(int rank, float* data, std::span<const std::int64_t> bounds, bool to_all);
  std::size_t advance(int rank);
  bool finish(int rank, std::span<double> numbers);
  /// Seconds in which finish() had nothing to do but to wait.
  double waited_seconds(int rank) const;
  void abort();

 private:
  struct Bucket {
    std::vector<std::int64_t> bounds;
    bool to_all = true;
  };
  using Numbers = std::array<double, RankCommunicator::most_numbers>;
  struct alignas(64) Rank {
    // of all steps: buckets that were begun, and whose own part is added up; steps that are at their end
    std::atomic<std::uint64_t> begun{0}, summed{0}, ended{0};
    std::atomic<std::int64_t> waited_ns{0};
    float* data = nullptr;        // of a step's buckets; others read it once the first of them is begun
    Numbers numbers[2] = {};      // of two steps, in turn: another rank may still read those of the step before
    std::vector<Bucket> buckets;  // the first `count` are of this step; used by the rank alone, as all below
    std::size_t count = 0;
    std::uint64_t before = 0;  // buckets of earlier steps
  };
  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  bool all_begun(std::uint64_t bucket) const;
  std::uint64_t summed_by_all() const;  // buckets
  std::uint64_t ended_by_all() const;   // steps
  bool is_complete(std::uint64_t buckets, std::uint64_t steps) const;
  void sum_own(int rank, const Bucket&);
  void wake();
  template <class Condition>
  void wait_until(const Condition&);

  std::vector<Rank> ranks_;
  const int spins_;
  std::atomic<int> sleeping_{0};
  std::atomic<bool> aborted_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace nw

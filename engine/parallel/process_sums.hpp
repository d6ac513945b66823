// SPDX-License-Identifier: Apache-2.0
// Sums of buckets of gradients over processes, while they compute: see RankCommunicator. Messages move while a rank
// computes, and each look at them passes them on.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/parallel/process_group.hpp"

namespace nw {

class ProcessSums {
 public:
  /// `ranks` of the group, of which this process is number `rank`; all arguments outlive it.
  ProcessSums(ProcessGroup& group, const std::vector<int>& ranks, int rank, const std::atomic<bool>& aborted)
      : group_(group), ranks_(ranks), rank_(static_cast<std::size_t>(rank)), aborted_(aborted) {}
  // Memory of messages that are still on their way stays: the process is about to end.
  ~ProcessSums();
  ProcessSums(const ProcessSums&) = delete;
  ProcessSums& operator=(const ProcessSums&) = delete;
  void begin(float* data, std::span<const std::int64_t> bounds, bool to_all);
  std::size_t advance();
  /// Adds the seconds until the last rank came here too to `waited`.
  bool finish(std::span<double> numbers, std::atomic<double>& waited);

 private:
  /// What is on its way: each rank's part to it, then its sums to all.
  enum class Stage { parts, sums, done };
  struct Bucket {
    float* data = nullptr;
    std::vector<std::int64_t> bounds;
    bool to_all = true;
    Stage stage = Stage::parts;
    std::vector<float> others;  // by rank: its numbers of this rank's part
    std::vector<void*> open;    // messages on their way
    std::int64_t elements(std::size_t rank) const { return bounds[rank + 1] - bounds[rank]; }
    std::int64_t bytes(std::size_t rank) const { return elements(rank) * static_cast<std::int64_t>(sizeof(float)); }
    float* of(std::size_t rank) { return others.data() + elements_here * static_cast<std::ptrdiff_t>(rank); }
    std::int64_t elements_here = 0;
  };
  using Numbers = std::array<double, RankCommunicator::most_numbers>;
  bool settled(std::vector<void*>& open) const;
  void exchange_parts(Bucket&);
  void add_own(Bucket&);
  void exchange_sums(Bucket&);
  void exchange_numbers(std::span<const double>);
  void add_numbers(std::span<double>) const;

  ProcessGroup& group_;
  const std::vector<int>& ranks_;
  const std::size_t rank_;
  const std::atomic<bool>& aborted_;
  std::vector<Bucket> buckets_;         // the first `begun_` are of this step
  std::size_t begun_ = 0, ended_ = 0;   // of them; ended: nothing is on its way
  std::vector<Numbers> numbers_;        // by rank
  std::vector<void*> arriving_, sent_;  // of numbers
};

}  // namespace nw

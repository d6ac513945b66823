// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "engine/parallel/local_sums.hpp"
#include "engine/parallel/rank_order_sum.hpp"
#include "engine/parallel/team.hpp"
#include "engine/parallel/waiting.hpp"

namespace nw {
namespace {

// The state shared by all ranks. Each rank publishes the address of its data and sums one shard over all ranks, in rank
// order, into the memory of all; no rank returns before all are done. So all ranks get the same bytes whatever the
// timing.
class AllReduceGroup {
 public:
  explicit AllReduceGroup(int world)
      : data_(static_cast<std::size_t>(world)),
        waited_ns_(static_cast<std::size_t>(world)),
        world_(world),
        spins_(spins_for(world)),
        buckets_(world) {}

  LocalSums& buckets() { return buckets_; }

  template <class T>
  bool sum(int rank, T* data, std::int64_t count) {
    if (!meet(rank, data)) return false;
    const std::int64_t begin = count * rank / world_, end = count * (rank + 1) / world_;
    const auto of = [this](int r) { return static_cast<T*>(data_[static_cast<std::size_t>(r)]); };
    sum_in_rank_order<T>(world_, begin, end, of, [&](const T* sums, std::int64_t first, std::int64_t n) {
      for (int r = 0; r < world_; ++r) std::copy_n(sums, n, of(r) + first);
    });
    return wait();
  }

  /// The elements of each rank's own range.
  bool scatter(int rank, float* data, std::span<const std::int64_t> bounds) {
    if (!meet(rank, data)) return false;
    const auto at = static_cast<std::size_t>(rank);
    sum_in_rank_order<float>(
        world_, bounds[at], bounds[at + 1],
        [this](int r) { return static_cast<float*>(data_[static_cast<std::size_t>(r)]); },
        [&](const float* sums, std::int64_t first, std::int64_t n) { std::copy_n(sums, n, data + first); });
    return wait();
  }

  bool gather(int rank, std::byte* data, std::span<const std::int64_t> bounds) {
    if (!meet(rank, data)) return false;
    for (std::size_t r = 0; r < data_.size(); ++r)
      if (static_cast<int>(r) != rank && bounds[r + 1] > bounds[r])
        std::memcpy(data + bounds[r], static_cast<std::byte*>(data_[r]) + bounds[r],
                    static_cast<std::size_t>(bounds[r + 1] - bounds[r]));
    return wait();
  }

  double waited_seconds(int rank) const {
    return 1e-9 * static_cast<double>(waited_ns_[static_cast<std::size_t>(rank)]) + buckets_.waited_seconds(rank);
  }

  void abort() {
    aborted_ = true;
    buckets_.abort();
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  bool aborted() const { return aborted_; }

 private:
  /// Publishes the address, and waits until all ranks have.
  bool meet(int rank, void* data) {
    data_[static_cast<std::size_t>(rank)] = data;
    const auto begin = std::chrono::steady_clock::now();
    const bool all = wait();
    waited_ns_[static_cast<std::size_t>(rank)] +=
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
    return all;
  }

  /// Returns false after an abort, now or earlier.
  bool wait() {
    const std::uint32_t phase = phase_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) == world_ - 1) {
      arrived_.store(0, std::memory_order_relaxed);
      const std::lock_guard lock(mutex_);
      phase_.store(phase + 1, std::memory_order_release);
      changed_.notify_all();
      return !aborted_;
    }
    const auto over = [&] { return phase_.load(std::memory_order_acquire) != phase || aborted_; };
    for (int i = 0; i < spins_ && !over(); ++i) relax();
    if (!over()) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, over);
    }
    return !aborted_;
  }

  std::vector<void*> data_;
  std::vector<std::atomic<std::int64_t>> waited_ns_;
  const int world_, spins_;
  std::atomic<int> arrived_{0};
  std::atomic<std::uint32_t> phase_{0};
  std::atomic<bool> aborted_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  LocalSums buckets_;
};

class LocalCommunicator final : public RankCommunicator {
 public:
  LocalCommunicator(std::shared_ptr<AllReduceGroup> meeting, int rank, int world)
      : meeting_(std::move(meeting)), rank_(rank), world_(world) {}
  int rank() const override { return rank_; }
  int world() const override { return world_; }
  bool all_reduce_sum(float* data, std::int64_t count) override { return meeting_->sum(rank_, data, count); }
  bool all_reduce_sum(double* data, std::int64_t count) override { return meeting_->sum(rank_, data, count); }
  bool reduce_scatter_sum(float* data, std::span<const std::int64_t> bounds) override {
    return meeting_->scatter(rank_, data, bounds);
  }
  bool all_gather(std::byte* data, std::span<const std::int64_t> bounds) override {
    return meeting_->gather(rank_, data, bounds);
  }
  void begin_sum(float* data, std::span<const std::int64_t> bounds, bool to_all) override {
    meeting_->buckets().begin(rank_, data, bounds, to_all);
  }
  std::size_t advance_sums() override { return meeting_->buckets().advance(rank_); }
  bool finish_sums(std::span<double> numbers) override { return meeting_->buckets().finish(rank_, numbers); }
  double waited_seconds() const override { return meeting_->waited_seconds(rank_); }
  void abort() override { meeting_->abort(); }
  bool aborted() const override { return meeting_->aborted(); }

 private:
  std::shared_ptr<AllReduceGroup> meeting_;
  const int rank_, world_;
};

}  // namespace

std::vector<std::unique_ptr<RankCommunicator>> make_local_communicators(int world) {
  auto meeting = std::make_shared<AllReduceGroup>(world);
  std::vector<std::unique_ptr<RankCommunicator>> all;
  for (int rank = 0; rank < world; ++rank) all.push_back(std::make_unique<LocalCommunicator>(meeting, rank, world));
  return all;
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
#include <condition_variable>
#include <mutex>

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
      : data_(static_cast<std::size_t>(world)), world_(world), spins_(spins_for(world)) {}

  template <class T>
  bool sum(int rank, T* data, std::int64_t count) {
    data_[static_cast<std::size_t>(rank)] = data;
    if (!wait()) return false;
    const std::int64_t begin = count * rank / world_, end = count * (rank + 1) / world_;
    for (std::int64_t i = begin; i < end; ++i) {
      T total = static_cast<T*>(data_[0])[i];
      for (int r = 1; r < world_; ++r) total += static_cast<T*>(data_[static_cast<std::size_t>(r)])[i];
      for (int r = 0; r < world_; ++r) static_cast<T*>(data_[static_cast<std::size_t>(r)])[i] = total;
    }
    return wait();
  }

  void abort() {
    aborted_ = true;
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  bool aborted() const { return aborted_; }

 private:
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
  const int world_, spins_;
  std::atomic<int> arrived_{0};
  std::atomic<std::uint32_t> phase_{0};
  std::atomic<bool> aborted_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
};

class LocalCommunicator final : public Communicator {
 public:
  LocalCommunicator(std::shared_ptr<AllReduceGroup> meeting, int rank, int world)
      : meeting_(std::move(meeting)), rank_(rank), world_(world) {}
  int rank() const override { return rank_; }
  int world() const override { return world_; }
  bool all_reduce_sum(float* data, std::int64_t count) override { return meeting_->sum(rank_, data, count); }
  bool all_reduce_sum(double* data, std::int64_t count) override { return meeting_->sum(rank_, data, count); }
  void abort() override { meeting_->abort(); }
  bool aborted() const override { return meeting_->aborted(); }

 private:
  std::shared_ptr<AllReduceGroup> meeting_;
  const int rank_, world_;
};

}  // namespace

std::vector<std::unique_ptr<Communicator>> make_local_communicators(int world) {
  auto meeting = std::make_shared<AllReduceGroup>(world);
  std::vector<std::unique_ptr<Communicator>> all;
  for (int rank = 0; rank < world; ++rank) all.push_back(std::make_unique<LocalCommunicator>(meeting, rank, world));
  return all;
}

}  // namespace nw

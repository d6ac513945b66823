// SPDX-License-Identifier: Apache-2.0
// A communicator that measures the time its rank spends in calls, including the wait for other ranks.
#pragma once
#include <atomic>
#include <chrono>
#include <memory>

#include "kernels/api.hpp"

namespace nw {

class TimedCommunicator final : public Communicator {
 public:
  explicit TimedCommunicator(std::unique_ptr<Communicator> inner) : inner_(std::move(inner)) {}
  int rank() const override { return inner_->rank(); }
  int world() const override { return inner_->world(); }
  bool all_reduce_sum(float* data, std::int64_t count) override { return timed(data, count); }
  bool all_reduce_sum(double* data, std::int64_t count) override { return timed(data, count); }
  void abort() override { inner_->abort(); }
  bool aborted() const override { return inner_->aborted(); }
  double seconds() const { return 1e-9 * static_cast<double>(ns_.load(std::memory_order_relaxed)); }

 private:
  template <class T>
  bool timed(T* data, std::int64_t count) {
    const auto begin = std::chrono::steady_clock::now();
    const bool done = inner_->all_reduce_sum(data, count);
    ns_.fetch_add(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count(),
        std::memory_order_relaxed);
    return done;
  }
  std::unique_ptr<Communicator> inner_;
  std::atomic<std::int64_t> ns_{0};
};

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// A communicator that measures the time its rank spends in calls, including the wait for other ranks.
#pragma once
#include <atomic>
#include <chrono>
#include <memory>
#include <type_traits>

#include "kernels/rank_communicator.hpp"

namespace nw {

class TimedCommunicator final : public RankCommunicator {
 public:
  explicit TimedCommunicator(std::unique_ptr<RankCommunicator> inner) : inner_(std::move(inner)) {}
  int rank() const override { return inner_->rank(); }
  int world() const override { return inner_->world(); }
  bool all_reduce_sum(float* data, std::int64_t count) override {
    return timed([&] { return inner_->all_reduce_sum(data, count); });
  }
  bool all_reduce_sum(double* data, std::int64_t count) override {
    return timed([&] { return inner_->all_reduce_sum(data, count); });
  }
  bool reduce_scatter_sum(float* data, std::span<const std::int64_t> bounds) override {
    return timed([&] { return inner_->reduce_scatter_sum(data, bounds); });
  }
  bool all_gather(std::byte* data, std::span<const std::int64_t> bounds) override {
    return timed([&] { return inner_->all_gather(data, bounds); });
  }
  void begin_sum(float* data, std::span<const std::int64_t> bounds, bool to_all) override {
    timed([&] {
      inner_->begin_sum(data, bounds, to_all);
      return true;
    });
  }
  std::size_t advance_sums() override {
    return timed([&] { return inner_->advance_sums(); });
  }
  bool finish_sums(std::span<double> numbers) override {
    return timed([&] { return inner_->finish_sums(numbers); });
  }
  void abort() override { inner_->abort(); }
  bool aborted() const override { return inner_->aborted(); }
  double waited_seconds() const override { return inner_->waited_seconds(); }
  double seconds() const { return 1e-9 * static_cast<double>(ns_.load(std::memory_order_relaxed)); }

 private:
  template <class Call>
  std::invoke_result_t<const Call&> timed(const Call& call) {
    const auto begin = std::chrono::steady_clock::now();
    const auto done = call();
    ns_.fetch_add(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count(),
        std::memory_order_relaxed);
    return done;
  }
  std::unique_ptr<RankCommunicator> inner_;
  std::atomic<std::int64_t> ns_{0};
};

}  // namespace nw

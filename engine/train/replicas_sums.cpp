// SPDX-License-Identifier: Apache-2.0
// What the replicas of a run tell each other outside of training steps.
#include <cmath>

#include "engine/train/replicas_rank.hpp"

namespace nw {

Status Replicas::share_buffers() {
  if (!own_statistics_) return {};
  if (processes_) return share_buffers_of_first();
  const Rank& first = *ranks_.front();
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < first.training.plan.values.size(); ++i) {
    const Value& v = first.training.plan.values[i];
    if (v.role != Role::buffer) continue;
    bytes.resize(bytes_of(v));
    first.train->read(static_cast<int>(i), bytes);
    for (std::size_t r = 1; r < ranks_.size(); ++r) ranks_[r]->train->write(static_cast<int>(i), bytes);
  }
  return on_all([](Rank& r) { return r.train->health(); });
}

// All processes but the first add zeros.
Status Replicas::share_buffers_of_first() {
  return on_all([&](Rank& r) -> Status {
    std::vector<float> numbers;
    for (std::size_t i = 0; i < r.training.plan.values.size(); ++i) {
      const Value& v = r.training.plan.values[i];
      if (v.role != Role::buffer || v.dtype != DType::f32) continue;
      numbers.assign(static_cast<std::size_t>(v.shape.elements()), 0);
      const auto bytes = std::as_writable_bytes(std::span(numbers));
      if (r.rank == 0) r.train->read(static_cast<int>(i), bytes);
      if (!r.communicator->all_reduce_sum(numbers.data(), std::ssize(numbers))) return lost_device();
      r.train->write(static_cast<int>(i), bytes);
    }
    return r.train->health();
  });
}

/// The sums of an evaluation, in rank order.
Status Replicas::sum_over_processes(StepMetrics& m) {
  if (!processes_) return {};
  Communicator& between = spread_ ? *spread_->all : *ranks_.front()->communicator;
  double sums[] = {m.loss_sum, static_cast<double>(m.correct), static_cast<double>(m.samples)};
  NW_TRY(on_all([&](Rank&) -> Status {
    if (between.all_reduce_sum(sums, std::ssize(sums))) return {};
    return lost_device();
  }));
  m.loss_sum = sums[0];
  m.correct = std::llround(sums[1]);
  m.samples = std::llround(sums[2]);
  return {};
}

}  // namespace nw

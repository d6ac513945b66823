// SPDX-License-Identifier: Apache-2.0
// Updates from the gradients of several batches. Each batch is a step without an update; its gradients are summed in
// host memory, part by part and rank by rank, so that the sum depends on neither threads nor devices' speeds.
#include <algorithm>
#include <cmath>

#include "engine/train/replicas_rank.hpp"

namespace nw {

Result<StepMetrics> Replicas::train_in_parts(const BatchSamples& batch, const StepArgs& args) {
  StepMetrics all;
  for (auto& [value, sum] : sums_) std::fill(sum.begin(), sum.end(), 0.0F);
  for (std::int64_t part = 0; part < accumulate_ && part * capacity() < batch.valid; ++part) {
    NW_TRY(on_all([&](Rank& r) { return r.train->run(args_for(r, batch, args, 0, part)); }));
    for (const auto& r : ranks_) {
      const StepMetrics m = r->train->metrics();
      all.loss_sum += m.loss_sum;
      all.correct += m.correct;
      all.samples += m.samples;
      all.finite = all.finite && m.finite && std::isfinite(m.loss_sum);
    }
    NW_TRY(sum_part(loss_weight(batch, part * capacity(), capacity()) / loss_weight(batch)));
  }
  average_over_weights(all, batch);
  return all.finite ? update(all, args) : all;
}

/// Adds the gradients of all devices, which are of the mean over a part, times its share of the samples' weights.
Status Replicas::sum_part(double share) {
  const Plan& plan = ranks_.front()->training.plan;
  const auto by = static_cast<float>(share);
  std::vector<float> part;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    if (plan.values[i].role != Role::weight_grad) continue;
    std::vector<float>& sum = sums_[i];
    sum.resize(static_cast<std::size_t>(plan.values[i].shape.elements()));
    part.resize(sum.size());
    for (const auto& r : ranks_) {
      r->train->read(static_cast<int>(i), std::as_writable_bytes(std::span(part)));
      for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += by * part[e];
    }
  }
  return ranks_.front()->train->health();
}

Result<StepMetrics> Replicas::update(const StepMetrics& sums, const StepArgs& args) {
  for (const auto& [value, sum] : sums_) {
    const auto bytes = std::as_bytes(std::span(sum));
    for (const auto& r : ranks_) r->update->write(static_cast<int>(value), bytes);
    ranks_.front()->train->write(static_cast<int>(value), bytes);  // where the gradients of a step are looked for
  }
  NW_TRY(on_all([&](Rank& r) -> Status {
    NW_TRY(r.update->health());
    return r.update->run(args);
  }));
  StepMetrics m = ranks_.front()->update->metrics();
  m.loss_sum = sums.loss_sum;
  m.correct = sums.correct;
  m.samples = sums.samples;
  return m;
}

}  // namespace nw

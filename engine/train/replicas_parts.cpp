// SPDX-License-Identifier: Apache-2.0
// Updates from the gradients of several batches. Each batch is a step without an update; its gradients are summed in
// host memory, part by part and rank by rank, so that the sum depends on neither threads nor devices' speeds.
#include <algorithm>
#include <cmath>

#include "engine/train/replicas_rank.hpp"

namespace nw {

Result<StepMetrics> Replicas::train_in_parts(const BatchSamples& batch, const StepArgs& args) {
  for (auto& [value, sum] : sums_) std::fill(sum.begin(), sum.end(), 0.0F);
  if (pipeline_) return train_in_pipeline(batch, args);
  StepMetrics all;
  for (std::int64_t part = 0; part < accumulate_ && part * capacity() < batch.valid; ++part) {
    NW_TRY(on_all(
        [&](Rank& r) { return timed_step(r, [&] { return r.train->run(args_for(r, batch, args, 0, part)); }); }));
    for (const auto& r : ranks_) {
      const StepMetrics m = r->train->metrics();
      all.loss_sum += m.loss_sum;
      all.correct += m.correct;
      all.samples += m.samples;
      all.finite = all.finite && m.finite && std::isfinite(m.loss_sum);
    }
    NW_TRY(sum_part(share_of_part(batch, part)));
  }
  average_over_weights(all, batch);
  return all.finite ? update(all, args) : all;
}

/// As above, but of the parts together.
Result<StepMetrics> Replicas::train_in_pipeline(const BatchSamples& batch, const StepArgs& args) {
  Rank& r = *ranks_.front();
  r.shares.resize(std::max(r.shares.size(), static_cast<std::size_t>(accumulate_)));  // no reallocation below
  std::vector<Pipeline::Part> parts;
  for (std::int64_t part = 0; part < accumulate_ && part * capacity() < batch.valid; ++part)
    parts.push_back({args_for(r, batch, args, static_cast<std::size_t>(part), part),
                     static_cast<float>(share_of_part(batch, part))});
  NW_ASSIGN(const std::vector<StepMetrics> of_parts, pipeline_->run(parts, sums_));
  StepMetrics all;
  for (const StepMetrics& m : of_parts) {
    all.loss_sum += m.loss_sum;
    all.correct += m.correct;
    all.samples += m.samples;
    all.finite = all.finite && m.finite && std::isfinite(m.loss_sum);
  }
  average_over_weights(all, batch);
  return all.finite ? update(all, args) : all;
}

/// The factor of the gradients of a part, which are of its mean loss.
double Replicas::share_of_part(const BatchSamples& batch, std::int64_t part) const {
  return loss_weight(batch, part * capacity(), capacity()) / loss_weight(batch);
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
      add_scaled(sum, part, by);
    }
  }
  return ranks_.front()->train->health();
}

Result<StepMetrics> Replicas::update(const StepMetrics& sums, const StepArgs& args) {
  for (const auto& [value, sum] : sums_) {
    const auto bytes = std::as_bytes(std::span(sum));
    for (const auto& r : ranks_) r->updating().write(static_cast<int>(value), bytes);
    ranks_.front()->train->write(static_cast<int>(value), bytes);  // where the gradients of a step are looked for
  }
  NW_TRY(on_all([&](Rank& r) -> Status {
    NW_TRY(r.updating().health());
    return timed_step(r, [&] { return r.updating().run(args); });
  }));
  StepMetrics m = ranks_.front()->updating().metrics();
  m.loss_sum = sums.loss_sum;
  m.correct = sums.correct;
  m.samples = sums.samples;
  return m;
}

}  // namespace nw

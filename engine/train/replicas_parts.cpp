// SPDX-License-Identifier: Apache-2.0
// Updates from the gradients of several batches. Each batch is a step without an update; its gradients are summed in
// host memory, part by part, and then over the replicas in their order, so that the sum depends on neither threads nor
// devices' speeds.
#include <algorithm>
#include <cmath>

#include "engine/train/replicas_rank.hpp"

namespace nw {

Result<StepMetrics> Replicas::train_in_parts(const BatchSamples& batch, const StepArgs& args) {
  const std::int64_t parts = std::min(accumulate_, (batch.valid + capacity() - 1) / capacity());
  std::vector<StepMetrics> of_parts(static_cast<std::size_t>(parts * world_));  // part by part, by replica
  NW_TRY(on_all([&](Rank& r) { return run_parts(r, batch, args, parts, of_parts); }));
  NW_TRY(share_metrics(of_parts));
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

/// Forward and backward passes of the device's share of all parts; `all` gets its metrics.
Status Replicas::run_parts(Rank& r, const BatchSamples& batch, const StepArgs& args, std::int64_t parts,
                           std::vector<StepMetrics>& all) {
  for (auto& [value, sum] : r.sums) std::fill(sum.begin(), sum.end(), 0.0F);
  const auto place = [&](std::size_t part) -> StepMetrics& {
    return all[part * static_cast<std::size_t>(world_) + static_cast<std::size_t>(r.rank)];
  };
  if (r.pipeline) {
    NW_ASSIGN(const auto metrics, r.pipeline->run(parts_for(r, batch, args, parts), r.sums));
    for (std::size_t part = 0; part < metrics.size(); ++part) place(part) = metrics[part];
    return {};
  }
  for (std::int64_t part = 0; part < parts; ++part) {
    NW_TRY(timed_step(r, [&] { return r.train->run(args_for(r, batch, args, 0, part)); }));
    place(static_cast<std::size_t>(part)) = r.train->metrics();
    NW_TRY(sum_part(r, share_of_part(batch, part)));
  }
  return {};
}

std::vector<Pipeline::Part> Replicas::parts_for(Rank& r, const BatchSamples& batch, const StepArgs& args,
                                                std::int64_t parts) const {
  r.shares.resize(std::max(r.shares.size(), static_cast<std::size_t>(accumulate_)));  // no reallocation below
  std::vector<Pipeline::Part> all;
  for (std::int64_t part = 0; part < parts; ++part)
    all.push_back({args_for(r, batch, args, static_cast<std::size_t>(part), part),
                   static_cast<float>(share_of_part(batch, part))});
  return all;
}

Status Replicas::measure(const BatchSamples& batch) {
  if (!pipeline()) return {};
  return on_all([&](Rank& r) { return r.pipeline->measure(parts_for(r, batch, {}, 1).front()); });
}

/// The factor of the gradients of a part, which are of its mean loss.
double Replicas::share_of_part(const BatchSamples& batch, std::int64_t part) const {
  return loss_weight(batch, part * capacity(), capacity()) / loss_weight(batch);
}

/// Adds the device's gradients, which are of the mean over a part, times the part's share of the samples' weights.
Status Replicas::sum_part(Rank& r, double share) {
  const Plan& plan = r.training.plan;
  std::vector<float> part;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    if (plan.values[i].role != Role::weight_grad) continue;
    std::vector<float>& sum = r.sums[i];
    sum.resize(static_cast<std::size_t>(plan.values[i].shape.elements()));
    part.resize(sum.size());
    r.train->read(static_cast<int>(i), std::as_writable_bytes(std::span(part)));
    add_scaled(sum, part, static_cast<float>(share));
  }
  return r.train->health();
}

/// Those of the other processes, whose places here are zero; sums with zeros are exact.
Status Replicas::share_metrics(std::vector<StepMetrics>& all) {
  if (!processes_) return {};
  std::vector<double> numbers;
  for (const StepMetrics& m : all)
    numbers.insert(numbers.end(),
                   {m.loss_sum, static_cast<double>(m.correct), static_cast<double>(m.samples), m.finite ? 0.0 : 1.0});
  Communicator& between = spread_ ? *spread_->all : *ranks_.front()->communicator;
  NW_TRY(on_all([&](Rank&) -> Status {
    return between.all_reduce_sum(numbers.data(), std::ssize(numbers)) ? Status() : lost_device();
  }));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].loss_sum = numbers[4 * i];
    all[i].correct = std::llround(numbers[4 * i + 1]);
    all[i].samples = std::llround(numbers[4 * i + 2]);
    all[i].finite = numbers[4 * i + 3] == 0;
  }
  return {};
}

Status Replicas::update_rank(Rank& r, const StepArgs& args) {
  for (auto& [value, sum] : r.sums) {
    if (r.communicator && !r.communicator->all_reduce_sum(sum.data(), std::ssize(sum))) return lost_device();
    const auto bytes = std::as_bytes(std::span(sum));
    r.updating().write(static_cast<int>(value), bytes);
    if (r.update) r.train->write(static_cast<int>(value), bytes);  // where the gradients of a step are looked for
  }
  NW_TRY(r.updating().health());
  return r.updating().run(args);
}

Result<StepMetrics> Replicas::update(const StepMetrics& sums, const StepArgs& args) {
  NW_TRY(on_all([&](Rank& r) { return timed_step(r, [&] { return update_rank(r, args); }); }));
  StepMetrics m = ranks_.front()->updating().metrics();
  m.loss_sum = sums.loss_sum;
  m.correct = sums.correct;
  m.samples = sums.samples;
  return m;
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
#include "kernels/overlapped_sums.hpp"

#include <algorithm>
#include <limits>

#include "kernels/gradient_buckets.hpp"
#include "kernels/summed_metrics.hpp"

namespace nw {
namespace {

constexpr std::int64_t least_elements = (64 << 10) / 4;        // 64 KiB: what a message costs is then less than its sum
constexpr std::int64_t most_elements = std::int64_t{1} << 26;  // of one sum
// 1 MiB: for less, the messages of several buckets cost more than can be hidden
constexpr std::int64_t least_early_elements = (1 << 20) / 4;
constexpr std::chrono::microseconds shortest_noted{5};  // of a look at sums that changed nothing

/// Those of the plan, or one of all gradients where too little could be exchanged early. The same in all ranks.
std::vector<GradientBucket> buckets_for(const Plan& plan, const Storage& storage) {
  std::vector<GradientBucket> all = buckets_of(
      plan,
      [&](int value) { return std::int64_t{reinterpret_cast<float*>(storage.at(value)) - storage.weight_grads()}; },
      {.least = least_elements, .split_late = true});
  if (early_elements(all) >= least_early_elements) return all;
  return {{0, storage.weight_elements(), std::numeric_limits<int>::max()}};
}

/// Each rank's part of these elements: an equal one, or what it keeps of all.
std::vector<std::int64_t> bounds_of(std::int64_t begin, std::int64_t end, const Step& step, int world) {
  const auto kept = step.attrs.find("bounds");
  std::vector<std::int64_t> bounds;
  for (int r = 0; r <= world; ++r)
    bounds.push_back(
        kept == step.attrs.end()
            ? begin + (end - begin) * r / world
            : std::clamp(std::get<std::vector<std::int64_t>>(kept->second)[static_cast<std::size_t>(r)], begin, end));
  return bounds;
}

}  // namespace

bool OverlappedSums::sums_gradients(const Step& s) {
  return s.kernel == "reduce_scatter" || (s.kernel == "all_reduce" && (s.inputs.empty() || s.inputs[0] < 0));
}

OverlappedSums::OverlappedSums(const Plan& plan, const Step& step, bool to_all, const Storage& storage,
                               RankCommunicator& ranks)
    : ranks_(ranks),
      gradients_(storage.weight_grads()),
      to_all_(to_all),
      forward_steps_(static_cast<int>(
          std::find_if(plan.steps.begin(), plan.steps.end(), [](const Step& s) { return s.phase != Phase::forward; }) -
          plan.steps.begin())) {
  for (const GradientBucket& b : buckets_for(plan, storage))
    for (std::int64_t at = b.begin, end = b.begin + b.count; at < end; at += most_elements)
      buckets_.push_back({b.ready, bounds_of(at, std::min(at + most_elements, end), step, ranks.world()), {}, {}});
  std::stable_sort(buckets_.begin(), buckets_.end(),
                   [](const Bucket& a, const Bucket& b) { return a.ready < b.ready; });
}

void OverlappedSums::begin_step() {
  begun_ = here_ = 0;
  exchanges_.clear();
  began_ = forward_end_ = StepClock::now();
}

void OverlappedSums::reached(int step) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || here_ == buckets_.size()) return;
  const StepClock::time_point from = StepClock::now();
  if (step >= 0 && step < forward_steps_) forward_end_ = from;
  const bool begun = begin_through(step);
  const bool more = begun_ > 0 && note_here(ranks_.advance_sums());
  const StepClock::time_point to = StepClock::now();
  if (begun || more || to - from > shortest_noted) exchanges_.push_back({from, to});
}

bool OverlappedSums::begin_through(int step) {
  const std::size_t before = begun_;
  for (; begun_ < buckets_.size() && buckets_[begun_].ready <= step; ++begun_) {
    buckets_[begun_].begun = StepClock::now();
    ranks_.begin_sum(gradients_, buckets_[begun_].bounds, to_all_);
  }
  return begun_ > before;
}

bool OverlappedSums::note_here(std::size_t count) {
  const std::size_t before = here_;
  for (; here_ < count; ++here_) buckets_[here_].here = StepClock::now();
  return here_ > before;
}

// The last worker that was in reached() may still be there.
bool OverlappedSums::finish(std::span<double> metrics) {
  const std::lock_guard lock(mutex_);
  backward_end_ = StepClock::now();
  begin_through(std::numeric_limits<int>::max());
  note_here(ranks_.advance_sums());
  const bool done = ranks_.finish_sums(metrics);
  note_here(buckets_.size());
  summed_ = StepClock::now();
  return done;
}

PreparedKernel OverlappedSums::kernel(RunState& state) {
  return {{{1, false,
            [this, &state](std::int64_t, int) { sum_metrics(state, [&](std::span<double> m) { return finish(m); }); }}},
          ""};
}

std::vector<StepSpan> OverlappedSums::timeline() const {
  std::vector<StepSpan> all;
  const auto add = [&](StepPart part, StepClock::time_point from, StepClock::time_point to, int bucket = 0) {
    const auto seconds = [&](StepClock::time_point t) { return std::chrono::duration<double>(t - began_).count(); };
    all.push_back({part, bucket, seconds(from), seconds(std::max(from, to))});
  };
  add(StepPart::forward, began_, forward_end_);
  add(StepPart::backward, forward_end_, backward_end_);
  add(StepPart::wait, backward_end_, summed_);
  add(StepPart::update, summed_, ended_);
  for (std::size_t b = 0; b < buckets_.size(); ++b)
    add(StepPart::bucket, buckets_[b].begun, buckets_[b].here, static_cast<int>(b + 1));
  for (const Exchange& e : exchanges_) add(StepPart::exchange, e.from, e.to);
  return all;
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/launch_planner.hpp"

#include <algorithm>
#include <utility>

namespace nw::cuda {
namespace {
// False: the metrics, with the gradients.
bool sums_value(const Step& step) { return !step.inputs.empty() && step.inputs[0] >= 0; }
bool sums_gradients(const Step& s) {
  return s.kernel == "reduce_scatter" || (s.kernel == "all_reduce" && !sums_value(s));
}
}  // namespace

bool is_exchange(std::string_view kernel) {
  return kernel == "all_reduce" || kernel == "reduce_scatter" || kernel == "all_gather";
}

bool has_urgent_sums(const Plan& plan) {
  return std::any_of(plan.steps.begin(), plan.steps.end(),
                     [](const Step& s) { return s.kernel == "all_reduce" && sums_value(s); });
}

bool has_exchanges(const Plan& plan) {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [](const Step& s) { return is_exchange(s.kernel); });
}

bool has_stage_sums(const Plan& plan) {
  return std::any_of(plan.steps.begin(), plan.steps.end(),
                     [](const Step& s) { return int_attr(s.attrs, "weights_of_all", 0) > 0; });
}

Result<StepLaunches> LaunchPlanner::plan() {
  const auto steps = static_cast<int>(plan_.steps.size());
  i64 scratch_bytes = 0;
  std::vector<StepPart> sizes_only(1);
  for (int i = 0; i < steps; ++i) NW_TRY(prepare_step(i, nullptr, scratch_bytes, sizes_only));
  std::byte* scratch = memory_.allocate(scratch_bytes);
  made_.parts.resize(1);
  make_prologues();
  find_buckets();
  for (int i = 0; i < steps; ++i) {
    NW_TRY(prepare_step(i, scratch, scratch_bytes, made_.parts));
    begin_buckets(i, made_.parts.back().launches);
  }
  make_epilogue();
  stream_.mark_launches(made_);
  NW_TRY(memory_.status());
  return std::move(made_);
}

Status LaunchPlanner::prepare_step(int index, std::byte* scratch, i64& scratch_bytes, std::vector<StepPart>& parts) {
  const Step& step = plan_.steps[static_cast<std::size_t>(index)];
  if (is_exchange(step.kernel)) return scratch ? exchange_here(step, parts) : Status();
  const Entry* entry = find_entry(step.kernel);
  if (!entry) return fail(Errc::no_device, NW_TR("{0}: {1} has no {2}"), step.label, stream_.gpu().name(), step.kernel);
  RunState unused;
  KernelContext context(plan_, step, values_, unused, nullptr);
  std::vector<Launch>& launches = parts.back().launches;
  const std::size_t first = launches.size();
  std::vector<StageSum> stage_sums;
  Preparing p{context,       at_.block, at_.sample, flat_,         at_.scaler, scratch,
              scratch_bytes, launches,  engines_,   made_.choices, sums_,      stage_sums};
  entry->prepare(p);
  for (std::size_t i = first; i < launches.size(); ++i) launches[i].step = index;
  return scratch ? sum_over_stages(stage_sums, parts) : Status();
}

// From the last sum on, so that the numbers of launches before the others stay what they are.
Status LaunchPlanner::sum_over_stages(const std::vector<StageSum>& sums, std::vector<StepPart>& parts) {
  const std::size_t part = parts.size() - 1;
  for (auto sum = sums.rbegin(); sum != sums.rend(); ++sum) {
    Exchange e{.device = reinterpret_cast<std::byte*>(sum->number), .count = 1, .wide = true};
    e.host = memory_.pinned(static_cast<std::int64_t>(e.bytes()));
    NW_TRY(memory_.status());
    std::vector<Launch>& launches = parts[part].launches;
    StepPart after{.launches = {launches.begin() + static_cast<std::ptrdiff_t>(sum->launches), launches.end()},
                   .before = e,
                   .after = std::exchange(parts[part].after, e)};
    launches.resize(sum->launches);
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(part) + 1, std::move(after));
  }
  return {};
}

Status LaunchPlanner::exchange_here(const Step& step, std::vector<StepPart>& parts) {
  if (step.kernel == "all_gather") return replicas_ ? gather_here(parts) : Status(step_abandoned());
  return replicas_ ? reduce_here(step, parts) : Status();
}

// reduce_scatter too sums all gradients on every GPU: their norm, and with it every weight, then has the bytes of a
// training without parts. Adds the sums by NCCL to the graph; the metrics are reduced together with the last gradients,
// those of a value (the statistics of a batch norm) at once.
Status LaunchPlanner::reduce_here(const Step& step, std::vector<StepPart>& parts) {
  NcclReducer* const reducer = stream_.reducer();
  if (!reducer) {
    NW_ASSIGN(const Exchange e, exchange_of(step));
    return divide_at(e, parts);
  }
  const bool metrics = !sums_value(step);
  const Value* v = metrics ? nullptr : &plan_.values[static_cast<std::size_t>(step.inputs[0])];
  std::byte* at = metrics ? nullptr : values_.at(step.inputs[0]);
  parts.back().launches.emplace_back().call = [reducer, block = at_.block, v, at](DriverStream stream) -> Status {
    if (v) {
      const int type = v->dtype == DType::f64 ? nccl_double : nccl_float;
      NW_TRY(reducer->begin(SumLane::urgent, at, v->shape.elements(), type, stream));
      return reducer->join(SumLane::urgent, stream);
    }
    NW_TRY(reducer->begin(SumLane::gradients, &block->loss_sum, 1, nccl_double, stream));
    NW_TRY(reducer->begin(SumLane::gradients, &block->correct, 2, nccl_int64, stream));
    return reducer->join(SumLane::gradients, stream);
  };
  return {};
}

// The weights are where the other replicas' are, in the order of the flat region, so that a part is one range.
Status LaunchPlanner::gather_here(std::vector<StepPart>& parts) {
  const StateShard shard = *state_shard(plan_);
  if (NcclReducer* const reducer = stream_.reducer()) {
    parts.back().launches.emplace_back().call = [reducer, weights = values_.weights(),
                                                 bounds = shard.bounds](DriverStream stream) {
      return reducer->gather(weights, bounds, stream);
    };
    return {};
  }
  NW_ASSIGN(const Exchange e, exchange_of(shard));
  return divide_at(e, parts);
}

Status LaunchPlanner::divide_at(const Exchange& e, std::vector<StepPart>& parts) {
  parts.back().after = e;
  parts.emplace_back().before = e;
  return {};
}

// Where gradients are accumulated no step of the plan sums them.
void LaunchPlanner::find_buckets() {
  if (!stream_.reducer() || std::none_of(plan_.steps.begin(), plan_.steps.end(), sums_gradients)) return;
  buckets_ = buckets_of(plan_, [this](int value) {
    return (values_.at(value) - reinterpret_cast<std::byte*>(values_.weight_grads())) / 4;
  });
  made_.buckets = buckets_.size();
}

void LaunchPlanner::begin_buckets(int step, std::vector<Launch>& launches) {
  for (const GradientBucket& b : buckets_)
    if (b.ready == step)
      launches.emplace_back().call = [reducer = stream_.reducer(), grads = values_.weight_grads(),
                                      b](DriverStream stream) {
        return reducer->begin(SumLane::gradients, grads + b.begin, b.count, nccl_float, stream);
      };
}

void LaunchPlanner::make_prologues() {
  for (auto& p : made_.prologue)
    p.push_back(Launch::of(plan_.batch, BeginStep{at_.block, at_.burst, at_.order, at_.sample, plan_.batch}));
  for (std::size_t i = 0; i < plan_.values.size(); ++i) {
    const Value& v = plan_.values[i];
    std::byte* const brought = inputs_.brought(static_cast<int>(i));
    if (!brought) continue;
    std::byte* at = values_.at(static_cast<int>(i));
    const i64 count = v.shape.elements(), each = v.shape.rank() > 1 ? v.shape.per_sample() : 1,
              by_sample = v.batched ? each : count;
    if (v.dtype == DType::f32)
      made_.prologue[copied].push_back(Launch::of(
          count,
          TakeInput<float>{reinterpret_cast<float*>(brought), reinterpret_cast<float*>(at), by_sample, at_.block}));
    else
      made_.prologue[copied].push_back(Launch::of(
          count, TakeInput<i64>{reinterpret_cast<i64*>(brought), reinterpret_cast<i64*>(at), by_sample, at_.block}));
    if (v.name == "images")
      made_.prologue[kept].push_back(
          Launch::of(count, GatherImages{reinterpret_cast<float*>(at), at_.burst, at_.block, at_.sample}));
    if (v.name == "labels")
      made_.prologue[kept].push_back(
          Launch::of(count, GatherLabels{reinterpret_cast<i64*>(at), at_.burst, at_.block, at_.sample}));
    if (v.name == "targets")
      made_.prologue[kept].push_back(
          Launch::of(count, GatherTargets{reinterpret_cast<float*>(at), each, at_.burst, at_.block, at_.sample}));
  }
}

void LaunchPlanner::make_epilogue() {
  made_.parts.back().launches.push_back(Launch::of(1, EndStep{at_.block, at_.burst, at_.ring}));
}

Result<Exchange> LaunchPlanner::exchange_of(const Step& step) {
  Exchange e;
  if (sums_value(step)) {
    const Value& v = plan_.values[static_cast<std::size_t>(step.inputs[0])];
    e.device = values_.at(step.inputs[0]);
    e.count = v.shape.elements();
    e.wide = v.dtype == DType::f64;
  } else {
    e.device = reinterpret_cast<std::byte*>(values_.weight_grads());
    e.count = e.device ? values_.weight_elements() : 0;
    e.metrics = true;
  }
  e.host = memory_.pinned(static_cast<std::int64_t>(e.bytes()));
  NW_TRY(memory_.status());
  return e;
}

Result<Exchange> LaunchPlanner::exchange_of(const StateShard& shard) {
  Exchange e{.device = reinterpret_cast<std::byte*>(values_.weights()), .count = shard.bounds.back()};
  for (const std::int64_t element : shard.bounds) e.bounds.push_back(4 * element);
  e.own_begin = static_cast<std::size_t>(4 * shard.begin());
  e.own_end = static_cast<std::size_t>(4 * shard.end());
  e.host = memory_.pinned(static_cast<std::int64_t>(e.bytes()));
  NW_TRY(memory_.status());
  return e;
}

}  // namespace nw::cuda

// SPDX-License-Identifier: Apache-2.0
// How a plan becomes memory and launches.
#include <algorithm>
#include <cstring>

#include "kernels/cuda/executable.hpp"

namespace nw::cuda {
namespace {

DevicePointer pointer(const void* device) { return reinterpret_cast<DevicePointer>(device); }
std::int64_t bytes_of(const Value& v) { return v.shape.elements() * static_cast<std::int64_t>(size_of(v.dtype)); }

// What a plan takes: whatever its batch, and for each sample more.
struct Need {
  std::int64_t fixed = 0, by_batch = 0;
};
Need need_of(const Plan& plan) {
  Need n;
  n.by_batch = plan.arena_bytes;
  for (const Value& v : plan.values) {
    if (v.alias_of >= 0) continue;
    const bool flat =
        v.role == Role::weight || v.role == Role::weight_grad || v.role == Role::optimizer || v.role == Role::buffer;
    if (flat) n.fixed += bytes_of(v);
    if (v.role == Role::input) n.by_batch += 2 * bytes_of(v);  // the step's and the next one's
  }
  return n;
}

}  // namespace

Status CudaExecutable::take_memory(const PrepareArgs& args) {
  const auto* other = dynamic_cast<const CudaExecutable*>(args.weights_from);
  const auto take = [this](std::int64_t bytes) {
    int code = 0;
    auto memory = gpu_->take(bytes, stream_, code);
    if (code != 0 && memory_code_ == 0) memory_code_ = code;
    return memory;
  };
  auto made = Storage::make(plan_, bytes_of, {other ? other->storage_.get() : nullptr, args.takes_turns}, take);
  if (memory_code_ != 0 && memory_code_ != error_out_of_memory) return check(memory_code_);
  if (!made) return no_memory(made.error());
  storage_ = std::move(*made);
  take_step_state();
  return memory_code_ == error_out_of_memory ? Status(no_memory(check(memory_code_).error())) : check(memory_code_);
}

// How much is missing, and the batch that would fit; `otherwise` where the device does not say what it has.
Error CudaExecutable::no_memory(const Error& otherwise) const {
  std::size_t free = 0, total = 0;
  if (border().driver.memory_info(&free, &total) != 0 || total == 0) return otherwise;
  const Need need = need_of(plan_);
  const std::int64_t taken = storage_ ? storage_->bytes() : 0, there = static_cast<std::int64_t>(free) + taken;
  const std::int64_t each = need.by_batch / std::max<std::int64_t>(1, plan_.batch);
  const std::int64_t fits = each > 0 ? (there - need.fixed) / each : 0;
  const auto mib = [](std::int64_t bytes) { return (bytes >> 20) + 1; };
  if (fits >= 1 && fits < plan_.batch)
    return fail(Errc::out_of_memory,
                NW_TR("{0} is out of memory: a batch of {1} needs {2} MiB and {3} MiB are free; a batch of {4} "
                      "would fit, or train on cpu"),
                gpu_->name(), plan_.batch * plan_.world, mib(need.fixed + need.by_batch), there >> 20,
                fits * plan_.world);
  return fail(Errc::out_of_memory,
              NW_TR("{0} is out of memory: {1} MiB are needed and {2} MiB are free; close what else uses it, or "
                    "train on cpu"),
              gpu_->name(), mib(need.fixed + need.by_batch), there >> 20);
}

void CudaExecutable::take_step_state() {
  const i64 indices = Burst::max_steps * plan_.batch;
  block_ = reinterpret_cast<StepBlock*>(storage_->allocate(sizeof(StepBlock)));
  burst_ = reinterpret_cast<Burst*>(storage_->allocate(sizeof(Burst)));
  order_ = reinterpret_cast<i64*>(storage_->allocate(indices * 8));
  sample_ = reinterpret_cast<i64*>(storage_->allocate(plan_.batch * 8));
  if (plan_.compute == DType::f16 && plan_.training)
    scaler_ = reinterpret_cast<LossScaler*>(storage_->allocate(sizeof(LossScaler)));
  host_block_ = pinned_as<StepBlock>(1);
  host_burst_ = pinned_as<Burst>(1);
  host_order_ = pinned_as<i64>(indices);
  ring_ = pinned_as<StepRecord>(Burst::max_steps);
  mark_ = pinned_as<std::int32_t>(1);
  for (std::size_t i = 0; i < plan_.values.size(); ++i) {
    const Value& v = plan_.values[i];
    if (v.role != Role::input || v.alias_of >= 0) continue;
    for (auto& slot : inputs_) pinned(bytes_of(v), slot[i]);
    brought_[i] = storage_->allocate(bytes_of(v));
  }
}

std::byte* CudaExecutable::pinned(std::int64_t bytes, std::shared_ptr<std::byte>& keep) {
  int code = 0;
  keep = gpu_->take_pinned(bytes, code);
  if (code != 0 && memory_code_ == 0) memory_code_ = code;
  pinned_.push_back(keep);
  return keep.get();
}

// Which weight an element belongs to, by groups of elements: rule 0 is padding, which nothing moves.
Status CudaExecutable::upload_rules() {
  const auto& spans = storage_->weight_spans();
  std::vector<WeightRule> rules{{0, 0, 0, 0}};
  std::vector<std::int32_t> rule_of(
      static_cast<std::size_t>((storage_->weight_elements() + FlatRegion::group - 1) / FlatRegion::group), 0);
  for (const WeightSpan& s : spans) {
    rules.push_back({s.lr_scale, s.decay ? 1 : 0, s.offset, s.count});
    for (i64 g = s.offset / FlatRegion::group; g * FlatRegion::group < s.offset + s.count; ++g)
      rule_of[static_cast<std::size_t>(g)] = static_cast<std::int32_t>(rules.size() - 1);
  }
  const auto put = [&](const void* from, std::size_t bytes) {
    std::byte* to = storage_->allocate(static_cast<std::int64_t>(bytes));
    if (to && bytes && memory_code_ == 0) memory_code_ = border().driver.copy_in(pointer(to), from, bytes, stream_);
    return to;
  };
  flat_ = {storage_->weights(),
           storage_->weight_grads(),
           storage_->weight_elements(),
           reinterpret_cast<const std::int32_t*>(put(rule_of.data(), rule_of.size() * sizeof(std::int32_t))),
           reinterpret_cast<const WeightRule*>(put(rules.data(), rules.size() * sizeof(WeightRule))),
           static_cast<i64>(rules.size())};
  NW_TRY(check(memory_code_));
  return check(border().driver.stream_wait(stream_));
}

Status CudaExecutable::prepare_steps() {
  const auto steps = static_cast<int>(plan_.steps.size());
  i64 scratch_bytes = 0;
  std::vector<Part> sizes_only(1);
  for (int i = 0; i < steps; ++i) NW_TRY(prepare_step(i, nullptr, scratch_bytes, sizes_only));
  std::byte* scratch = storage_->allocate(scratch_bytes);
  parts_.resize(1);
  make_prologues();
  find_buckets();
  for (int i = 0; i < steps; ++i) {
    NW_TRY(prepare_step(i, scratch, scratch_bytes, parts_));
    begin_buckets(i, parts_.back().launches);
  }
  make_epilogue();
  mark_launches();
  return check(memory_code_);
}

Status CudaExecutable::prepare_step(int index, std::byte* scratch, i64& scratch_bytes, std::vector<Part>& parts) {
  const Step& step = plan_.steps[static_cast<std::size_t>(index)];
  if (step.kernel == "all_reduce") return communicator_ && scratch ? reduce_here(step, parts) : Status();
  const Entry* entry = find_entry(step.kernel);
  if (!entry) return fail(Errc::no_device, NW_TR("{0}: {1} has no {2}"), step.label, gpu_->name(), step.kernel);
  RunState unused;
  KernelContext context(plan_, step, *storage_, unused, nullptr);
  std::vector<Launch>& launches = parts.back().launches;
  const std::size_t first = launches.size();
  Preparing p{context, block_, sample_, flat_, scaler_, scratch, scratch_bytes, launches, *engines_, choices_, sums_};
  entry->prepare(p);
  for (std::size_t i = first; i < launches.size(); ++i) launches[i].step = index;
  return {};
}

// Libraries load what they need when they are first called, which a capture does not allow. What they compute here lies
// where every step writes before it reads.
Status CudaExecutable::warm_up() {
  for (const Part& part : parts_)
    for (const Launch& l : part.launches)
      if (l.warms_up) NW_TRY(l.call(stream_));
  return check(border().driver.stream_wait(stream_));
}

// NCCL sums inside the graph; the metrics go with the last gradients.
Status CudaExecutable::reduce_here(const Step& step, std::vector<Part>& parts) {
  if (!reducer_) {
    NW_ASSIGN(Exchange e, exchange_of(step));
    parts.back().after = e;
    parts.emplace_back().before = std::move(e);
    return {};
  }
  const bool metrics = step.inputs.empty() || step.inputs[0] < 0;
  const Value* v = metrics ? nullptr : &plan_.values[static_cast<std::size_t>(step.inputs[0])];
  std::byte* at = metrics ? nullptr : storage_->at(step.inputs[0]);
  parts.back().launches.emplace_back().call = [this, v, at](DriverStream stream) -> Status {
    if (v)
      NW_TRY(reducer_->begin(at, v->shape.elements(), v->dtype == DType::f64 ? nccl_double : nccl_float, stream));
    else
      NW_TRY(reducer_->begin(&block_->loss_sum, 1, nccl_double, stream));
    if (!v) NW_TRY(reducer_->begin(&block_->correct, 2, nccl_int64, stream));
    return reducer_->join(stream);
  };
  return {};
}

void CudaExecutable::find_buckets() {
  std::vector<Bucket> grads;
  for (std::size_t i = 0; reducer_ && i < plan_.values.size(); ++i) {
    if (plan_.values[i].role != Role::weight_grad) continue;
    Bucket b{(storage_->at(static_cast<int>(i)) - reinterpret_cast<std::byte*>(storage_->weight_grads())) / 4,
             plan_.values[i].shape.elements(), -1};
    for (std::size_t s = 0; s < plan_.steps.size(); ++s)
      if (const auto& out = plan_.steps[s].outputs; std::find(out.begin(), out.end(), static_cast<int>(i)) != out.end())
        b.ready = static_cast<int>(s);
    grads.push_back(b);
  }
  buckets_ = make_buckets(std::move(grads));
}

void CudaExecutable::begin_buckets(int step, std::vector<Launch>& launches) {
  for (const Bucket& b : buckets_)
    if (b.ready == step)
      launches.emplace_back().call = [this, b](DriverStream stream) {
        return reducer_->begin(storage_->weight_grads() + b.begin, b.count, nccl_float, stream);
      };
}

void CudaExecutable::make_prologues() {
  for (auto& p : prologue_)
    p.push_back(Launch::of(plan_.batch, BeginStep{block_, burst_, order_, sample_, plan_.batch}));
  for (std::size_t i = 0; i < plan_.values.size(); ++i) {
    const Value& v = plan_.values[i];
    if (!brought_[i]) continue;
    std::byte* at = storage_->at(static_cast<int>(i));
    const i64 count = v.shape.elements(), each = v.shape.rank() > 1 ? v.shape.per_sample() : 1,
              by_sample = v.batched ? each : count;
    if (v.dtype == DType::f32)
      prologue_[copied].push_back(Launch::of(count, TakeInput<float>{reinterpret_cast<float*>(brought_[i]),
                                                                     reinterpret_cast<float*>(at), by_sample, block_}));
    else
      prologue_[copied].push_back(Launch::of(
          count, TakeInput<i64>{reinterpret_cast<i64*>(brought_[i]), reinterpret_cast<i64*>(at), by_sample, block_}));
    if (v.name == "images")
      prologue_[kept].push_back(Launch::of(count, GatherImages{reinterpret_cast<float*>(at), burst_, block_, sample_}));
    if (v.name == "labels")
      prologue_[kept].push_back(Launch::of(count, GatherLabels{reinterpret_cast<i64*>(at), burst_, block_, sample_}));
    if (v.name == "targets")
      prologue_[kept].push_back(
          Launch::of(count, GatherTargets{reinterpret_cast<float*>(at), each, burst_, block_, sample_}));
  }
}

void CudaExecutable::make_epilogue() {
  std::vector<Launch>& last = parts_.back().launches;
  last.push_back(Launch::of(1, JudgeLoss{block_}));
  last.push_back(Launch::of(1, EndStep{block_, burst_, ring_}));
}

Result<CudaExecutable::Exchange> CudaExecutable::exchange_of(const Step& step) {
  Exchange e;
  if (!step.inputs.empty() && step.inputs[0] >= 0) {
    const Value& v = plan_.values[static_cast<std::size_t>(step.inputs[0])];
    e.device = storage_->at(step.inputs[0]);
    e.count = v.shape.elements();
    e.wide = v.dtype == DType::f64;
  } else {
    e.device = reinterpret_cast<std::byte*>(storage_->weight_grads());
    e.count = e.device ? storage_->weight_elements() : 0;
    e.metrics = true;
  }
  pinned(e.count * (e.wide ? 8 : 4), e.host);
  NW_TRY(check(memory_code_));
  return e;
}

}  // namespace nw::cuda

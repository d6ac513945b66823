// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/executable_memory.hpp"

#include <algorithm>

#include "kernels/state_shard.hpp"

namespace nw::cuda {
namespace {

// The memory that a plan requires: a constant part, and a part per sample.
struct Need {
  std::int64_t fixed = 0, by_batch = 0;
};
Need need_of(const Plan& plan) {
  Need n;
  const auto indices = (Burst::max_steps + 1) * plan.batch * static_cast<std::int64_t>(sizeof(i64));  // of StepBuffers
  n.by_batch = plan.arena_bytes + indices;
  if (const auto shard = state_shard(plan)) n.fixed -= state_bytes_elsewhere(plan, shard->begin(), shard->end());
  for (const Value& v : plan.values) {
    if (v.alias_of >= 0) continue;
    const bool flat =
        v.role == Role::weight || v.role == Role::weight_grad || v.role == Role::optimizer || v.role == Role::buffer;
    if (flat) n.fixed += device_bytes(v);
    if (v.role == Role::input) n.by_batch += 2 * device_bytes(v);  // the inputs of the current step and of the next
  }
  return n;
}

}  // namespace

std::int64_t device_bytes(const Value& v) { return v.shape.elements() * static_cast<std::int64_t>(size_of(v.dtype)); }

void ExecutableMemory::keep_first(int code) {
  if (code_ == 0) code_ = code;
}

Status ExecutableMemory::take(const ExecutableMemory* shared, bool arena, DriverStream stream) {
  stream_ = stream;
  const auto take = [this](std::int64_t bytes) {
    int code = 0;
    auto memory = gpu_->take(bytes, stream_, code);
    keep_first(code);
    return memory;
  };
  auto made = Storage::make(plan_, device_bytes, {shared ? shared->storage_.get() : nullptr, arena}, take);
  if (code_ != 0 && code_ != error_out_of_memory) return check(code_);
  if (!made) return no_memory(made.error());
  storage_ = std::move(*made);
  return {};
}

Status ExecutableMemory::wait() const {
  NW_TRY(status());
  return check(driver_api().driver.stream_wait(stream_));
}

Status ExecutableMemory::fits() const {
  return code_ == error_out_of_memory ? Status(no_memory(check(code_).error())) : check(code_);
}

// An error with the missing amount and the batch that would fit; `otherwise` where the device does not report its
// memory. What the kernels need beside the plan's values is known once they are chosen, which is after this: a
// twentieth of the memory is left for it.
Error ExecutableMemory::no_memory(const Error& otherwise) const {
  std::size_t free = 0, total = 0;
  if (driver_api().driver.memory_info(&free, &total) != 0 || total == 0) return otherwise;
  const Need need = need_of(plan_);
  const std::int64_t taken = bytes(), there = static_cast<std::int64_t>(free) + taken;
  const std::int64_t each = need.by_batch / std::max<std::int64_t>(1, plan_.batch);
  const std::int64_t fits = each > 0 ? (there - there / 20 - need.fixed) / each : 0;
  const auto mib = [](std::int64_t size) { return (size >> 20) + 1; };
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

std::byte* ExecutableMemory::upload(const void* from, std::size_t bytes) {
  std::byte* to = allocate(static_cast<std::int64_t>(bytes));
  if (to && bytes && code_ == 0)
    code_ = driver_api().driver.copy_in(reinterpret_cast<DevicePointer>(to), from, bytes, stream_);
  return to;
}

std::shared_ptr<std::byte> ExecutableMemory::pinned(std::int64_t bytes) {
  int code = 0;
  auto memory = gpu_->take_pinned(bytes, code);
  keep_first(code);
  pinned_.push_back(memory);
  return memory;
}

StepBuffers StepBuffers::make(const Plan& plan, ExecutableMemory& memory) {
  const i64 indices = Burst::max_steps * plan.batch;
  StepBuffers b;
  b.block = memory.allocate_as<StepBlock>(1);
  b.burst = memory.allocate_as<Burst>(1);
  b.order = memory.allocate_as<i64>(indices);
  b.sample = memory.allocate_as<i64>(plan.batch);
  if (plan.compute == DType::f16 && plan.training) b.scaler = memory.allocate_as<LossScaler>(1);
  b.host_block = memory.pinned_as<StepBlock>(1);
  b.host_burst = memory.pinned_as<Burst>(1);
  b.host_order = memory.pinned_as<i64>(indices);
  b.ring = memory.pinned_as<StepRecord>(Burst::max_steps);
  b.mark = memory.pinned_as<std::int32_t>(1);
  return b;
}

Result<FlatRegion> upload_rules(ExecutableMemory& memory) {
  const Storage& values = memory.values();
  std::vector<WeightRule> rules{{0, 0, 0, 0}};
  std::vector<std::int32_t> rule_of(
      static_cast<std::size_t>((values.weight_elements() + FlatRegion::group - 1) / FlatRegion::group), 0);
  for (const WeightSpan& s : values.weight_spans()) {
    rules.push_back({s.lr_scale, s.decay ? 1 : 0, s.offset, s.count});
    for (i64 g = s.offset / FlatRegion::group; g * FlatRegion::group < s.offset + s.count; ++g)
      rule_of[static_cast<std::size_t>(g)] = static_cast<std::int32_t>(rules.size() - 1);
  }
  const auto* groups = memory.upload(rule_of.data(), rule_of.size() * sizeof(std::int32_t));
  const auto* all = memory.upload(rules.data(), rules.size() * sizeof(WeightRule));
  NW_TRY(memory.wait());  // the copies read tables that are local to this function
  return FlatRegion{values.weights(),
                    values.weight_grads(),
                    values.weight_elements(),
                    reinterpret_cast<const std::int32_t*>(groups),
                    reinterpret_cast<const WeightRule*>(all),
                    static_cast<i64>(rules.size())};
}

}  // namespace nw::cuda

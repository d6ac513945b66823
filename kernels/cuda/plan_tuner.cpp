// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/plan_tuner.hpp"

#include <algorithm>

namespace nw::cuda {
namespace {

constexpr std::int64_t alignment = 256, max_bytes = std::int64_t{4} << 30;
constexpr int warm_runs = 2, timed_runs = 10;
constexpr double worth = 0.95;  // of the first one's time: less of a gain may be chance

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
std::int64_t bytes_of(const GraphTensor& t) {
  std::int64_t elements = 1;
  for (const std::int64_t size : t.sizes) elements *= size;
  return t.is_virtual ? 0 : aligned(elements * (t.type == DType::f32 ? 4 : 2));
}
std::int64_t bytes_of(const Graph& graph) {
  std::int64_t all = 0;
  for (const GraphTensor& t : graph.tensors) all += bytes_of(t);
  return all;
}

}  // namespace

PlanTuner::~PlanTuner() {
  const DriverTable& d = driver_api().driver;
  for (const DriverEvent event : {begin_, end_})
    if (event) d.event_drop(event);
}

std::shared_ptr<CudnnPlan> PlanTuner::fastest(const Graph& graph,
                                              const std::vector<std::shared_ptr<CudnnPlan>>& plans) {
  std::int64_t workspace = 0;
  for (const auto& p : plans) workspace = std::max(workspace, p->workspace_bytes());
  if (!make_room(bytes_of(graph) + aligned(workspace))) return plans.front();
  for (const auto& p : plans)
    if (!measure(graph, *p)) p->set_microseconds(0);
  leave_room();
  auto best = plans.front();
  const double to_beat = best->microseconds() * worth;
  for (const auto& p : plans)
    if (p->microseconds() > 0 && p->microseconds() < to_beat && p->microseconds() < best->microseconds()) best = p;
  return best;
}

bool PlanTuner::make_room(std::int64_t bytes) {
  const DriverTable& d = driver_api().driver;
  if (bytes > max_bytes) return false;
  for (DriverEvent* event : {&begin_, &end_})
    if (!*event && d.event_make(event, 0) != 0) return false;
  if (d.memory_acquire(&room_, static_cast<std::size_t>(bytes)) != 0) return room_ = 0, false;
  if (d.fill(room_, 0, static_cast<std::size_t>(bytes), stream_) == 0) return true;
  return leave_room(), false;
}

// The training needs the memory.
void PlanTuner::leave_room() {
  if (room_) driver_api().driver.memory_release(std::exchange(room_, 0));
}

bool PlanTuner::measure(const Graph& graph, CudnnPlan& plan) {
  const DriverTable& d = driver_api().driver;
  std::vector<void*> addresses;
  auto* at = reinterpret_cast<std::byte*>(room_);
  for (const GraphTensor& t : graph.tensors) addresses.push_back(std::exchange(at, at + bytes_of(t)));
  float ms = 0;
  if (!run(plan, addresses, at, warm_runs) || d.event_record(begin_, stream_) != 0 ||
      !run(plan, addresses, at, timed_runs) || d.event_record(end_, stream_) != 0 || d.stream_wait(stream_) != 0 ||
      d.event_ms(&ms, begin_, end_) != 0)
    return false;
  plan.set_microseconds(1000.0 * static_cast<double>(ms) / timed_runs);
  return true;
}

bool PlanTuner::run(const CudnnPlan& plan, const std::vector<void*>& addresses, void* workspace, int times) const {
  for (int i = 0; i < times; ++i)
    if (plan.enqueue(handle_, addresses, workspace) != 0) return false;
  return true;
}

}  // namespace nw::cuda

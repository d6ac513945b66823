// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/plan_tuner.hpp"

#include <algorithm>

namespace nw::cuda {
namespace {

constexpr std::int64_t alignment = 256, max_bytes = std::int64_t{4} << 30;
constexpr int warm_runs = 2, most_timed_runs = 10;
constexpr double timed_ms = 20;  // of an implementation, at least two runs
constexpr double hopeless = 2;   // times the best so far, in a single run: it is not measured further
constexpr double worth = 0.95;   // of the first one's time: less of a gain may be chance

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
  double least = 0;  // microseconds
  for (const auto& p : plans) {
    if (!measure(graph, *p, least)) p->set_microseconds(0);
    if (p->microseconds() > 0 && (least == 0 || p->microseconds() < least)) least = p->microseconds();
  }
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

bool PlanTuner::measure(const Graph& graph, CudnnPlan& plan, double least) {
  std::vector<void*> addresses;
  auto* at = reinterpret_cast<std::byte*>(room_);
  for (const GraphTensor& t : graph.tensors) addresses.push_back(std::exchange(at, at + bytes_of(t)));
  if (!run(plan, addresses, at, warm_runs)) return false;
  double ms = 0;
  if (!timed(plan, addresses, at, 1, ms)) return false;
  const auto runs = static_cast<int>(std::clamp(timed_ms / std::max(ms, 1e-6), 2.0, double{most_timed_runs}));
  if ((least == 0 || 1000 * ms < hopeless * least) && !timed(plan, addresses, at, runs, ms)) return false;
  plan.set_microseconds(1000 * ms);
  return true;
}

// ms: of one run.
bool PlanTuner::timed(const CudnnPlan& plan, const std::vector<void*>& addresses, void* workspace, int runs,
                      double& ms) const {
  const DriverTable& d = driver_api().driver;
  float all = 0;
  if (d.event_record(begin_, stream_) != 0 || !run(plan, addresses, workspace, runs) ||
      d.event_record(end_, stream_) != 0 || d.stream_wait(stream_) != 0 || d.event_ms(&all, begin_, end_) != 0)
    return false;
  ms = static_cast<double>(all) / runs;
  return true;
}

bool PlanTuner::run(const CudnnPlan& plan, const std::vector<void*>& addresses, void* workspace, int times) const {
  for (int i = 0; i < times; ++i)
    if (plan.enqueue(handle_, addresses, workspace) != 0) return false;
  return true;
}

}  // namespace nw::cuda

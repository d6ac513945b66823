// SPDX-License-Identifier: Apache-2.0
// How launches reach the device: captured once as graphs, or one by one with their times taken.
#include <algorithm>

#include "kernels/cuda/executable.hpp"
#include "kernels/cuda/ranges.hpp"

namespace nw::cuda {
namespace {

constexpr unsigned most_blocks = 4096;            // a grid walks on from there
constexpr std::size_t most_burst_launches = 512;  // nodes of a graph of several steps
constexpr std::size_t most_burst_steps = 16;

DevicePointer pointer(const void* device) { return reinterpret_cast<DevicePointer>(device); }

}  // namespace

Status CudaExecutable::capture(DriverGraphExec& made, const std::function<Status()>& enqueue) {
  const DriverTable& d = border().driver;
  NW_TRY(check(d.stream_wait(stream_)));
  NW_TRY(check(d.capture_begin(stream_, capture_thread_local)));
  const Status enqueued = enqueue();
  DriverGraph graph = nullptr;
  const int ended = d.capture_end(stream_, &graph);
  const int code = enqueued && ended == 0 ? d.graph_make(&made, graph, 0) : ended;
  if (graph) d.graph_drop(graph);
  NW_TRY(enqueued);
  return check(code);
}

Status CudaExecutable::capture_parts(Inputs inputs) {
  if (inputs == copied)
    NW_TRY(capture(take_graph_, [this]() -> Status {
      for (const Launch& l : prologue_[copied]) NW_TRY(enqueue_launch(l));
      return {};
    }));
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& part = parts_[i];
    if (i > 0 && inputs == kept)
      part.graph[kept] = part.graph[copied];
    else
      NW_TRY(capture(part.graph[inputs], [&] { return enqueue(part, inputs); }));
  }
  doing_ = "preparing";
  return {};
}

Status CudaExecutable::capture_burst() {
  if (parts_.size() != 1) return {};
  burst_steps_ = std::clamp<std::size_t>(most_burst_launches / parts_[0].launches.size(), 1, most_burst_steps);
  if (burst_steps_ == 1) return {};
  return capture(burst_graph_, [this]() -> Status {
    for (std::size_t i = 0; i < burst_steps_; ++i) NW_TRY(enqueue(parts_[0], kept));
    return {};
  });
}

Status CudaExecutable::enqueue(const Part& part, Inputs inputs) {
  NW_TRY(enqueue_before(part, inputs));
  for (const Launch& l : part.launches) {
    doing_ = "preparing " + label_of(l.step);
    NW_TRY(enqueue_launch(l));
  }
  return enqueue_after(part);
}

Status CudaExecutable::enqueue_before(const Part& part, Inputs inputs) {
  const DriverTable& d = border().driver;
  if (&part == &parts_.front()) {
    for (const Launch& l : prologue_[kept])
      if (inputs == kept) NW_TRY(enqueue_launch(l));
  }
  if (!part.before) return {};
  const Exchange& e = *part.before;
  if (e.count)
    NW_TRY(check(
        d.copy_in(pointer(e.device), e.host.get(), static_cast<std::size_t>(e.count * (e.wide ? 8 : 4)), stream_)));
  return e.metrics ? check(d.copy_in(pointer(block_), host_block_, sizeof(StepBlock), stream_)) : Status();
}

Status CudaExecutable::enqueue_after(const Part& part) {
  const DriverTable& d = border().driver;
  if (!part.after) return {};
  const Exchange& e = *part.after;
  if (e.count)
    NW_TRY(check(
        d.copy_out(e.host.get(), pointer(e.device), static_cast<std::size_t>(e.count * (e.wide ? 8 : 4)), stream_)));
  return e.metrics ? check(d.copy_out(host_block_, pointer(block_), sizeof(StepBlock), stream_)) : Status();
}

Status CudaExecutable::enqueue_launch(const Launch& l) {
  if (!l.kernel) return l.call(stream_);
  NW_ASSIGN(const DriverFunction function, gpu_->function(l.kernel));
  alignas(16) std::byte functor[Launch::max_bytes];
  std::copy(std::begin(l.functor), std::end(l.functor), functor);
  std::int64_t count = l.count;
  Mark mark{l.mark < 0 ? nullptr : mark_, l.mark};
  void* arguments[] = {functor, &count, &mark};
  const auto blocks =
      static_cast<unsigned>(std::min<std::int64_t>((l.count + block_threads - 1) / block_threads, most_blocks));
  return check(border().driver.launch(function, blocks, 1, 1, block_threads, 1, 1, 0, stream_, arguments, nullptr));
}

// Launch by launch, for profiles: what fails says in which layer, and every step of the plan gets its time.
Status CudaExecutable::run_eagerly(Inputs inputs) {
  times_.clear();
  if (inputs == copied) {
    NW_TRY(copy_inputs());
    NW_TRY(check(border().driver.stream_wait_event(stream_, arrived_, 0)));
    for (const Launch& l : prologue_[copied]) NW_TRY(enqueue_launch(l));
  }
  for (Part& part : parts_) {
    NW_TRY(run_one_by_one(part, inputs));
    if (part.after) NW_TRY(exchange(*part.after));
  }
  return {};
}

Status CudaExecutable::run_one_by_one(const Part& part, Inputs inputs) {
  const std::string step = doing_;
  NW_TRY(enqueue_before(part, inputs));
  for (auto begin = part.launches.begin(); begin != part.launches.end();) {
    const auto end = std::find_if(begin, part.launches.end(), [&](const Launch& l) { return l.step != begin->step; });
    const std::string label = label_of(begin->step);
    const NamedRange range(label);
    doing_ = label.empty() ? step : step + ", " + label;
    NW_TRY(time_launches({begin, end}));
    begin = end;
  }
  doing_ = step;
  NW_TRY(enqueue_after(part));
  return wait();
}

Status CudaExecutable::time_launches(const std::vector<Launch>& launches) {
  const DriverTable& d = border().driver;
  NW_TRY(check(d.event_record(begun_, stream_)));
  for (const Launch& l : launches) NW_TRY(enqueue_launch(l));
  NW_TRY(check(d.event_record(ended_, stream_)));
  NW_TRY(wait());
  float ms = 0;
  NW_TRY(check(d.event_ms(&ms, begun_, ended_)));
  if (const int step = launches.front().step; step >= 0)
    times_.push_back({label_of(step), plan_.steps[static_cast<std::size_t>(step)].kernel, ms * 1e-3});
  return {};
}

}  // namespace nw::cuda

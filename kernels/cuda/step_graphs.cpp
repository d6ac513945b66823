// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step_graphs.hpp"

#include <algorithm>

namespace nw::cuda {
namespace {

constexpr unsigned most_blocks = 4096;            // a larger grid loops
constexpr std::size_t most_burst_launches = 512;  // nodes of a graph of several steps
constexpr std::size_t most_burst_steps = 16;

DevicePointer pointer(const void* device) { return reinterpret_cast<DevicePointer>(device); }

}  // namespace

Status StepGraphs::capture(DriverGraphExec& made, const std::function<Status()>& enqueue) {
  const DriverTable& d = driver_api().driver;
  NW_TRY(stream_.check(d.stream_wait(stream_.handle())));
  NW_TRY(stream_.check(d.capture_begin(stream_.handle(), capture_thread_local)));
  const Status enqueued = enqueue();
  DriverGraph graph = nullptr;
  const int ended = d.capture_end(stream_.handle(), &graph);
  const int code = enqueued && ended == 0 ? d.graph_make(&made, graph, graph_keeps_priorities) : ended;
  if (graph) d.graph_drop(graph);
  NW_TRY(enqueued);
  return stream_.check(code);
}

void StepGraphs::drop() {
  const DriverTable& d = driver_api().driver;
  const auto drop_one = [&](DriverGraphExec& graph) {
    if (graph) d.graph_exec_drop(graph);
    graph = nullptr;
  };
  for (std::size_t i = 0; i < step_.parts.size(); ++i) {
    auto& graph = step_.parts[i].graph;
    if (i > 0) graph[kept] = nullptr;  // the same graph as the other
    drop_one(graph[copied]);
    drop_one(graph[kept]);
  }
  drop_one(burst_graph_);
}

// Code may be loaded when a function is asked for, which is not allowed during a capture.
Status StepGraphs::load_functions() {
  const auto load = [this](const std::vector<Launch>& launches) -> Status {
    for (const Launch& l : launches)
      if (l.kernel) NW_TRY(stream_.gpu().function(l.kernel));
    return {};
  };
  for (const auto& prologue : step_.prologue) NW_TRY(load(prologue));
  for (const StepPart& part : step_.parts) NW_TRY(load(part.launches));
  return {};
}

Status StepGraphs::capture_copied(DriverGraphExec& take) {
  NW_TRY(load_functions());
  NW_TRY(capture(take, [this] { return enqueue_take(); }));
  return capture_parts(copied);
}

Status StepGraphs::capture_kept() {
  if (kept_) return {};
  NW_TRY(capture_parts(kept));
  NW_TRY(capture_burst());
  kept_ = true;
  return {};
}

Status StepGraphs::enqueue_take() {
  for (const Launch& l : step_.prologue[copied]) NW_TRY(enqueue_launch(l));
  return {};
}

Status StepGraphs::capture_parts(InputOrigin inputs) {
  for (std::size_t i = 0; i < step_.parts.size(); ++i) {
    StepPart& part = step_.parts[i];
    if (i > 0 && inputs == kept)
      part.graph[kept] = part.graph[copied];
    else
      NW_TRY(capture(part.graph[inputs], [&] { return enqueue(part, inputs); }));
  }
  stream_.set_doing("preparing");
  return {};
}

Status StepGraphs::capture_burst() {
  if (step_.parts.size() != 1) return {};
  burst_steps_ = std::clamp<std::size_t>(most_burst_launches / step_.parts[0].launches.size(), 1, most_burst_steps);
  if (burst_steps_ == 1) return {};
  return capture(burst_graph_, [this]() -> Status {
    for (std::size_t i = 0; i < burst_steps_; ++i) NW_TRY(enqueue(step_.parts[0], kept));
    return {};
  });
}

// After an abort there are no graphs.
Status StepGraphs::launch(std::size_t part, InputOrigin inputs) {
  const DriverGraphExec graph = step_.parts[part].graph[inputs];
  if (!graph) return step_abandoned();
  return stream_.check_reached(driver_api().driver.graph_launch(graph, stream_.handle()));
}

// Combines as many steps as possible in each launch.
Status StepGraphs::launch_kept(std::size_t count) {
  for (; burst_graph_ && count >= burst_steps_; count -= burst_steps_)
    NW_TRY(stream_.check_reached(driver_api().driver.graph_launch(burst_graph_, stream_.handle())));
  for (; count > 0; --count) NW_TRY(launch(0, kept));
  return {};
}

Status StepGraphs::enqueue(const StepPart& part, InputOrigin inputs) {
  NW_TRY(enqueue_before(part, inputs));
  for (const Launch& l : part.launches) {
    stream_.set_doing("preparing " + stream_.label_of(l.step));
    NW_TRY(enqueue_launch(l));
  }
  return enqueue_after(part);
}

Status StepGraphs::enqueue_before(const StepPart& part, InputOrigin inputs) {
  const DriverTable& d = driver_api().driver;
  if (&part == &step_.parts.front()) {
    for (const Launch& l : step_.prologue[kept])
      if (inputs == kept) NW_TRY(enqueue_launch(l));
  }
  if (!part.before) return {};
  const Exchange& e = *part.before;
  if (e.count) NW_TRY(stream_.check(d.copy_in(pointer(e.device), e.host.get(), e.bytes(), stream_.handle())));
  return e.metrics ? stream_.check(d.copy_in(pointer(at_.block), at_.host_block, sizeof(StepBlock), stream_.handle()))
                   : Status();
}

Status StepGraphs::enqueue_after(const StepPart& part) {
  const DriverTable& d = driver_api().driver;
  if (!part.after) return {};
  const Exchange& e = *part.after;
  const std::size_t from = e.sent_from(), count = e.sent_to() - from;
  if (count) NW_TRY(stream_.check(d.copy_out(e.host.get() + from, pointer(e.device + from), count, stream_.handle())));
  return e.metrics ? stream_.check(d.copy_out(at_.host_block, pointer(at_.block), sizeof(StepBlock), stream_.handle()))
                   : Status();
}

Status StepGraphs::enqueue_launch(const Launch& l) {
  if (!l.kernel) return l.call(stream_.handle());
  NW_ASSIGN(const DriverFunction function, stream_.gpu().function(l.kernel));
  alignas(16) std::byte functor[Launch::max_bytes];
  std::copy(std::begin(l.functor), std::end(l.functor), functor);
  std::int64_t count = l.count;
  Mark mark{l.mark < 0 ? nullptr : at_.mark, l.mark};
  void* arguments[] = {functor, &count, &mark};
  const unsigned threads = l.threads ? l.threads : block_threads;
  const auto blocks = static_cast<unsigned>(
      std::min<std::int64_t>(l.threads ? l.count : (l.count + block_threads - 1) / block_threads, most_blocks));
  return stream_.check(
      driver_api().driver.launch(function, blocks, 1, 1, threads, 1, 1, 0, stream_.handle(), arguments, nullptr));
}

}  // namespace nw::cuda

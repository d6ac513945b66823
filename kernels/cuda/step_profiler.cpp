// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step_profiler.hpp"

#include <algorithm>

#include "kernels/cuda/ranges.hpp"

namespace nw::cuda {

Status StepProfiler::open() {
  for (DriverEvent* event : {&begun_, &ended_}) NW_TRY(stream_.check(driver_api().driver.event_make(event, 0)));
  return {};
}

void StepProfiler::drop() {
  for (const DriverEvent event : {begun_, ended_})
    if (event) driver_api().driver.event_drop(event);
}

Status StepProfiler::run(const StepPart& part, InputOrigin inputs) {
  const std::string step = stream_.doing();
  NW_TRY(graphs_.enqueue_before(part, inputs));
  for (auto begin = part.launches.begin(); begin != part.launches.end();) {
    const auto end = std::find_if(begin, part.launches.end(), [&](const Launch& l) { return l.step != begin->step; });
    const std::string label = stream_.label_of(begin->step);
    const NamedRange range(label);
    stream_.set_doing(label.empty() ? step : step + ", " + label);
    NW_TRY(time_launches({begin, end}));
    begin = end;
  }
  stream_.set_doing(step);
  NW_TRY(graphs_.enqueue_after(part));
  return stream_.wait();
}

Status StepProfiler::time_launches(const std::vector<Launch>& launches) {
  const DriverTable& d = driver_api().driver;
  NW_TRY(stream_.check(d.event_record(begun_, stream_.handle())));
  for (const Launch& l : launches) NW_TRY(graphs_.enqueue_launch(l));
  NW_TRY(stream_.check(d.event_record(ended_, stream_.handle())));
  NW_TRY(stream_.wait());
  float ms = 0;
  NW_TRY(stream_.check(d.event_ms(&ms, begun_, ended_)));
  if (const int step = launches.front().step; step >= 0)
    times_.push_back({stream_.label_of(step), plan_.steps[static_cast<std::size_t>(step)].kernel, ms * 1e-3});
  return {};
}

}  // namespace nw::cuda

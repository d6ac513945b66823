// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host_inputs.hpp"

#include "kernels/fill_inputs.hpp"

namespace nw::cuda {

HostInputs::HostInputs(const Plan& plan, Team* team, StepStream& step)
    : plan_(plan), team_(team), step_(step), brought_(plan.values.size()) {
  for (auto& slot : areas_) slot.resize(plan.values.size());
}

Status HostInputs::open() {
  const DriverTable& d = driver_api().driver;
  NW_TRY(step_.check(d.stream_make(&side_, stream_non_blocking)));
  for (DriverEvent* event : {&arrived_, &taken_}) NW_TRY(step_.check(d.event_make(event, event_without_time)));
  return {};
}

void HostInputs::drop_graph() {
  if (take_graph_) driver_api().driver.graph_exec_drop(take_graph_);
  take_graph_ = nullptr;
}

void HostInputs::drop_events() {
  for (const DriverEvent event : {arrived_, taken_})
    if (event) driver_api().driver.event_drop(event);
}

void HostInputs::drop_stream() {
  if (side_) driver_api().driver.stream_drop(side_);
}

void HostInputs::take_memory(ExecutableMemory& memory) {
  for (std::size_t i = 0; i < plan_.values.size(); ++i) {
    const Value& v = plan_.values[i];
    if (v.role != Role::input || v.alias_of >= 0) continue;
    for (auto& slot : areas_) slot[i] = memory.pinned(device_bytes(v));
    brought_[i] = memory.allocate(device_bytes(v));
  }
}

std::size_t HostInputs::bytes_of(std::size_t value) const {
  return static_cast<std::size_t>(device_bytes(plan_.values[value]));
}

Status HostInputs::copy() {
  const DriverTable& d = driver_api().driver;
  NW_TRY(step_.check(d.stream_wait_event(side_, taken_, 0)));
  for (std::size_t i = 0; i < brought_.size(); ++i) {
    if (!brought_[i]) continue;
    const auto to = reinterpret_cast<DevicePointer>(brought_[i]);
    NW_TRY(step_.check(d.copy_in(to, areas_[slot_][i].get(), bytes_of(i), side_)));
  }
  return step_.check(d.event_record(arrived_, side_));
}

Status HostInputs::await_copies() {
  return step_.check(driver_api().driver.stream_wait_event(step_.handle(), arrived_, 0));
}

Status HostInputs::take() {
  const DriverTable& d = driver_api().driver;
  NW_TRY(await_copies());
  if (!take_graph_) return step_abandoned();  // after an abort
  NW_TRY(step_.check_reached(d.graph_launch(take_graph_, step_.handle())));
  return step_.check(d.event_record(taken_, step_.handle()));
}

Status HostInputs::wait() const { return step_.check_reached(driver_api().driver.stream_wait(side_)); }

// The watchdog is paused: slow files are not a fault of the device.
Status HostInputs::load(const StepArgs& args) {
  if (!args.inputs) return {};
  const WatchdogPause own_time;
  for (std::size_t i = 0; i < brought_.size(); ++i) {
    if (!brought_[i]) continue;
    NW_TRY(fill_input(*args.inputs, plan_.values[i], *team_, {areas_[slot_][i].get(), bytes_of(i)}));
  }
  return {};
}

}  // namespace nw::cuda

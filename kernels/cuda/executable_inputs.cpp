// SPDX-License-Identifier: Apache-2.0
// Inputs from the host: pinned memory, of which one half is filled while the other is copied; copies on a stream of
// their own into memory beside the step's inputs, so that they overlap with the step before.
#include "kernels/cuda/executable.hpp"
#include "kernels/fill_inputs.hpp"

namespace nw::cuda {

// What was filled last goes to the device, once the step before has taken what lies there.
Status CudaExecutable::copy_inputs() {
  const DriverTable& d = border().driver;
  NW_TRY(check(d.stream_wait_event(side_, taken_, 0)));
  for (std::size_t i = 0; i < brought_.size(); ++i) {
    if (!brought_[i]) continue;
    const auto bytes = static_cast<std::size_t>(plan_.values[i].shape.elements()) * size_of(plan_.values[i].dtype);
    NW_TRY(check(d.copy_in(reinterpret_cast<DevicePointer>(brought_[i]), inputs_[slot_][i].get(), bytes, side_)));
  }
  return check(d.event_record(arrived_, side_));
}

Status CudaExecutable::take_inputs() {
  const DriverTable& d = border().driver;
  NW_TRY(check(d.stream_wait_event(stream_, arrived_, 0)));
  NW_TRY(replayed(d.graph_launch(take_graph_, stream_)));
  return check(d.event_record(taken_, stream_));
}

// Files may be slow: that is no fault of the device.
Status CudaExecutable::load(const StepArgs& args) {
  if (!args.inputs) return {};
  const WatchdogPause own_time;
  for (std::size_t i = 0; i < brought_.size(); ++i) {
    if (!brought_[i]) continue;
    const Value& v = plan_.values[i];
    const auto bytes = static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype);
    NW_TRY(fill_input(*args.inputs, v, *team_, {inputs_[slot_][i].get(), bytes}));
  }
  return {};
}

// The host is ahead of the device by one step. A half of the pinned memory is filled again when its copy is over.
Status CudaExecutable::run_loaded(std::span<const StepArgs> steps) {
  const DriverTable& d = border().driver;
  NW_TRY(upload(steps.size()));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    slot_ = 1 - slot_;
    if (i > 1) NW_TRY(replayed(d.stream_wait(side_)));
    if (const Status loaded = load(steps[i]); !loaded) {
      (void)wait();  // nothing of a device that works is taken apart
      return loaded;
    }
    NW_TRY(copy_inputs());
    NW_TRY(take_inputs());
    NW_TRY(replayed(d.graph_launch(parts_[0].graph[copied], stream_)));
  }
  return wait();
}

}  // namespace nw::cuda

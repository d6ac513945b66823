// SPDX-License-Identifier: Apache-2.0
// What the kernels of a plan compute and move, and how long that takes on a device.
#pragma once
#include "engine/scaling/devices.hpp"

namespace nw::scaling {

/// Of one kernel.
struct StepWork {
  double multiply_adds = 0;  // of products; what all other kernels compute is less than what they move
  double bytes = 0;          // read and written
};
/// What the optimizer's kernels read and write follows from the plan's weights and states.
StepWork work_of(const Plan&, const Step&);

/// What kernels take, by what they wait for.
struct WorkTime {
  double products_s = 0, memory_s = 0, starts_s = 0;
  double total_s() const { return products_s + memory_s + starts_s; }
  WorkTime& operator+=(const WorkTime&);
  WorkTime operator*(double) const;
};
/// A kernel takes as long as its products or its memory traffic, whichever is longer (Williams et al., "Roofline",
/// 2009), and what its start takes.
WorkTime time_of(const Plan&, const Step&, const DeviceFigures&);

}  // namespace nw::scaling

// SPDX-License-Identifier: Apache-2.0
// Estimates before a training starts: memory on each device, the largest batch that fits, and the time of an epoch.
// They are measured by a short real training, or computed from the plan, for a network that somebody else made must not
// run before its user wants that.
#pragma once
#include <string>
#include <vector>

#include "engine/backend/devices.hpp"
#include "engine/compile/compile.hpp"

namespace nw {

/// The memory that one device needs for the settings' batch, and the memory that is free there; 0: unknown.
struct DeviceNeed {
  std::string name;
  std::int64_t memory_bytes = 0, there_bytes = 0;
  std::int64_t saved_bytes = 0;  // of the optimizer's state, which other devices keep: sharded
};

struct MemoryEstimate {
  std::vector<DeviceNeed> devices;
  std::int64_t largest_batch = 0;  // over all devices; 0: unknown, or not even one image fits
};
/// Prepares the training on these devices, so that the figures equal those of the real training.
Result<MemoryEstimate> estimate_memory(const GraphDoc&, const DataFacts&, const std::vector<ResolvedDevice>&);
/// The same from plans alone: nothing is prepared, so that no memory of a device is taken.
MemoryEstimate planned_memory(const GraphDoc&, const DataFacts&, const std::vector<ResolvedDevice>&);

/// Bytes of the optimizer's state that each device would leave to the others with --parallel sharded; zeros for one
/// device, and for a network that cannot be compiled.
std::vector<std::int64_t> saved_by_sharding(const GraphDoc&, const DataFacts&, const std::vector<ResolvedDevice>&);

struct SpeedEstimate {
  double images_per_s = 0;  // while training
  double epoch_s = 0;       // includes the evaluation of the validation set, at a third of the training time per image
  std::int64_t train = 0, validation = 0;
};
/// Trains for about `seconds` on the project's data and devices, writes nothing, and discards the weights.
Result<SpeedEstimate> measure_speed(const GraphDoc&, const std::string& data_dir, double seconds);
/// The speed that follows from the network's multiply-adds and those of a small network of Netwright's own, which is
/// trained on these devices for about `seconds`. Takes no step of the network and reads none of its data.
Result<SpeedEstimate> computed_speed(const GraphDoc&, const DataFacts&, double seconds);

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Read and write access of the host to an executable's values.
#pragma once
#include "kernels/cuda/host_inputs.hpp"
#include "kernels/state_shard.hpp"

namespace nw::cuda {

/// Inputs are read and written in pinned memory, other values on the device. A 16-bit value is f32 for the host. The
/// first failure is stored: a device that failed once has lost its state, so later reads give zeros. Of the optimizer's
/// state a plan with a StateShard has a part: only its elements are read and written.
class ValueAccess {
 public:
  /// All arguments outlive the object.
  ValueAccess(const Plan& plan, const StepStream& stream, const ExecutableMemory& memory, const HostInputs& inputs)
      : plan_(plan), shard_(state_shard(plan)), stream_(stream), memory_(memory), inputs_(inputs) {}
  void write(int value, std::span<const std::byte>);
  void read(int value, std::span<std::byte>) const;
  /// Writes to device memory and waits.
  void put(std::byte* to, std::span<const std::byte>);
  /// The first failure.
  const Status& health() const { return health_; }
  /// Returns the status of a step, and stores a failure of the device.
  Status end(const Status& ran);

 private:
  void get(const std::byte* from, std::span<std::byte>) const;
  std::pair<std::size_t, std::size_t> bytes_here(const Value&) const;

  const Plan& plan_;
  const std::optional<StateShard> shard_;
  const StepStream& stream_;
  const ExecutableMemory& memory_;
  const HostInputs& inputs_;
  mutable Status health_;
};

}  // namespace nw::cuda

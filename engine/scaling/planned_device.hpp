// SPDX-License-Identifier: Apache-2.0
// A GPU that is not there, so that plans are compiled as for one.
#pragma once
#include <memory>

#include "engine/scaling/devices.hpp"

namespace nw::scaling {

/// Takes the steps that the CUDA backend takes, and stores values as that does. Nothing can be prepared on it.
class PlannedGpu final : public Device {
 public:
  explicit PlannedGpu(DeviceFigures figures) : figures_(std::move(figures)) {}
  std::string name() const override { return figures_.name; }
  std::string description() const override { return figures_.name; }
  std::int64_t memory_bytes() const override { return figures_.memory_bytes; }
  bool computes_in(DType format) const override { return figures_.peak(format) > 0; }
  Text supports(const Plan&, const Step&) const override;
  DType stored_as(DType compute) const override;
  std::int64_t bytes_of(const Plan&, const Value&) const override;
  Result<std::unique_ptr<Executable>> prepare(const Plan&, const PrepareArgs&) const override;

 private:
  const DeviceFigures figures_;
};

/// What predictions need of a kind of device.
struct PlannedDevice {
  DeviceFigures figures;
  std::shared_ptr<const Device> device;  // plans are compiled for it
};
/// `name`: as read_device_count() returns it. This computer's processor is measured the first time.
Result<PlannedDevice> planned_device(std::string_view name);

}  // namespace nw::scaling

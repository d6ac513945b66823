// SPDX-License-Identifier: Apache-2.0
#include "engine/scaling/planned_device.hpp"

#include <algorithm>
#include <array>

#include "engine/backend/devices.hpp"
#include "engine/design/precision.hpp"
#include "kernels/catalogue.hpp"

namespace nw::scaling {
namespace {

// fused for the caches of processors
constexpr std::array<std::string_view, 4> of_processors{"conv2d_max_pool2d_relu", "conv2d_grad_input_relu",
                                                        "linear_grad_input_relu", "max_pool2d_relu_grad"};

}  // namespace

Text PlannedGpu::supports(const Plan& plan, const Step& step) const {
  if (!computes_in(plan.compute))
    return text(NW_TR("{0} does not compute in {1}"), figures_.name, precision_name(plan.compute));
  if (std::find(of_processors.begin(), of_processors.end(), step.kernel) != of_processors.end() ||
      !find_kernel(step.kernel))
    return text(NW_TR("{0} has no {1}"), figures_.name, step.kernel);
  if (rounds_operands(step)) return text(NW_TR("{0} rounds operands by steps of their own"), figures_.name);
  return {};
}

DType PlannedGpu::stored_as(DType compute) const {
  return compute == DType::bf16 || compute == DType::f16 ? compute : DType::f32;
}

std::int64_t PlannedGpu::bytes_of(const Plan&, const Value& v) const {
  return v.shape.elements() * static_cast<std::int64_t>(size_of(v.dtype));
}

Result<std::unique_ptr<Executable>> PlannedGpu::prepare(const Plan&, const PrepareArgs&) const {
  return fail(Errc::no_device, NW_TR("{0} is planned with, not here"), figures_.name);
}

Result<PlannedDevice> planned_device(std::string_view name) {
  if (const DeviceFigures* known = find_device(name))
    return PlannedDevice{*known, std::make_shared<PlannedGpu>(*known)};
  NW_ASSIGN(const auto found, resolve_devices({std::string(processor_name)}, 1));
  static const DeviceFigures measured = processor_figures(*found.front().device);
  return PlannedDevice{measured, found.front().device};
}

}  // namespace nw::scaling

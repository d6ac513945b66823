// SPDX-License-Identifier: Apache-2.0
// The time that a GPU would take for launches, by the constants of gpu_model.txt.
#pragma once
#include "kernels/api.hpp"
#include "tests/kernels/cuda/proof/launch_meter.hpp"

namespace nw::proof {

/// Constants in microseconds, bytes and operations.
struct GpuModel {
  double multiprocessors, accesses_per_us;  // of 4 bytes or more, by one multiprocessor
  double memory_per_us, l2_per_us, l2_bytes;
  double fp16_per_us, tf32_per_us, fp32_per_us;  // of a library's products
  double launch, memory_latency, l2_latency, shared_latency;
  double products_per_us(DType precision) const;
};
/// `gpu`: "h100" or "h200".
GpuModel gpu_model(std::string_view gpu);

/// Launches one after the other, as often repeated as a training step: each takes the longest of what its threads wait
/// for, of its bytes (from L2 where fewer bytes than it holds were touched since) and of its operations, plus the cost
/// of a launch.
double microseconds(const GpuModel&, const std::vector<Cost>& launches, DType precision);

}  // namespace nw::proof

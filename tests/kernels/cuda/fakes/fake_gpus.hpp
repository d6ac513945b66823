// SPDX-License-Identifier: Apache-2.0
// Shared functions of the tests of the CUDA backend on fake GPUs.
#pragma once
#include <gtest/gtest.h>

#include "kernels/cuda/backend.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"
#include "tests/kernels/lenet_plan.hpp"

namespace nw::test {

inline std::shared_ptr<Device> fake_gpu(cuda::FakeFault fault = {}, int index = 0) {
  cuda::use_driver_api(&cuda::fake_driver_api(fault));
  return cuda::cuda_backend().devices().at(static_cast<std::size_t>(index));
}

/// The results of a run of a few steps.
struct Learned {
  std::vector<double> losses;
  std::vector<float> weights, buffers;
  double norm = 0, penalty = 0;
  bool operator==(const Learned&) const = default;
};
inline void read_state(const Bench& b, Learned& r) {
  r.weights = weights_of(b);
  r.buffers = weights_of(b, Role::buffer);
}

}  // namespace nw::test

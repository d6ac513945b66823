// SPDX-License-Identifier: Apache-2.0
// Runs one case of one kernel on a device and compares the results of two devices.
#pragma once
#include "tests/kernels/kernel_cases.hpp"

namespace nw::test {

struct Results {
  std::vector<std::vector<float>> outputs;  // all numbers as float; inputs that are updated in place come last
  std::vector<std::vector<float>> padding;  // of each batched output: samples from `valid` on in the last active shard
  StepMetrics metrics;
  std::vector<std::string> choices;
};

Results run_case(const KernelCase& c, const std::string& kernel, const Device& device, int threads);
void expect_close(const KernelCase& c, const Results& got, const Results& wanted);

}  // namespace nw::test

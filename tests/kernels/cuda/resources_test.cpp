// SPDX-License-Identifier: Apache-2.0
// What the device's compiler says of every kernel, for every architecture, against the limits that were agreed: 64 registers let
// a processor of the GPU hold its full 1024 threads, and nothing may spill or sit in shared memory.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <string>

#include "kernels/cuda/elements/list.hpp"

namespace {

constexpr int most_registers = 64;

TEST(CudaResources, EveryKernelStaysWithinItsLimits) {
  const std::string path = NW_CUDA_RESOURCES;
  if (path.empty()) GTEST_SKIP() << "the plug-in was not built: there is no nvcc here";
  std::ifstream report(path);
  const std::regex entry("Compiling entry function '(\\w+)' for '(\\w+)'"), used("Used (\\d+) registers"), spills("(\\d+) bytes spill stores, (\\d+) bytes spill loads");
  std::map<std::string, int> seen;
  std::string kernel, line;
  for (std::smatch m; std::getline(report, line);) {
    if (std::regex_search(line, m, entry)) kernel = m[1].str();
    if (std::regex_search(line, m, spills)) {
      EXPECT_EQ(m[1].str() + " " + m[2].str(), "0 0") << kernel << " spills registers";
    }
    if (!std::regex_search(line, m, used)) continue;
    ++seen[kernel];
    EXPECT_LE(std::stoi(m[1].str()), most_registers) << kernel;
    EXPECT_EQ(line.find(" smem"), std::string::npos) << kernel << " takes shared memory: " << line;
  }
#define NW_EXPECT_KERNEL(name, ...) EXPECT_GE(seen["nw_" #name], 1) << #name << " is missing from the report";
  NW_CUDA_ELEMENTS(NW_EXPECT_KERNEL)
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// The device compiler's resource usage of every kernel, for every architecture, against kernel_limits.txt: registers,
// rounded up to the multiple of eight that a multiprocessor allocates, shared memory, and no spilling. `ninja
// kernel_limits` rewrites the file; even then no kernel may use more than 80 registers, with which three blocks of 256
// threads fit on a multiprocessor. The rows of kernels/math/activation.hpp are not in the file: they share one limit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "kernels/cuda/blocks/list.hpp"
#include "tests/support/paths.hpp"

namespace {

const std::string limits_file = nw::test::tests_folder() + "/kernels/cuda/kernel_limits.txt";
// With 40 registers a multiprocessor has three quarters of its maximum number of threads, which are enough for kernels
// that read 16 bytes at once: memory alone limits an element kernel.
constexpr int most_registers = 80, registers_at_once = 8, element_registers = 40;

/// The maximum over all architectures.
struct Use {
  int registers = 0, shared_bytes = 0, spilled_bytes = 0;
};
std::map<std::string, Use> read_report(std::istream& report) {
  const std::regex entry("Compiling entry function '(\\w+)' for '(\\w+)'"), used("Used (\\d+) registers"),
      spills("(\\d+) bytes spill stores, (\\d+) bytes spill loads"), shared("(\\d+) bytes smem");
  std::map<std::string, Use> all;
  std::string kernel, line;
  for (std::smatch m; std::getline(report, line);) {
    if (std::regex_search(line, m, entry)) kernel = m[1];
    Use& use = all[kernel];
    if (std::regex_search(line, m, spills))
      use.spilled_bytes = std::max(use.spilled_bytes, std::stoi(m[1]) + std::stoi(m[2]));
    if (!std::regex_search(line, m, used)) continue;
    use.registers =
        std::max(use.registers, (std::stoi(m[1]) + registers_at_once - 1) / registers_at_once * registers_at_once);
    if (std::regex_search(line, m, shared)) use.shared_bytes = std::max(use.shared_bytes, std::stoi(m[1]));
  }
  return all;
}

/// The limits of the kernels generated from rows of kernels/math/activation.hpp.
std::map<std::string, Use> element_limits() {
  std::map<std::string, Use> all;
  for (const char* type : {"f32", "bf16", "f16"}) {
#define NW_LIMITS(name, ...)                                            \
  all[std::string("nw_" #name "_") + type] = {element_registers, 0, 0}; \
  all[std::string("nw_" #name "_grad_") + type] = {element_registers, 0, 0};
    NW_ELEMENT_KERNELS(NW_LIMITS)
#undef NW_LIMITS
  }
  return all;
}
std::map<std::string, Use> read_limits() {
  std::ifstream file(limits_file);
  std::map<std::string, Use> all = element_limits();
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kernel;
    Use limit;
    if (line.empty() || line.front() == '#') continue;
    EXPECT_TRUE(static_cast<bool>(words >> kernel >> limit.registers >> limit.shared_bytes)) << line;
    EXPECT_TRUE(all.emplace(kernel, limit).second) << kernel << " is in " << limits_file << " twice, or has a row in "
                                                   << "kernels/math/activation.hpp";
  }
  return all;
}
void write_limits(const std::map<std::string, Use>& uses) {
  std::ofstream file(limits_file, std::ios::trunc);
  file << "# The most that each kernel may take, over all architectures: registers of a thread, bytes of shared "
          "memory. No kernel may spill.\n"
          "# Written by `ninja kernel_limits`. The rows of kernels/math/activation.hpp share one limit, see "
          "resources_test.cpp.\n";
  for (const auto& [kernel, use] : uses)
    if (use.registers > 0 && !element_limits().count(kernel))
      file << kernel << " " << use.registers << " " << use.shared_bytes << "\n";
}
/// Empty, or the reason why this kernel exceeds its limits.
std::string beyond(const Use& use, const Use& limit) {
  std::ostringstream why;
  if (use.spilled_bytes > 0) why << " spills " << use.spilled_bytes << " bytes";
  if (use.registers > limit.registers)
    why << " takes " << use.registers << " registers where " << limit.registers << " are allowed";
  if (use.shared_bytes > limit.shared_bytes)
    why << " takes " << use.shared_bytes << " bytes of shared memory where " << limit.shared_bytes << " are allowed";
  return why.str();
}

TEST(CudaResources, EveryKernelStaysWithinItsLimits) {
  if (std::string(NW_CUDA_RESOURCES).empty()) GTEST_SKIP() << "the plug-in was not built: there is no nvcc here";
  std::ifstream report(NW_CUDA_RESOURCES);
  const auto uses = read_report(report);
  if (std::getenv("NETWRIGHT_WRITE_KERNEL_LIMITS")) write_limits(uses);
  const auto limits = read_limits();
  for (const auto& [kernel, use] : uses) {
    if (use.registers == 0) continue;  // from lines before the first kernel
    const auto limit = limits.find(kernel);
    if (limit == limits.end())
      ADD_FAILURE() << kernel << " has no line in " << limits_file << ": write it anew with `ninja kernel_limits`";
    else
      EXPECT_EQ(beyond(use, limit->second), "") << kernel;
  }
  for (const auto& [kernel, limit] : limits) {
    EXPECT_TRUE(uses.count(kernel)) << kernel << " of " << limits_file
                                    << " is no kernel any more: write it anew with `ninja kernel_limits`";
    EXPECT_LE(limit.registers, most_registers) << kernel;
  }
#define NW_EXPECT_KERNEL(name, ...) EXPECT_TRUE(uses.count("nw_" #name)) << #name << " is missing from the report";
  NW_CUDA_ELEMENTS(NW_EXPECT_KERNEL)
  NW_CUDA_BLOCKS(NW_EXPECT_KERNEL)
}

TEST(CudaResources, AKernelBeyondItsLimitsIsFoundOnAnyArchitecture) {
  const auto line = [](int spilled, int registers, const char* shared) {
    return "ptxas info : Function properties for nw_a\n    0 bytes stack frame, " + std::to_string(spilled) +
           " bytes spill stores, 0 bytes spill loads\nptxas info : Used " + std::to_string(registers) +
           " registers, used 0 barriers, " + shared + "384 bytes cmem[0]\n";
  };
  const std::string first = "ptxas info : Compiling entry function 'nw_a' for 'sm_80'\n",
                    second = "ptxas info : Compiling entry function 'nw_a' for 'sm_90'\n";
  const auto problem = [&](const std::string& behind) {
    std::istringstream report(first + line(0, 20, "") + second + behind);
    return beyond(read_report(report).at("nw_a"), {24, 0, 0});
  };
  EXPECT_EQ(problem(line(0, 24, "")), "");
  EXPECT_EQ(problem(line(0, 25, "")), " takes 32 registers where 24 are allowed");
  EXPECT_EQ(problem(line(8, 20, "")), " spills 8 bytes");
  EXPECT_EQ(problem(line(0, 20, "48 bytes smem, ")), " takes 48 bytes of shared memory where 0 are allowed");
}

}  // namespace

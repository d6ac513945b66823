// SPDX-License-Identifier: Apache-2.0
// A cuBLASLt and a cuDNN that compute on the host, in double and directly from the description that they receive, so
// that a wrong description gives wrong results. They record the enqueued calls, and can be made to fail.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda/libraries.hpp"

namespace nw::cuda {

struct FakeLibraries {
  bool cublas_lt = false, cudnn = false;
  /// The function ("multiply", "choose", …) that returns `status` and does nothing else.
  std::string fails{};
  int status = 0;
  /// cuDNN has no implementation of graphs whose operations contain this ("add"); neither library has one of 16-bit
  /// operands on "tensor cores".
  std::string refuses{};
  /// As cuDNN's for sm_90: of graphs with statistics, engines that need no compiling have no notes, and those that are
  /// compiled (seconds each) are refused in the end.
  bool sums_without_notes = false;
  /// The engines that cuDNN offers for every graph, in this order, none of which is compiled, and the milliseconds that
  /// each takes; empty: those of fake_cudnn.cpp, which take no time.
  std::vector<std::pair<std::int64_t, double>> engines{};
  /// Small products are computed by kernels of our own (DriverApi::small_kernels).
  bool small_kernels = false;
  /// Folder for cuDNN's choices.
  std::string plan_cache{};
};

/// Clears the list of calls and replaces the previous options.
Libraries fake_libraries(const FakeLibraries&);
/// The captured calls. "multiply 10x4x84 tn f32 > f32 bias": rows, columns and inner size, which operand is transposed,
/// types, epilogue. "forward+add+relu": a graph's operations.
const std::vector<std::string>& fake_library_calls();
/// The number of cuDNN's engine queries.
int fake_engine_searches();
/// The number of cuDNN's engines that were compiled, also in vain.
int fake_engines_compiled();
/// Handles and descriptors that were created and not destroyed.
std::int64_t fake_library_objects();

}  // namespace nw::cuda

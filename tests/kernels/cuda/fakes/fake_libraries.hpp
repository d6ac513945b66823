// SPDX-License-Identifier: Apache-2.0
// A cuBLASLt and a cuDNN that compute on the host, by definition and in double, what they are asked for: whoever
// describes a product wrongly gets wrong numbers. They keep a list of what was enqueued, and can be told to fail.
#pragma once
#include <string>
#include <vector>

#include "kernels/cuda/libraries.hpp"

namespace nw::cuda {

struct FakeLibraries {
  bool cublas_lt = false, cudnn = false;
  /// The function ("multiply", "choose", …) that answers `status` instead of doing its work.
  std::string fails{};
  int status = 0;
  /// cuDNN has no implementation of graphs whose operations contain this ("add").
  std::string refuses{};
  /// Folder for cuDNN's choices.
  std::string plan_cache{};
};

/// Forgets the list and what was asked for before.
Libraries fake_libraries(const FakeLibraries&);
/// What was captured: "multiply 10x4x84 tn f32 > f32 bias": rows, columns and inner size, which operand is transposed,
/// types, epilogue. "forward+add+relu": a graph's operations.
const std::vector<std::string>& fake_library_calls();
/// How often cuDNN was asked which engines there are.
int fake_engine_searches();
/// Handles and descriptors that were made and not given back.
std::int64_t fake_library_objects();

}  // namespace nw::cuda

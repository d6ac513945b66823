// SPDX-License-Identifier: Apache-2.0
// Limits that keep a fuzzer's run within its memory.
#pragma once
#include "engine/exchange/onnx/model.hpp"

namespace nw::fuzz {

inline onnx::Limits small_limits() {
  onnx::Limits limits;
  limits.data_bytes = limits.structure_bytes = std::uint64_t{64} << 20;
  return limits;
}

}  // namespace nw::fuzz

// SPDX-License-Identifier: Apache-2.0
// The precisions by name, in files, on the command line and in the window.
#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "kernels/tensor.hpp"

namespace nw {

/// The number format of products' operands; nullopt: automatic, the fastest on the device that keeps the accuracy,
/// chosen for each product where training begins.
using Precision = std::optional<DType>;

struct PrecisionName {
  Precision type;
  const char* name;
};
/// In the order of lists.
inline constexpr std::array<PrecisionName, 5> precision_names = {{{std::nullopt, "automatic"},
                                                                  {DType::f32, "fp32"},
                                                                  {DType::bf16, "bf16"},
                                                                  {DType::f16, "fp16"},
                                                                  {DType::tf32, "tf32"}}};

/// "fp32" for a type that is no precision.
inline const char* precision_name(Precision type) {
  for (const PrecisionName& p : precision_names)
    if (p.type == type) return p.name;
  return "fp32";
}
/// nullptr: there is no such precision.
inline const PrecisionName* precision_named(std::string_view name) {
  for (const PrecisionName& p : precision_names)
    if (p.name == name) return &p;
  return nullptr;
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// The signatures of all kernels: inputs, outputs, attributes. The interface between the layers' lower() and the
// backends; every plan is checked against it, and the conformance suite covers all of it.
#pragma once
#include <span>
#include <string_view>

#include "kernels/api.hpp"

namespace nw {

/// One kernel's signature. `inputs`, `outputs`, `attrs` are space-separated names; "?" at the end = may be absent (-1),
/// "*" = one or more. Pairs (stride, padding, …) are lists {h,w}.
struct KernelInfo {
  std::string_view name, inputs, outputs, attrs, what;
};
std::span<const KernelInfo> all_kernels();
const KernelInfo* find_kernel(std::string_view name);  // nullptr: no such kernel

/// True: the targets of this cross_entropy are fractions of classes instead of labels.
bool takes_shares(const Plan&, const Step&);

/// True: this product rounds its first two inputs itself, with the results of round_bf16 steps before it. The compiler
/// requests it where plan.compute is bf16; a backend that does not support it rejects the step, and the compiler
/// inserts those steps.
bool rounds_operands(const Step&);

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// The names of all kernels: what goes in, what comes out, which attributes. The contract between the layers' lower()
// and the backends; a plan is checked against it, the conformance suite loops over it.
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

/// True: this cross_entropy is told shares of classes instead of labels.
bool takes_shares(const Plan&, const Step&);

/// True: this product rounds its first two inputs itself, to what round_bf16 steps before it would give. Compile asks
/// for it where plan.compute is bf16; a backend that does not do it for a step refuses the step, and compile puts those
/// steps before it.
bool rounds_operands(const Step&);

}  // namespace nw

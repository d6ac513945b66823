// SPDX-License-Identifier: Apache-2.0
// Convolutions with 3 x 3 or 5 x 5 taps and stride 1 with fewer products: see vector/winograd_kernels.hpp. Weights are
// transformed once a step; a few tiles at a time are transformed, multiplied frequency by frequency, and transformed
// back while they are in the cache.
#pragma once
#include <optional>

#include "kernels/cpu/support/sweep.hpp"

namespace nw::cpu {

/// The form of a convolution, and the partition of its images.
struct Winograd {
  const WinogradKernels* kernels;
  Lanes from, to;              // forward: x, y; input gradient: dy, dx
  Pair padding;                // around `from`
  std::int64_t rows, columns;  // tiles of `to`
  std::int64_t frequencies() const { return kernels->n() * kernels->n(); }
};

/// Empty where the direct form is used: other taps or strides, groups, or too few channels for a gain.
std::optional<Winograd> winograd_forward(const VectorKernels&, const ConvGeometry&);
// from, to: as for the forward form
std::optional<Winograd> winograd_grad_weight(const VectorKernels&, const ConvGeometry&);
std::optional<Winograd> winograd_backward(const VectorKernels&, const ConvGeometry&);

/// The convolution of `from` into `to`, with weights w[y channels][x channels][r][r]; gate: laid out as `to`, see
/// Ending.
PreparedKernel winograd_conv2d(KernelContext&, const Winograd&, const float* w, bool backward, const float* bias,
                               bool relu, const float* gate);

/// Appends the phases that compute dw from x and dy of a forward form.
void add_winograd_grad_weight(KernelContext&, const Winograd&, PreparedKernel&);

}  // namespace nw::cpu

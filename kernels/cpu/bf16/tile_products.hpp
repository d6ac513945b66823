// SPDX-License-Identifier: Apache-2.0
// Products of a bf16 plan computed by tiles, which round their operands while packing them.
#pragma once
#include "kernels/cpu/bf16/tile_sweep.hpp"

namespace nw::cpu {

/// True: this processor has tiles, and they can compute this product: of a bf16 plan, in one group.
bool tiles_can(const VectorKernels&, const Plan&, const Step&);
/// True: tiles can compute it, and by an estimate from its shape alone they are faster than vectors or Winograd's form.
bool tiles_take(const VectorKernels&, const Plan&, const Step&);

/// Cycles of a shard by the fastest form without tiles; see winograd.cpp.
double forward_cycles(const VectorKernels&, const ConvGeometry&);
double backward_cycles(const VectorKernels&, const ConvGeometry&);
double grad_weight_cycles(const VectorKernels&, const ConvGeometry&);
/// True: vector kernels compute this weight gradient by panels; see weight_panels.hpp.
bool is_pointwise(const ConvGeometry&);

PreparedKernel tile_conv2d(KernelContext&, bool relu);
PreparedKernel tile_conv2d_max_pool2d_relu(KernelContext&);
PreparedKernel tile_conv2d_grad_input(KernelContext&);
/// Appends the phases that compute dw and db.
void add_tile_grad_weight(KernelContext&, const ConvGeometry&, PreparedKernel&);
/// The step with the max pool's gradient right before this conv2d_grad_weight, if the latter computes that gradient
/// while it packs, else null. Requires that no other step reads the gradient and that the windows cover the image. The
/// pool's step then does nothing.
const Step* pool_taken_along(const TileKernels&, const Plan&, const Step& grad_weight);
/// The operands of that pool's gradient; dy.p is null where no pool is fused.
struct PooledGradient;
PooledGradient pooled_gradient(const KernelContext&);
/// True: the next step computes the gradient of this pool's step; see pool_taken_along().
bool goes_along(const TileKernels&, const Plan&, const Step& pool_gradient);
PreparedKernel tile_linear(KernelContext&, bool relu);
PreparedKernel tile_linear_grad_input(KernelContext&);
PreparedKernel tile_linear_grad_weight(KernelContext&);

TileSweep tile_forward(const ConvGeometry&);
TileSweep tile_pooled(const ConvGeometry&, Pair window);
std::vector<TileSweep> tile_backward(const ConvGeometry&);
double tile_grad_weight_cycles(const TileKernels&, const ConvGeometry&, std::int64_t shards);

}  // namespace nw::cpu

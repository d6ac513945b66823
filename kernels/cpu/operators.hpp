// SPDX-License-Identifier: Apache-2.0
// The operators of the CPU backend, by source file of this folder.
#pragma once
#include "kernels/cpu/support/kernels.hpp"

namespace nw::cpu {

/// True: this conv2d_max_pool2d_relu is faster as three steps, because a faster form exists for the convolution alone.
bool quicker_unpooled(const VectorKernels&, const Plan&, const Step&);
/// Decides whether the step's images remain bytes: see PixelLanes.
void choose_pixels(RunState&);
/// See ExecutorOptions::load_input; if a shard's images have at most `load_scratch_bytes`, a worker prepares them in
/// memory of its own.
PreparedKernel load_input(const VectorKernels&, const Value&, std::byte* border, std::byte* to, RunState&);
inline constexpr std::int64_t load_scratch_bytes = 256 << 10;

/// Prepares another kernel of this table for some of the step's values.
PreparedKernel prepare_as(KernelContext&, const KernelTable&, std::string kernel, std::vector<int> inputs,
                          std::vector<int> outputs);

KernelTable conv2d_kernels();
KernelTable conv_transpose2d_kernels();
KernelTable linear_kernels();
KernelTable pool_kernels();
KernelTable batch_norm_kernels();
KernelTable sample_norm_kernels();
KernelTable elementwise_kernels();
KernelTable prelu_kernels();
KernelTable channel_kernels();
KernelTable channel_norm_kernels();
KernelTable attention_kernels();
KernelTable multiply_kernels();
KernelTable formula_kernels();
KernelTable resample_kernels();
KernelTable loss_kernels();
KernelTable shape_kernels();
KernelTable update_kernels();

}  // namespace nw::cpu

// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/vector/sources.hpp"

#define NW_TEXT_OF(x) #x
#define NW_TEXT(x) NW_TEXT_OF(x)

namespace nw::cpu::NW_ISA {

const VectorKernels& vector_kernels() {
  static constexpr VectorKernels table{NW_TEXT(NW_ISA),
                                       product,
                                       scatter,
                                       weight_gradient,
                                       sum_lanes,
                                       sum_parts,
                                       sum_pixels,
                                       outer_product,
                                       rows_from_lanes,
                                       lanes_from_rows,
                                       lanes_from_bytes,
                                       byte_lanes,
                                       unary,
                                       unary_gradient,
                                       round_bf16,
                                       add,
                                       add_relu,
                                       max_pool,
                                       max_pool_gradient,
                                       block_pool,
                                       block_pool_gradient,
                                       avg_pool,
                                       avg_pool_gradient,
                                       norm_stats,
                                       norm_gradient_stats,
                                       norm_apply,
                                       norm_gradient,
                                       softmax,
                                       softmax_gradient,
                                       cross_entropy,
                                       shared_cross_entropy,
                                       general_cross_entropy,
                                       bce,
                                       mse,
                                       dropout,
                                       square_sum,
                                       square_sum_rows,
                                       scale,
                                       clamp,
                                       updates,
                                       penalty,
                                       {group_stats, group_apply, group_gradient, group_weight_gradient, channel_norm,
                                        channel_norm_gradient, channel_norm_weight_gradient, slope_gradient, multiply,
                                        resize, resize_gradient, window_mean, window_mean_gradient, formula},
                                       &winograd,
                                       multiply_adds,
                                       {pair_lanes, weight_tile, weight_rows, sum_rounded, sum_halves, multiply_tiles,
                                        turn_rows, pair_shards, pair_bytes, pair_pooled, sum_columns},
                                       nullptr};
  return table;
}

}  // namespace nw::cpu::NW_ISA

// SPDX-License-Identifier: Apache-2.0
// The functions of kernels/cpu/vector that table.cpp collects; see VectorKernels.
#pragma once
#include "kernels/cpu/vector/vector_kernels.hpp"

namespace nw::cpu::NW_ISA {

void product(const Product&);
void scatter(const Scatter&);
void weight_gradient(const WeightGradient&);
void sum_lanes(const float* acc, std::int64_t count, float* out, bool add);
void sum_parts(const float* parts, std::int64_t stride, std::int64_t count, std::int64_t elements, float* out);
void sum_pixels(const float* from, std::int64_t count, float* acc);
void outer_product(const OuterProduct&);
void rows_from_lanes(const float* from, std::int64_t element, std::int64_t elements, float* rows, std::int64_t stride);
void lanes_from_rows(const float* rows, std::int64_t channels, std::int64_t pixels, std::int64_t valid, float* to);
void lanes_from_bytes(const LaneBytes&);
void byte_lanes(const ByteLanes&);
void unary(Unary, const float* x, float* y, std::int64_t count, ElementParameters);
void unary_gradient(Unary, const float* dy, const float* v, float* dx, std::int64_t count, ElementParameters);
void round_bf16(const float* x, float* y, std::int64_t count);
void add(const float* a, const float* b, float* y, std::int64_t count);
void add_relu(const float* a, const float* b, float* y, std::int64_t count);
void max_pool(const PoolShape&, const float* x, float* y, std::uint8_t* argmax);
void max_pool_gradient(const PoolShape&, const float* dy, const float* gate, const std::uint8_t* argmax, float* dx);
void block_pool(const BlockPool&);
void block_pool_gradient(const BlockPoolGradient&);
void avg_pool(const PoolShape&, const float* x, float* y);
void avg_pool_gradient(const PoolShape&, const float* dy, float* dx);
void norm_stats(const float* x, std::int64_t pixels, std::int64_t valid, double* sums);
void norm_gradient_stats(const float* dy, const float* x, float mean, std::int64_t pixels, std::int64_t valid,
                         double* sums);
void norm_apply(const NormApply&);
void norm_gradient(const float* dy, const float* x, float* dx, float mean, float scale, float offset, float slope,
                   std::int64_t pixels, std::int64_t valid);
void softmax(const float* x, float* y, std::int64_t classes, std::int64_t pixels);
void softmax_gradient(const float* dy, const float* y, float* dx, std::int64_t classes, std::int64_t pixels);
void cross_entropy(LossArgs&);
void shared_cross_entropy(LossArgs&);
void general_cross_entropy(LossArgs&);
void bce(LossArgs&);
void mse(LossArgs&);
void dropout(const DropoutArgs&);
double square_sum(const float* g, std::int64_t count);
double square_sum_rows(const float* g, std::int64_t rows, std::int64_t step, std::int64_t count);
void scale(float* g, std::int64_t count, float by);
void clamp(float* g, std::int64_t count, float limit);
extern const Update updates[];
double penalty(const float* w, std::int64_t count, float l1, float l2);
void group_stats(const float* x, std::int64_t count, double eps, float* mean, float* invstd);
void group_apply(const NormGroup&, float* y);
void group_gradient(const NormGroup&, const float* dy, float* dx);
void group_weight_gradient(const NormGroup&, const float* dy, std::int64_t valid, float* dw, float* db);
void channel_norm(const ChannelNorm&, double eps, float* mean, float* invstd, float* y);
void channel_norm_gradient(const ChannelNorm&, const float* mean, const float* invstd, const float* dy, float* dx);
void channel_norm_weight_gradient(const ChannelNorm&, const float* mean, const float* invstd, const float* dy,
                                  std::int64_t valid, float* dw, float* db);
double slope_gradient(const float* dy, const float* x, std::int64_t pixels, std::int64_t valid);
void multiply(const float* a, const float* b, float* y, std::int64_t channels, std::int64_t pixels,
              std::int64_t b_pixels);
void resize(const Resize&, const float* x, float* y);
void resize_gradient(const Resize&, const float* dy, float* dx);
void window_mean(const Windows&, const float* x, float* y);
void window_mean_gradient(const Windows&, const float* dy, float* dx);
void formula(const FormulaArgs&);
void pair_lanes(const LanePairs&);
void pair_shards(const ShardPairs&);
void sum_halves(const std::uint32_t* rows, std::int64_t count, float* acc);
void turn_rows(const TurnedRows&);
void pair_bytes(const BytePairs&);
void pair_pooled(const PooledPairs&);
void sum_columns(const std::uint32_t* tiles, std::int64_t count, float* acc);
void weight_tile(const WeightTile&);
void weight_rows(const WeightRows&);
void sum_rounded(const float* from, std::int64_t count, float* acc);
void multiply_tiles(const TileMultiply&);
std::int64_t multiply_adds(std::int64_t rounds, float* result);
extern const WinogradForms winograd;

}  // namespace nw::cpu::NW_ISA

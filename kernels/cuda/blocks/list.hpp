// SPDX-License-Identifier: Apache-2.0
// All functors of blocks by name, as elements/list.hpp has those of elements.
#pragma once
#include "kernels/cuda/blocks/attention.hpp"
#include "kernels/cuda/blocks/batch_norm.hpp"
#include "kernels/cuda/blocks/channel_norm.hpp"
#include "kernels/cuda/blocks/loss.hpp"
#include "kernels/cuda/blocks/pixels.hpp"
#include "kernels/cuda/blocks/small_conv.hpp"
#include "kernels/cuda/blocks/small_product.hpp"
#include "kernels/cuda/blocks/sums.hpp"
#include "kernels/cuda/elements/list.hpp"

// Functors of rows, for images whose number of channels is a multiple of four ("wide"), and for others.
#define NW_CUDA_ROW_BLOCKS(B, T, S, W, suffix)                 \
  B(channel_sums##suffix##_##S, SumRows<SumOfChannel<T, W>>)   \
  B(norm_sums##suffix##_##S, SumRows<NormSums<T, W>>)          \
  B(norm_grad_sums##suffix##_##S, SumRows<NormGradSums<T, W>>) \
  B(norm_apply##suffix##_##S, EachRow<NormApply<T, W>>)        \
  B(norm_grad_input##suffix##_##S, EachRow<NormGradInput<T, W>>)

// Products of small matrices; "wide" where several adjacent numbers may be read at once.
#define NW_CUDA_SMALL_PRODUCTS(B, T, S, wide, suffix)                                         \
  B(small_linear##suffix##_##S, SmallProduct<T, T, ProductForm::forward, wide>)               \
  B(small_linear_grad_input##suffix##_##S, SmallProduct<T, T, ProductForm::grad_input, wide>) \
  B(small_linear_grad_weight##suffix##_##S, SmallProduct<T, float, ProductForm::grad_weight, wide>)

// Functors that read or write images, for each type of storage.
#define NW_CUDA_TYPED_BLOCKS(B, T, S)                         \
  B(cross_entropy_##S, CrossEntropy<T>)                       \
  B(multiply_grad_scale_##S, SumPixels<MultiplyGradScale<T>>) \
  B(global_avg_pool2d_##S, SumPixels<GlobalAvgPool2d<T>>)     \
  B(channel_norm_stats_##S, ChannelNormStats<T>)              \
  B(channel_norm_grad_input_##S, ChannelNormGradInput<T>)     \
  B(small_conv_##S, SmallConv<T>)                             \
  B(small_conv_grad_input_##S, SmallConvGradInput<T>)         \
  B(small_conv_grad_weight_##S, SmallConvGradWeight<T>)       \
  NW_CUDA_SMALL_PRODUCTS(B, T, S, false, )                    \
  NW_CUDA_SMALL_PRODUCTS(B, T, S, true, _wide)                \
  NW_CUDA_ROW_BLOCKS(B, T, S, 1, )                            \
  NW_CUDA_ROW_BLOCKS(B, T, S, 4, _wide)

#define NW_CUDA_BLOCKS(B)                            \
  B(sum_columns_f32, SumColumns<StoreSum<float>>)    \
  B(sum_columns_f64, SumColumns<StoreSum<double>>)   \
  B(subtract_padding, SumColumns<SubtractPadding>)   \
  B(squares_of_gradients, FlatSum<SquareOfGradient>) \
  B(penalties_of_weights, FlatSum<PenaltyOfWeight>)  \
  B(collect_loss, CollectLoss)                       \
  B(attention_softmax, AttentionSoftmax)             \
  B(attention_grad_scores, AttentionGradScores)      \
  NW_CUDA_TYPED_BLOCKS(B, float, f32)                \
  NW_CUDA_TYPED_BLOCKS(B, math::Bf16, bf16)          \
  NW_CUDA_TYPED_BLOCKS(B, math::Half, f16)

namespace nw::cuda {

/// Whether F is a functor of blocks; otherwise it is one of elements.
template <class F>
concept BlockFunctor = requires { F::phases; };

NW_CUDA_BLOCKS(NW_ELEMENT_NAME)
#undef NW_ELEMENT_NAME

}  // namespace nw::cuda

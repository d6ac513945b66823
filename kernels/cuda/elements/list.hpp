// SPDX-License-Identifier: Apache-2.0
// All element functors by name, in one list, from which the device's kernels, the host's names for them and the fake
// device are generated.
#pragma once
#include "kernels/cuda/elements/attention.hpp"
#include "kernels/cuda/elements/batch_norm.hpp"
#include "kernels/cuda/elements/channels.hpp"
#include "kernels/cuda/elements/conv2d.hpp"
#include "kernels/cuda/elements/elementwise.hpp"
#include "kernels/cuda/elements/linear.hpp"
#include "kernels/cuda/elements/loss.hpp"
#include "kernels/cuda/elements/pool.hpp"
#include "kernels/cuda/elements/resample.hpp"
#include "kernels/cuda/elements/sample_norm.hpp"
#include "kernels/cuda/elements/samples.hpp"
#include "kernels/cuda/elements/shape.hpp"
#include "kernels/cuda/elements/update.hpp"

// The two kernels of a row of kernels/math/activation.hpp.
#define NW_CUDA_ELEMENT_KERNEL(name, Formula, E, T, S) \
  E(name##_##S, Map<math::Formula, T>)                 \
  E(name##_grad_##S, MapGrad<math::Formula, T>)

// Functors that read or write images, for each type of storage; S is the suffix of their names.
#define NW_CUDA_TYPED_ELEMENTS(E, T, S)                         \
  E(conv2d_##S, Conv2d<T>)                                      \
  E(conv2d_grad_input_##S, Conv2dGradInput<T>)                  \
  E(conv2d_grad_weight_##S, Conv2dGradWeight<T>)                \
  E(pack_filters_##S, PackFilters<T>)                           \
  E(pack_filter_##S, PackFilter<T>)                             \
  E(unpack_filter_##S, UnpackFilter<T>)                         \
  E(pad_channels_##S, PadChannels<T>)                           \
  E(add_bias_##S, AddBias<T>)                                   \
  E(fill_##S, Fill<T>)                                          \
  E(resample_##S, Resample<T>)                                  \
  E(resample_grad_##S, ResampleGrad<T>)                         \
  E(multiply_##S, Multiply<T>)                                  \
  E(sample_norm_stats_##S, SampleNormStats<T>)                  \
  E(sample_norm_apply_##S, SampleNormApply<T>)                  \
  E(sample_norm_grad_stats_##S, SampleNormGradStats<T>)         \
  E(sample_norm_grad_input_##S, SampleNormGradInput<T>)         \
  E(sample_norm_grad_weight_##S, SampleNormGradWeight<T>)       \
  E(prelu_##S, Prelu<T>)                                        \
  E(prelu_grad_weight_##S, PreluGradWeight<T>)                  \
  E(linear_##S, Linear<T>)                                      \
  E(linear_grad_input_##S, LinearGradInput<T>)                  \
  E(linear_grad_weight_##S, LinearGradWeight<T>)                \
  E(max_pool2d_##S, MaxPool2d<T, 1>)                            \
  E(max_pool2d_wide_##S, MaxPool2d<T, pack_size<T>>)            \
  E(max_pool2d_grad_##S, MaxPool2dGrad<T, 1>)                   \
  E(max_pool2d_grad_wide_##S, MaxPool2dGrad<T, pack_size<T>>)   \
  E(avg_pool2d_##S, AvgPool2d<T>)                               \
  E(avg_pool2d_grad_##S, AvgPool2dGrad<T>)                      \
  E(global_avg_pool2d_grad_##S, GlobalAvgPool2dGrad<T>)         \
  E(batch_norm_inference_##S, BatchNormInference<T>)            \
  E(dropout_##S, Dropout<T>)                                    \
  E(softmax_##S, Softmax<T>)                                    \
  E(softmax_grad_##S, SoftmaxGrad<T>)                           \
  E(add_##S, Add<T>)                                            \
  E(formula_##S, Evaluate<T>)                                   \
  E(copy_channels_##S, CopyChannels<T>)                         \
  E(flatten_##S, Flatten<T>)                                    \
  E(flatten_grad_##S, FlattenGrad<T>)                           \
  E(shared_cross_entropy_##S, SharedCrossEntropy<T>)            \
  E(general_cross_entropy_##S, GeneralCrossEntropy<T>)          \
  E(bce_with_logits_##S, BceWithLogits<T>)                      \
  E(general_bce_##S, GeneralBce<T>)                             \
  E(mse_##S, Mse<T>)                                            \
  E(scale_channels_##S, ScaleChannels<T>)                       \
  E(scale_channels_grad_weight_##S, ScaleChannelsGradWeight<T>) \
  E(add_spread_##S, AddSpread<T>)                               \
  E(global_max_pool2d_##S, GlobalMaxPool2d<T>)                  \
  E(global_max_pool2d_grad_##S, GlobalMaxPool2dGrad<T>)         \
  E(shuffle_channels_##S, ShuffleChannels<T>)                   \
  E(transpose_image_##S, TransposeImage<T>)                     \
  E(reshape_image_##S, ReshapeImage<T>)                         \
  E(spread_slice_##S, SpreadSlice<T>)                           \
  E(channel_norm_apply_##S, ChannelNormApply<T>)                \
  E(channel_norm_grad_weight_##S, ChannelNormGradWeight<T>)     \
  E(local_response_norm_##S, LocalResponseNorm<T>)              \
  E(local_response_norm_grad_##S, LocalResponseNormGrad<T>)     \
  E(add_tokens_##S, AddTokens<T>)                               \
  E(add_tokens_grad_weight_##S, AddTokensGradWeight<T>)         \
  E(attention_scores_##S, AttentionScores<T>)                   \
  E(attention_result_##S, AttentionResult<T>)                   \
  E(attention_grad_weights_##S, AttentionGradWeights<T>)        \
  E(attention_grad_input_##S, AttentionGradInput<T>)            \
  NW_ELEMENT_KERNELS(NW_CUDA_ELEMENT_KERNEL, E, T, S)

// The functors of one optimizer of kernels/optimizers.
#define NW_CUDA_OPTIMIZER_ELEMENTS(E, name, Type) \
  E(name, Update<optimizers::Type>)               \
  E(prepare_##name, PrepareUpdate<optimizers::Type>)

#define NW_CUDA_ELEMENTS(E)                      \
  E(begin_step, BeginStep)                       \
  E(end_step, EndStep)                           \
  E(gather_images, GatherImages)                 \
  E(gather_labels, GatherLabels)                 \
  E(gather_targets, GatherTargets)               \
  E(take_images, TakeInput<float>)               \
  E(take_labels, TakeInput<i64>)                 \
  E(sum_parts_f32, SumParts<float>)              \
  E(sum_parts_f64, SumParts<double>)             \
  E(batch_norm_finalize, BatchNormFinalize)      \
  E(batch_norm_grad_weight, BatchNormGradWeight) \
  E(round_bf16, RoundBf16)                       \
  E(store_bf16, Store<math::Bf16>)               \
  E(store_f16, Store<math::Half>)                \
  E(store_weights, StoreWeights)                 \
  E(judge_loss, JudgeLoss)                       \
  E(finish_norm, FinishNorm)                     \
  E(finish_penalty, FinishPenalty)               \
  E(advance_loss_scale, AdvanceLossScale)        \
  E(clip_norm, ClipNorm)                         \
  E(clip_value, ClipValue)                       \
  E(average_weights, AverageWeights)             \
  E(weight_squares, WeightSquares)               \
  E(root, Root)                                  \
  NW_OPTIMIZERS(NW_CUDA_OPTIMIZER_ELEMENTS, E)   \
  NW_CUDA_TYPED_ELEMENTS(E, float, f32)          \
  NW_CUDA_TYPED_ELEMENTS(E, math::Bf16, bf16)    \
  NW_CUDA_TYPED_ELEMENTS(E, math::Half, f16)

namespace nw::cuda {

inline constexpr unsigned block_threads = 256;

/// element_name<Update<optimizers::Sgd>>: "nw_sgd", the kernel's symbol.
template <class F>
inline constexpr const char* element_name = nullptr;
#define NW_ELEMENT_NAME(name, ...) \
  template <>                      \
  inline constexpr const char* element_name<__VA_ARGS__> = "nw_" #name;
NW_CUDA_ELEMENTS(NW_ELEMENT_NAME)

}  // namespace nw::cuda

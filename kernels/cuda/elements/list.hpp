// SPDX-License-Identifier: Apache-2.0
// All element functors by name, in one list: the device's kernels, the host's names for them and the fake device are made of it.
#pragma once
#include "kernels/cuda/elements/batch_norm.hpp"
#include "kernels/cuda/elements/conv2d.hpp"
#include "kernels/cuda/elements/elementwise.hpp"
#include "kernels/cuda/elements/linear.hpp"
#include "kernels/cuda/elements/loss.hpp"
#include "kernels/cuda/elements/pool.hpp"
#include "kernels/cuda/elements/shape.hpp"
#include "kernels/cuda/elements/update.hpp"

#define NW_CUDA_ELEMENTS(E)                    \
  E(zero_images, ZeroPadding<float>)           \
  E(zero_labels, ZeroPadding<i64>)             \
  E(sum_parts_f32, SumParts<float>)            \
  E(sum_parts_f64, SumParts<double>)           \
  E(conv2d, Conv2d)                            \
  E(conv2d_grad_input, Conv2dGradInput)        \
  E(conv2d_grad_weight, Conv2dGradWeight)      \
  E(channel_sums, ChannelSums)                 \
  E(linear, Linear)                            \
  E(linear_grad_input, LinearGradInput)        \
  E(linear_grad_weight, LinearGradWeight)      \
  E(max_pool2d, MaxPool2d)                     \
  E(max_pool2d_grad, MaxPool2dGrad)            \
  E(avg_pool2d, AvgPool2d)                     \
  E(avg_pool2d_grad, AvgPool2dGrad)            \
  E(global_avg_pool2d, GlobalAvgPool2d)        \
  E(global_avg_pool2d_grad, GlobalAvgPool2dGrad) \
  E(batch_norm_stats, BatchNormStats)          \
  E(batch_norm_finalize, BatchNormFinalize)    \
  E(batch_norm_apply, BatchNormApply)          \
  E(batch_norm_inference, BatchNormInference)  \
  E(batch_norm_grad_stats, BatchNormGradStats) \
  E(batch_norm_grad_weight, BatchNormGradWeight) \
  E(batch_norm_grad_input, BatchNormGradInput) \
  E(relu, Map<math::relu>)                     \
  E(relu_grad, MapGrad<math::relu_grad>)       \
  E(leaky_relu, LeakyRelu)                     \
  E(leaky_relu_grad, LeakyReluGrad)            \
  E(sigmoid, Map<math::sigmoid>)               \
  E(sigmoid_grad, MapGrad<math::sigmoid_grad>) \
  E(tanh, Map<math::tanh_value>)               \
  E(tanh_grad, MapGrad<math::tanh_grad>)       \
  E(gelu, Map<math::gelu>)                     \
  E(gelu_grad, MapGrad<math::gelu_grad>)       \
  E(gelu_tanh, Map<math::gelu_tanh>)           \
  E(gelu_tanh_grad, MapGrad<math::gelu_tanh_grad>) \
  E(silu, Map<math::silu>)                     \
  E(silu_grad, MapGrad<math::silu_grad>)       \
  E(round_bf16, Map<math::round_bf16>)         \
  E(dropout, Dropout)                          \
  E(softmax, Softmax)                          \
  E(softmax_grad, SoftmaxGrad)                 \
  E(add, Add)                                  \
  E(copy_channels, CopyChannels)               \
  E(flatten, Flatten)                          \
  E(flatten_grad, FlattenGrad)                 \
  E(cross_entropy, CrossEntropy)               \
  E(bce_with_logits, BceWithLogits)            \
  E(mse, Mse)                                  \
  E(collect_loss, CollectLoss)                 \
  E(judge_loss, JudgeLoss)                     \
  E(squared_norm, SquaredNorm)                 \
  E(penalty_sum, PenaltySum)                   \
  E(finish_norm, FinishNorm)                   \
  E(finish_penalty, FinishPenalty)             \
  E(clip_norm, ClipNorm)                       \
  E(clip_value, ClipValue)                     \
  E(sgd, Sgd)                                  \
  E(prepare_adam, PrepareAdam)                 \
  E(adam, Adam)

namespace nw::cuda {

inline constexpr unsigned block_threads = 256;

/// element_name<Sgd>: "nw_sgd", the kernel's symbol.
template <class F>
inline constexpr const char* element_name = nullptr;
#define NW_ELEMENT_NAME(name, ...) \
  template <>                      \
  inline constexpr const char* element_name<__VA_ARGS__> = "nw_" #name;
NW_CUDA_ELEMENTS(NW_ELEMENT_NAME)
#undef NW_ELEMENT_NAME

}  // namespace nw::cuda

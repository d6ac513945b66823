// SPDX-License-Identifier: Apache-2.0
// Shared by the layers y = w x + b: linear layers and convolutions.
#pragma once
#include "engine/design/layer_type.hpp"

namespace nw {

/// A weight of the given shape and, where wanted, a bias for each of `out` outputs, as PyTorch initializes them.
inline std::vector<Weight> weight_and_bias(const Shape& weight, std::int64_t fan_in, std::int64_t fan_out,
                                           std::int64_t out, bool bias) {
  std::vector<Weight> all{
      {.name = "weight", .shape = weight, .init = "kaiming_uniform", .fan_in = fan_in, .fan_out = fan_out}};
  if (bias) all.push_back({.name = "bias", .shape = {out}, .init = "bias_uniform", .fan_in = fan_in});
  return all;
}

/// The steps of a layer with the kernels `kernel`, `kernel`_grad_weight and `kernel`_grad_input.
inline void lower_weighted(const std::string& kernel, const StepAttrs& attrs, Emit& e) {
  const ValueRef x = e.input(), w = e.weight("weight");
  e.forward(kernel, {x, w, e.weight("bias")}, {e.output()}, attrs);
  if (!e.training()) return;
  const ValueRef dy = e.grad_of_output();
  e.backward(kernel + "_grad_weight", {dy, x}, {e.grad_of_weight("weight"), e.grad_of_weight("bias")}, attrs);
  if (e.needs_grad_of_input()) e.backward(kernel + "_grad_input", {dy, w}, {e.grad_of_input()}, attrs);
}

/// Linear and ChannelLinear: features are the inputs' second dimension.
inline std::vector<Weight> linear_weights(const Attrs& a, std::span<const Shape> in) {
  const std::int64_t out = a.integer("out_features"), features = in[0][1];
  return weight_and_bias({out, features}, features, out, out, a.boolean("bias"));
}

}  // namespace nw

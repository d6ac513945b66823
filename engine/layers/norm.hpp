// SPDX-License-Identifier: Apache-2.0
// Shared by the layers that bring parts of each image to mean 0 and variance 1.
#pragma once
#include "engine/design/layer_type.hpp"

namespace nw {

/// The learned factor and offset, both of the given shape.
inline std::vector<Weight> scale_and_offset(const Shape& each, bool learned) {
  if (!learned) return {};
  return {{.name = "weight", .shape = each, .init = "ones", .decay = false},
          {.name = "bias", .shape = each, .init = "zeros", .decay = false}};
}

struct NormKernels {
  std::string name;      // the kernels are `name`, `name`_grad_weight and `name`_grad_input
  Shape statistics;      // of the means and inverse deviations, which the backward pass reads
  StepAttrs attrs = {};  // of every kernel; the forward kernel gets eps too
};

inline void lower_norm(const NormKernels& k, const Attrs& a, Emit& e) {
  const ValueRef x = e.input(), w = e.weight("weight");
  const ValueRef norm = e.training() ? e.saved("mean_invstd", k.statistics, DType::f32) : -1;
  StepAttrs forward = k.attrs;
  forward["eps"] = a.real("eps");
  e.forward(k.name, {x, w, e.weight("bias")}, {e.output(), norm}, forward);
  if (!e.training()) return;
  const ValueRef dy = e.grad_of_output();
  if (w >= 0)
    e.backward(k.name + "_grad_weight", {dy, x, norm}, {e.grad_of_weight("weight"), e.grad_of_weight("bias")}, k.attrs);
  if (e.needs_grad_of_input()) e.backward(k.name + "_grad_input", {dy, x, norm, w}, {e.grad_of_input()}, k.attrs);
}

/// The groups of channels of an image; one channel each: InstanceNorm2d.
inline void lower_group_norm(std::int64_t groups, const Attrs& a, Emit& e) {
  lower_norm({"group_norm", {e.shape(e.input())[0], 2 * groups}, {{"groups", groups}}}, a, e);
}

inline std::int64_t norm_multiply_adds(const Attrs&, std::span<const Shape>, const Shape& out) {
  return out.per_sample();
}

}  // namespace nw

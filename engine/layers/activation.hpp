// SPDX-License-Identifier: Apache-2.0
// Shared by the layers that consist of one element-wise kernel.
#pragma once
#include "engine/design/layer_type.hpp"
#include "kernels/math/element.hpp"

namespace nw {

/// The steps of the element-wise kernel `Formula`: y from x, and dx if needed. The kernel's parameters are the layer's
/// attributes of the same names.
template <class Formula>
void lower_element(const Attrs& a, Emit& e) {
  const std::string kernel = math::kernel_name<Formula>;
  StepAttrs attrs;
  for (const math::Parameter& p : Formula::info.parameters)
    if (p.name) attrs[p.name] = a.real(p.name);
  e.forward(kernel, {e.input()}, {e.output()}, attrs);
  if (!e.needs_grad_of_input()) return;
  const ValueRef v = Formula::info.gradient_reads == math::Operand::x ? e.input() : e.output();
  e.backward(kernel + "_grad", {e.grad_of_output(), v}, {e.grad_of_input()}, attrs);
}

/// The record of a layer with the element-wise kernel `Formula`: adds group, shape inference and steps.
template <class Formula>
LayerType element_layer(LayerType layer) {
  layer.group = "Activation";
  layer.infer = [](const Attrs&, std::span<const Shape> in) -> Inferred<Shape> { return in[0]; };
  layer.lower = lower_element<Formula>;
  return layer;
}

}  // namespace nw

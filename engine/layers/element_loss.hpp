// SPDX-License-Identifier: Apache-2.0
// Shared by the losses of a vector against targets of the same size.
#pragma once
#include "engine/design/layer_type.hpp"

namespace nw {

inline Inferred<Shape> infer_element_loss(const Attrs&, std::span<const Shape> in) {
  if (in[0].rank() != 2)
    return ShapeError{text(NW_TR("Needs a vector, gets {0}"), to_string(in[0], true)), 0, {QuickFix::insert_flatten}};
  return in[0];
}

/// One kernel computes the loss and, in training, the gradient of the scores.
inline void lower_element_loss(const char* kernel, Emit& e, StepAttrs attrs = {}) {
  e.forward(kernel, {e.input(), e.targets()}, {e.training() ? e.grad_of_input() : -1}, std::move(attrs));
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Shared by BCE and BCEWithLogits.
#pragma once
#include "engine/layers/element_loss.hpp"
#include "engine/layers/weighted_loss.hpp"

namespace nw {

inline Inferred<Shape> infer_binary_loss(const Attrs& a, std::span<const Shape> in) {
  Inferred<Shape> shape = infer_element_loss(a, in);
  if (std::holds_alternative<ShapeError>(shape)) return shape;
  if (Text why = refuse_weights(a.choice("pos_weight"), in[0][1]); !why.empty()) return ShapeError{std::move(why)};
  return shape;
}

inline void lower_binary_loss(const Attrs& a, Emit& e) {
  StepAttrs attrs;
  add_loss_attrs(attrs, a, "pos_weight", positive_weights(a.choice("pos_weight"), e.data(), e.shape(e.input())[1]));
  lower_element_loss("bce_with_logits", e, std::move(attrs));
}

inline std::vector<Field> binary_loss_fields() {
  return {target_weights_field("pos_weight", text(NW_TR("Weight of yes")),
                               text(NW_TR("Weight of targets that are 1: balanced, or a number for each score. "
                                          "Balanced: as much as all others together."))),
          focal_gamma_field()};
}

}  // namespace nw

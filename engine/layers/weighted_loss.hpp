// SPDX-License-Identifier: Apache-2.0
// Shared by the losses whose targets have weights and which have a focus on what is predicted badly.
#pragma once
#include "engine/design/data_facts.hpp"
#include "engine/design/target_weights.hpp"

namespace nw {

inline Field focal_gamma_field() {
  return real_field("focal_gamma", text(NW_TR("Focal gamma")), 0, 0, 10,
                    text(NW_TR("Exponent of the focal loss: above 0, samples that are predicted well count less. "
                               "Usual: 2.")));
}

/// Adds the weights, unless all are 1, and the focus, unless there is none: a plan without them is as it was.
inline void add_loss_attrs(StepAttrs& attrs, const Attrs& a, const char* name, std::vector<double> weights) {
  if (!weights.empty()) attrs.emplace(name, std::move(weights));
  if (const double gamma = a.real("focal_gamma"); gamma > 0) attrs.emplace("focal_gamma", gamma);
}

}  // namespace nw

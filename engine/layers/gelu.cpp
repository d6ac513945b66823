// SPDX-License-Identifier: Apache-2.0
// y = x * Phi(x) with the Gaussian distribution function Phi; exact or with the tanh approximation. Hendrycks & Gimpel,
// arXiv 1606.08415.
#include "engine/layers/activation.hpp"

namespace nw {
namespace {

void lower(const Attrs& a, Emit& e) {
  if (a.choice("approximate") == "tanh")
    lower_element<math::GeluTanh>(a, e);
  else
    lower_element<math::Gelu>(a, e);
}

}  // namespace

extern const LayerType gelu_layer = [] {
  LayerType layer = element_layer<math::Gelu>({
      .name = "GELU",
      .stem = "gelu",
      .summary = text(NW_TR("A smooth ReLU weighted by the normal distribution.")),
      .onnx = "Gelu",
      .fields = {choice_field("approximate", text(NW_TR("Formula")), "none", {"none", "tanh"},
                              text(NW_TR("none: exact; tanh: a close and cheaper formula.")))},
  });
  layer.lower = lower;
  return layer;
}();

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// During training, zeroes all of an image's values with a probability and scales those of the others, as
// torchvision.ops.StochasticDepth with mode "row": at the end of a residual branch, this leaves the branch out. Huang
// et al., "Deep networks with stochastic depth", arXiv 1603.09382; the probability rises linearly from block to block
// (equation 4): p * layer / layers. The gradient is the same kernel with the same random key.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

constexpr std::int64_t by_sample = 2;

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  if (a.integer("layer") > a.integer("layers"))
    return ShapeError{text(NW_TR("Needs a layer up to {0}, is layer {1}; gets {2}"), a.integer("layers"),
                           a.integer("layer"), to_string(in[0], true)),
                      0,
                      {}};
  return in[0];
}

void lower(const Attrs& a, Emit& e) {
  const double p = a.real("p") * static_cast<double>(a.integer("layer")) / static_cast<double>(a.integer("layers"));
  const StepAttrs attrs{{"p", e.training() ? p : 0.0}, {"key", e.random_key()}, {"share", by_sample}};
  e.forward("dropout", {e.input()}, {e.output()}, attrs);
  if (e.needs_grad_of_input()) e.backward("dropout", {e.grad_of_output()}, {e.grad_of_input()}, attrs);
}

}  // namespace

extern const LayerType stochastic_depth_layer{
    .name = "StochasticDepth",
    .group = "Regularization",
    .stem = "depth",
    .summary = text(NW_TR("Leaves a residual branch out for random images while training.")),
    .fields = {real_field("p", text(NW_TR("Share left out")), 0.2, 0, 0.99,
                          text(NW_TR("Probability that an image skips the branch, in the last layer."))),
               integer_field("layer", text(NW_TR("Layer")), 1, 0, 100000,
                             text(NW_TR("Place of this layer: the share left out rises from layer to layer."))),
               integer_field("layers", text(NW_TR("Layers")), 1, 1, 100000,
                             text(NW_TR("Place of the last layer, which leaves out the whole share.")))},
    .infer = infer,
    .lower = lower};

}  // namespace nw

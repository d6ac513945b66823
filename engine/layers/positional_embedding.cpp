// SPDX-License-Identifier: Apache-2.0
// Adds learned numbers to each token, so that attention can tell places apart. Dosovitskiy et al., arXiv 2010.11929,
// equation 1. The weight is named as the layer, as torchvision's pos_embedding (1,tokens,features).
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  if (in[0].rank() != 4)
    return ShapeError{text(NW_TR("Needs tokens, gets {0}"), to_string(in[0], true)), 0, {QuickFix::remove}};
  return in[0];
}

std::vector<Weight> weights(const Attrs&, std::span<const Shape> in) {
  return {{.name = "", .shape = {1, in[0][2] * in[0][3], in[0][1]}, .init = "normal 0.02", .decay = false}};
}

void lower(const Attrs&, Emit& e) {
  e.forward("add_tokens", {e.input(), e.weight("")}, {e.output()});
  if (!e.training()) return;
  e.backward("add_tokens_grad_weight", {e.grad_of_output()}, {e.grad_of_weight("")});
  if (e.needs_grad_of_input()) e.alias_grad_of_input(0, e.grad_of_output());
}

}  // namespace

extern const LayerType positional_embedding_layer{
    .name = "PositionalEmbedding",
    .group = "Attention",
    .stem = "pos_embedding",
    .summary = text(NW_TR("Adds learned numbers to each token, so that places can be told apart.")),
    .onnx = "Add",
    .infer = infer,
    .weights = weights,
    .lower = lower};

}  // namespace nw

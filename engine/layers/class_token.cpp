// SPDX-License-Identifier: Apache-2.0
// Puts one learned token before those of a sequence: (N,features,tokens,1) -> (N,features,tokens + 1,1). A classifier
// reads it at the end. Dosovitskiy et al., arXiv 2010.11929, equation 1. The weight is named as the layer, as
// torchvision's class_token (1,1,features).
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  if (in[0].rank() != 4)
    return ShapeError{text(NW_TR("Needs tokens, gets {0}"), to_string(in[0], true)), 0, {QuickFix::remove}};
  return Shape{in[0][0], in[0][1], in[0][2] * in[0][3] + 1, 1};
}

std::vector<Weight> weights(const Attrs&, std::span<const Shape> in) {
  return {{.name = "", .shape = {1, 1, in[0][1]}, .init = "zeros", .decay = false}};
}

// The sequence is moved down by one token, to which the weight is then added.
void lower(const Attrs&, Emit& e) {
  using List = std::vector<std::int64_t>;
  const Shape in = e.shape(e.input()), out = e.shape(e.output()), column{in[0], in[1], in[2] * in[3], 1};
  const bool is_column = in == column;
  const StepAttrs attrs{{"padding", List{1, 0}}};
  ValueRef tokens = e.input();
  if (!is_column) e.forward("reshape", {e.input()}, {tokens = e.between("tokens", column)});
  const ValueRef moved = e.between("moved", out);
  e.forward("zero_pad2d", {tokens}, {moved}, attrs);
  e.forward("add_tokens", {moved, e.weight("")}, {e.output()});
  if (!e.training()) return;
  e.backward("add_tokens_grad_weight", {e.grad_of_output()}, {e.grad_of_weight("")});
  if (!e.needs_grad_of_input()) return;
  const ValueRef gradient = is_column ? e.grad_of_input() : e.between_gradients("tokens", column);
  e.backward("zero_pad2d_grad", {e.grad_of_output()}, {gradient}, attrs);
  if (!is_column) e.backward("reshape", {gradient}, {e.grad_of_input()});
}

}  // namespace

extern const LayerType class_token_layer{
    .name = "ClassToken",
    .group = "Attention",
    .stem = "class_token",
    .summary = text(NW_TR("Puts one learned token before the others, from which the class is read at the end.")),
    .infer = infer,
    .weights = weights,
    .lower = lower};

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Sum of all inputs, which have the same shape. The gradient of each input is that of the output.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  for (std::size_t i = 1; i < in.size(); ++i)
    if (!(in[i] == in[0]))
      return ShapeError{
          text(NW_TR("Needs equal shapes, gets {0} and {1}"), to_string(in[0], true), to_string(in[i], true)),
          static_cast<int>(i),
          {QuickFix::project}};
  return in[0];
}

void lower(const Attrs&, Emit& e) {
  std::vector<ValueRef> in;
  for (int i = 0; i < e.inputs(); ++i) in.push_back(e.input(i));
  e.forward("add", in, {e.output()});
  if (!e.training()) return;
  for (int i = 0; i < e.inputs(); ++i)
    if (e.needs_grad_of_input(i)) e.alias_grad_of_input(i, e.grad_of_output());
}

}  // namespace

extern const LayerType add_layer{
    .name = "Add",
    .group = "Shape",
    .stem = "add",
    .summary = text(NW_TR("Adds its inputs, for example at the end of a skip connection.")),
    .onnx = "Add",
    .inputs = -1,
    .infer = infer,
    .lower = lower};

}  // namespace nw

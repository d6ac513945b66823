// SPDX-License-Identifier: Apache-2.0
// Sum of all inputs, which have the same shape, or one number for each channel: (C,1,1). The gradient of an input is
// that of the output, summed over the pixels where the input has one number for all of them.
#include <algorithm>

#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

bool is_spread(const Shape& s) { return s.rank() == 4 && s[2] == 1 && s[3] == 1; }

/// The first input with more than one pixel per channel; if there is none, the first input.
const Shape& largest(std::span<const Shape> in) {
  for (const Shape& s : in)
    if (!is_spread(s)) return s;
  return in[0];
}

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  const Shape& out = largest(in);
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i] == out || (is_spread(in[i]) && out.rank() == 4 && in[i][1] == out[1])) continue;
    const std::size_t other = in[i] == in[0] ? 1 : i;
    return ShapeError{
        text(NW_TR("Needs equal shapes, gets {0} and {1}"), to_string(in[0], true), to_string(in[other], true)),
        static_cast<int>(other),
        {QuickFix::project}};
  }
  return out;
}

void lower(const Attrs&, Emit& e) {
  std::vector<ValueRef> in;
  const auto is_whole = [&](ValueRef v) { return e.shape(v) == e.shape(e.output()); };
  for (int i = 0; i < e.inputs(); ++i) in.push_back(e.input(i));
  e.forward(std::all_of(in.begin(), in.end(), is_whole) ? "add" : "add_spread", in, {e.output()});
  if (!e.training()) return;
  for (int i = 0; i < e.inputs(); ++i) {
    if (!e.needs_grad_of_input(i)) continue;
    if (is_whole(e.input(i)))
      e.alias_grad_of_input(i, e.grad_of_output());
    else
      e.backward("multiply_grad_scale", {e.grad_of_output()}, {e.grad_of_input(i)});
  }
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

// SPDX-License-Identifier: Apache-2.0
// Concatenates its inputs along the channels (dimension 1).
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs&, std::span<const Shape> in) {
  Shape out = in[0];
  for (std::size_t i = 1; i < in.size(); ++i) {
    bool fits = in[i].rank() == out.rank();
    for (int d = 2; fits && d < out.rank(); ++d) fits = in[i][d] == out[d];
    if (!fits)
      return ShapeError{
          text(NW_TR("Needs images of one size, gets {0} and {1}"), to_string(in[0], true), to_string(in[i], true)),
          static_cast<int>(i),
          {}};
    out[1] += in[i][1];
  }
  return out;
}

void lower(const Attrs&, Emit& e) {
  std::vector<ValueRef> in;
  for (int i = 0; i < e.inputs(); ++i) in.push_back(e.input(i));
  e.forward("concat", in, {e.output()});
  if (!e.training()) return;
  std::int64_t begin = 0;
  for (int i = 0; i < e.inputs(); ++i) {
    if (e.needs_grad_of_input(i)) e.backward("slice", {e.grad_of_output()}, {e.grad_of_input(i)}, {{"begin", begin}});
    begin += e.shape(e.input(i))[1];
  }
}

}  // namespace

extern const LayerType concat_layer{.name = "Concat",
                                    .group = "Shape",
                                    .stem = "concat",
                                    .summary = text(NW_TR("Joins the channels of its inputs.")),
                                    .onnx = "Concat",
                                    .inputs = -1,
                                    .infer = infer,
                                    .lower = lower};

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// A range of channels, rows or columns: x[:, start:end] in PyTorch. Several of them split an image.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

int dimension(const Attrs& a) {
  const std::string name = a.choice("dim");
  return name == "channels" ? 1 : name == "rows" ? 2 : 3;
}

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const int dim = dimension(a);
  if (dim >= in[0].rank())
    return ShapeError{text(NW_TR("Needs an image, gets {0}"), to_string(in[0], true)), 0, {QuickFix::remove}};
  const std::int64_t size = in[0][dim], start = a.integer("start"),
                     end = a.integer("end") < 0 ? size : a.integer("end");
  if (start >= end || end > size)
    return ShapeError{text(NW_TR("Needs a range within 0 to {0}, not {1} to {2}; gets {3}"), size, start, end,
                           to_string(in[0], true)),
                      0,
                      {}};
  Shape out = in[0];
  out[dim] = end - start;
  return out;
}

// Rows and columns are cut out as padding is cut off again.
void lower(const Attrs& a, Emit& e) {
  const int dim = dimension(a);
  const std::int64_t start = a.integer("start");
  const std::vector<std::int64_t> corner{dim == 2 ? start : 0, dim == 3 ? start : 0};
  const StepAttrs attrs = dim == 1 ? StepAttrs{{"begin", start}} : StepAttrs{{"padding", corner}};
  e.forward(dim == 1 ? "slice" : "zero_pad2d_grad", {e.input()}, {e.output()}, attrs);
  if (e.needs_grad_of_input())
    e.backward(dim == 1 ? "slice_grad" : "zero_pad2d", {e.grad_of_output()}, {e.grad_of_input()}, attrs);
}

}  // namespace

extern const LayerType slice_layer{
    .name = "Slice",
    .group = "Shape",
    .stem = "slice",
    .summary = text(NW_TR("Takes a range of channels, rows or columns; several of them split an image.")),
    .onnx = "Slice",
    .fields = {choice_field("dim", text(NW_TR("Of")), "channels", {"channels", "rows", "columns"},
                            text(NW_TR("What the range counts."))),
               integer_field("start", text(NW_TR("From")), 0, 0, 1 << 20,
                             text(NW_TR("The first one that is taken; counted from 0."))),
               integer_field("end", text(NW_TR("To")), -1, -1, 1 << 20,
                             text(NW_TR("The first one that is not taken any more; -1: all up to the last.")))},
    .infer = infer,
    .lower = lower};

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Enlarges an image: (N,C,H,W) -> (N,C,H scale,W scale), by nearest-neighbour or bilinear interpolation (align_corners
// false), as torch.nn.Upsample.
#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const Shape& x = in[0];
  if (x.rank() != 4)
    return ShapeError{text(NW_TR("Needs an image, gets a vector of {0}"), to_string(x, true)), 0, {QuickFix::remove}};
  const auto [h, w] = a.pair("scale_factor");
  return Shape{x[0], x[1], x[2] * h, x[3] * w};
}

void lower(const Attrs& a, Emit& e) {
  const StepAttrs attrs{{"mode", a.choice("mode")}};
  e.forward("upsample", {e.input()}, {e.output()}, attrs);
  if (e.needs_grad_of_input()) e.backward("upsample_grad", {e.grad_of_output()}, {e.grad_of_input()}, attrs);
}

std::int64_t multiply_adds(const Attrs& a, std::span<const Shape>, const Shape& out) {
  return a.choice("mode") == "bilinear" ? 4 * out.per_sample() : 0;
}

}  // namespace

extern const LayerType upsample_layer{
    .name = "Upsample",
    .group = "Shape",
    .stem = "up",
    .summary = text(NW_TR("Enlarges an image by integer factors.")),
    .onnx = "Resize",
    .fields = {pair_field("scale_factor", text(NW_TR("Factor")), 2, 1, 32,
                          text(NW_TR("Factor by which height and width grow.")), ""),
               choice_field("mode", text(NW_TR("Method")), "nearest", {"nearest", "bilinear"},
                            text(NW_TR("nearest: repeats pixels; bilinear: blends neighbours.")))},
    .infer = infer,
    .lower = lower,
    .multiply_adds = multiply_adds};

}  // namespace nw

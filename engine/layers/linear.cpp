// SPDX-License-Identifier: Apache-2.0
// y = x w^T + b: (N,in) -> (N,out_features).
#include "engine/layers/weighted.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  if (in[0].rank() != 2)
    return ShapeError{text(NW_TR("Needs a vector, gets {0}"), to_string(in[0], true)),
                      0,
                      {QuickFix::insert_flatten, QuickFix::insert_global_avg_pool2d}};
  return Shape{in[0][0], a.integer("out_features")};
}

std::int64_t multiply_adds(const Attrs&, std::span<const Shape> in, const Shape& out) { return in[0][1] * out[1]; }
void lower(const Attrs&, Emit& e) { lower_weighted("linear", {}, e); }

}  // namespace

extern const LayerType linear_layer{.name = "Linear",
                                    .group = "Linear",
                                    .stem = "fc",
                                    .summary = text(NW_TR("Connects every input with every output.")),
                                    .onnx = "Gemm",
                                    .fields = {integer_field("out_features", text(NW_TR("Outputs")), 10, 1, 1 << 20,
                                                             text(NW_TR("How many numbers come out."))),
                                               boolean_field("bias", text(NW_TR("Bias")), true,
                                                             text(NW_TR("Adds one learned number to each output.")))},
                                    .infer = infer,
                                    .weights = linear_weights,
                                    .lower = lower,
                                    .multiply_adds = multiply_adds};

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Layers that leave values out while training. All are an ONNX Dropout, which passes everything in inference.
#include <algorithm>

#include "engine/exchange/operators/operator.hpp"

namespace nw {
namespace exchange {
namespace {

void write_share(LayerWriter& w, double share) {
  w.finish("Dropout", {w.input(), w.constant("p", floats({}, {static_cast<float>(share)}))});
}

Status write_dropout(LayerWriter& w) {
  write_share(w, w.attrs().real("p"));
  return {};
}

Status write_stochastic_depth(LayerWriter& w) {
  const Attrs& a = w.attrs();
  write_share(w, a.real("p") * static_cast<double>(a.integer("layer")) / static_cast<double>(a.integer("layers")));
  return {};
}

/// Sets the output to a Dropout of any form of value.
Text dropout_of(NodeReader& r, double p) {
  if (!r.value(0)) return text(NW_TR("its input is a constant"));
  Ref ref = *r.value(0);
  Text why = r.add("Dropout", {{"p", std::clamp(p, 0.0, 0.99)}}, {ref.layer}, ref.layer);
  if (why.empty()) r.is(ref);
  return why;
}

Text read_dropout(NodeReader& r) {
  double p = r.node().real("ratio", 0.5);
  if (r.opset() >= 12 && r.given(2) && scalar_of(r.constant(2)) != 0.0) return text(NW_TR("it is in training mode"));
  if (r.opset() >= 12 && r.given(1)) {
    const auto given = scalar_of(r.constant(1));
    if (!given) return text(NW_TR("its share is computed"));
    p = shortest(*given);
  }
  return dropout_of(r, p);
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile regularization_operators;
const exchange::OperatorFile regularization_operators{[] {
  using namespace exchange;
  return std::vector<OperatorMapping>{
      {"Dropout", {{"Dropout", 7}}, 13, write_dropout, read_dropout},
      {"Dropout2d", {}, 13, write_dropout, nullptr, true},
      {"StochasticDepth", {}, 13, write_stochastic_depth, nullptr, true},
  };
}()};

}  // namespace nw

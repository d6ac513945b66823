// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/import_onnx.hpp"
#include "tests/fuzz/readers/onnx_limits.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_onnx(Bytes bytes) {
  const auto model = onnx::parse_model(as_text(bytes), "input", nullptr, small_limits());
  if (!model) return {};
  const auto network = exchange::import_onnx(*model, "input", {.height = 4, .width = 4});
  if (!network) return {};
  const auto flat = flatten(network->doc, {.training = false, .batch = 1});
  if (!network->opaque.empty()) return {true, flat ? "an operator that no layer is made of is computed" : ""};
  if (!flat) return {true, "an imported network has an error: " + flat.error().str()};
  for (const FlatLayer& layer : flat->layers)
    for (const Weight& w : layer.weights) {
      const auto it = network->weights.find(layer.name + "." + w.name);
      if (w.shape.rank() > 0 && (it == network->weights.end() || std::ssize(it->second.values) != w.shape.elements()))
        return {true, "an imported layer has no weights"};
    }
  return {true, {}};
}

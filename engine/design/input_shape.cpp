// SPDX-License-Identifier: Apache-2.0
#include "engine/design/input_shape.hpp"

#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

std::int64_t integer_of(const Node& node, const Field& field) {
  const auto own = node.attrs.find(field.name);
  const Attr& value = own == node.attrs.end() ? field.otherwise : own->second;
  const auto* number = std::get_if<std::int64_t>(&value);
  return number ? *number : 0;
}

}  // namespace

std::optional<Shape> input_shape(const GraphDoc& doc) {
  const Node* input = nullptr;
  for (const auto& [id, node] : doc.graph().nodes) {
    if (node.type != "Input") continue;
    if (input) return std::nullopt;
    input = &node;
  }
  if (!input) return std::nullopt;
  Shape shape{1, 0, 0, 0};
  const LayerType& type = *find_layer("Input");
  for (std::size_t i = 0; i < type.fields.size() && i < 3; ++i)
    shape[static_cast<int>(i) + 1] = integer_of(*input, type.fields[i]);
  return shape;
}

}  // namespace nw

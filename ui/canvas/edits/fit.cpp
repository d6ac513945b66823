// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/edits/fit.hpp"

#include <QCoreApplication>

#include "engine/design/layer_type.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/scene/node_text.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// Attributes with defaults; nullopt if one is an expression (only the whole block determines its value).
std::optional<Attrs> filled(const LayerType& type, const AttrMap& own) {
  AttrMap all;
  for (const Field& field : type.fields) {
    const auto found = own.find(field.name);
    const Attr& value = found == own.end() ? field.otherwise : found->second;
    const bool words = field.kind == Field::Kind::choice || field.kind == Field::Kind::text;
    if (std::holds_alternative<std::string>(value) && !words) return std::nullopt;
    if (field.kind == Field::Kind::pair && !std::holds_alternative<std::vector<std::int64_t>>(value))
      return std::nullopt;
    all[field.name] = value;
  }
  return Attrs(std::move(all));
}

Shape outputOf(const GraphScene& scene, NodeId id) {
  const NodeInfo* facts = scene.facts(id);
  return facts ? facts->output : Shape();
}

/// Shapes at the inputs of `c.to` after `c` is added.
std::vector<Shape> inputsWith(const GraphScene& scene, const Connection& c) {
  std::map<int, Shape> byPort;
  for (const Connection& other : scene.index().inputsOf(c.to))
    if (other.to_port != c.to_port) byPort[other.to_port] = outputOf(scene, other.from);
  byPort[c.to_port] = outputOf(scene, c.from);
  std::vector<Shape> shapes;
  for (const auto& [port, shape] : byPort) shapes.push_back(shape);
  return shapes;
}

}  // namespace

Fit fitOf(const LayerType& type, const AttrMap& own, std::span<const Shape> inputs) {
  for (const Shape& s : inputs)
    if (s.rank() == 0) return {};
  const std::optional<Attrs> attrs = filled(type, own);
  if (!attrs || !type.infer || (type.inputs > 0 && inputs.size() < static_cast<std::size_t>(type.inputs))) return {};
  const Inferred<Shape> result = type.infer(*attrs, inputs);
  if (const auto* shape_error = std::get_if<ShapeError>(&result))
    return {Fit::Answer::wrong, translated(shape_error->what), {}};
  return {Fit::Answer::fits, {}, std::get<Shape>(result)};
}

Fit fitOf(const GraphScene& scene, const Connection& c) {
  return fitOf(scene, c, upstream(scene.graph(), c.from).contains(c.to));
}

Fit fitOf(const GraphScene& scene, const Connection& c, bool ring) {
  if (ring)
    return {Fit::Answer::impossible, QCoreApplication::translate("canvas", "The connection would form a cycle"), {}};
  const Node& node = scene.graph().nodes.at(c.to);
  const LayerType* type = find_layer(node.type);
  if (!type || node.bypassed) return {};
  const std::vector<Shape> inputs = inputsWith(scene, c);
  return fitOf(*type, node.attrs, inputs);
}

Fit fitOf(const GraphScene& scene, const QString& id, const PortRef& port) {
  const Node node = nodeFor(id);
  const LayerType* type = find_layer(node.type);
  if (node.type == "Block" || !type) return {};
  if (!port.output) return type->outputs > 0 ? Fit{} : Fit{Fit::Answer::impossible, {}, {}};
  if (type->inputs == 0) return {Fit::Answer::impossible, {}, {}};
  const std::vector<Shape> inputs(1, outputOf(scene, port.node));
  return fitOf(*type, node.attrs, inputs);
}

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/node_text.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <set>

#include "engine/design/opaque.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

NodeState stateOf(const Node& node, const NodeText& look, const NodeInfo* facts,
                  const std::vector<const Problem*>& problems, const NodeEnds& ends) {
  for (const Problem* p : problems)
    if (p->severity == Severity::error) return NodeState::error;
  if (!problems.empty() && problems.front()->severity == Severity::warning) return NodeState::warning;
  const int wanted = look.inputs == 0 ? 0 : isVariadic(node.type) ? 1 : look.inputs;
  const bool connected = static_cast<int>(ends.inputs.size()) >= wanted && (look.outputs == 0 || ends.followed);
  return connected && facts && facts->output.rank() > 0 ? NodeState::fine : NodeState::open;
}

int blockPorts(const GraphDoc& doc, const Node& node, const char* kind) {
  const auto attr = node.attrs.find("block");
  if (attr == node.attrs.end() || !std::holds_alternative<std::string>(attr->second)) return 1;
  const auto block = doc.blocks().find(std::get<std::string>(attr->second));
  if (block == doc.blocks().end()) return 1;
  const auto& nodes = block->second.graph.nodes;
  return static_cast<int>(
      std::count_if(nodes.begin(), nodes.end(), [kind](const auto& n) { return n.second.type == kind; }));
}

int repeatOf(const Node& node) {
  const auto attr = node.attrs.find("repeat");
  if (attr == node.attrs.end() || !std::holds_alternative<std::int64_t>(attr->second)) return 1;
  return static_cast<int>(std::get<std::int64_t>(attr->second));
}

QString blockName(const Node& node) {
  const auto attr = node.attrs.find("block");
  return attr != node.attrs.end() && std::holds_alternative<std::string>(attr->second)
             ? QString::fromStdString(std::get<std::string>(attr->second))
             : QString();
}

/// Of an opaque node, from the file.
QString operatorName(const Node& node) {
  const std::string name = opaque_word(node, "operator");
  return QString::fromStdString(name.empty() ? node.type : name);
}

}  // namespace

QString groupOf(const Node& node) {
  if (node.type == "Block") return QStringLiteral("Shape");
  if (node.type == "BlockInput" || node.type == "BlockOutput") return QStringLiteral("Input");
  const LayerType* type = find_layer(node.type);
  return type ? QString::fromUtf8(type->group.data(), static_cast<int>(type->group.size())) : QString();
}

bool isCompactByNature(const std::string& type) {
  if (type == "BlockInput" || type == "BlockOutput") return true;
  const LayerType* layer = find_layer(type);
  if (!layer) return false;
  static const std::set<std::string_view> elementWise = {"Normalization", "Activation", "Regularization", "Shape"};
  return elementWise.contains(layer->group);
}

bool isDot(const Node& node) { return node.type == "Identity" && node.collapsed; }

bool isVariadic(const std::string& type) {
  const LayerType* layer = find_layer(type);
  return layer && layer->inputs < 0;
}

int inputPorts(const GraphDoc& doc, const std::string& scope, NodeId id) {
  const Graph& graph = doc.graph(scope);
  const Node& node = graph.nodes.at(id);
  if (node.type == "Block") return blockPorts(doc, node, "BlockInput");
  if (node.type == "BlockInput") return 0;
  if (node.type == "BlockOutput") return 1;
  const LayerType* layer = find_layer(node.type);
  if (!layer) return 1;
  if (layer->inputs >= 0) return layer->inputs;
  int used = 0;
  for (const Connection& c : graph.connections)
    if (c.to == id) used = std::max(used, c.to_port + 1);
  return std::max(layer->refusal ? 1 : 2, used);
}

int outputPorts(const GraphDoc& doc, const std::string& scope, NodeId id) {
  const Node& node = doc.graph(scope).nodes.at(id);
  if (node.type == "Block") return blockPorts(doc, node, "BlockOutput");
  if (node.type == "BlockOutput") return 0;
  const LayerType* layer = find_layer(node.type);
  return layer ? layer->outputs : 1;
}

QString shapeText(const Shape& shape) {
  return shape.rank() > 0 ? QString::fromStdString(to_string(shape, true)) : QString();
}

NodeText makeNodeText(const GraphDoc& doc, const std::string& scope, NodeId id, const NodeInfo* facts,
                      const std::vector<const Problem*>& problems, const NodeEnds& ends) {
  const Node& node = doc.graph(scope).nodes.at(id);
  NodeText look;
  look.block = node.type == "Block";
  look.type = QString::fromStdString(node.type);
  look.opaque = node.type == opaque_type;
  look.title = look.block ? blockName(node) : look.opaque ? operatorName(node) : look.type;
  look.group = groupOf(node);
  look.icon = layerIcon(look.type, look.group);
  look.name = QString::fromStdString(node.name);
  look.settings = settingsLine(doc, node, facts);
  look.bypassed = node.bypassed;
  look.frozen = node.frozen || node.frozen_epochs > 0;
  look.compact = node.collapsed || isCompactByNature(node.type);
  look.dot = isDot(node);
  look.inputs = isVariadic(node.type) ? std::max(look.opaque ? 1 : 2, ends.inputs.empty() ? 0 : ends.inputs.back() + 1)
                                      : inputPorts(doc, scope, id);
  look.outputs = outputPorts(doc, scope, id);
  look.repeat = look.block ? repeatOf(node) : 1;
  look.state = stateOf(node, look, facts, problems, ends);
  if (!problems.empty() && look.state != NodeState::open && look.state != NodeState::fine) {
    look.problem = translated(problems.front()->what);
    for (const Fix& fix : problems.front()->fixes) look.fixes << translated(fix.label);
  }
  const LayerType* layer = find_layer(node.type);
  const bool learns = look.block || (layer && layer->weights);
  if (learns && facts && facts->parameters > 0) look.count = rounded(static_cast<double>(facts->parameters));
  if (learns && look.count.isEmpty() && look.state == NodeState::error) look.count = QStringLiteral("?");
  return look;
}

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of a node, computed once per change of document or analysis and not while painting.
#pragma once
#include <QString>
#include <QStringList>
#include <vector>

#include "engine/compile/compile.hpp"
#include "engine/design/layer_type.hpp"

namespace nw::ui {

enum class NodeState : quint8 { open, fine, warning, error };  // open: not connected yet, no badge

struct NodeText {
  QString type, title, group, icon, name;
  QString settings;   // second line: "16 filters · 5×5 · pad 2"
  QString count;      // "2.4 k"; empty: no parameters; "?": unknown because of a problem
  QString problem;    // sentence of the worst problem
  QStringList fixes;  // labels of its quick fixes
  NodeState state = NodeState::open;
  bool compact = false, bypassed = false, frozen = false, block = false, dot = false;
  bool opaque = false;  // stands for an operator that is not computed
  int inputs = 1, outputs = 1, repeat = 1;
  bool operator==(const NodeText&) const = default;
};

/// The connected ports of a node.
struct NodeEnds {
  std::vector<int> inputs;  // connected input ports, ascending
  bool followed = false;    // an output is connected
};
/// `problems`: this node's problems, worst first. `facts`: null while unknown.
NodeText makeNodeText(const GraphDoc&, const std::string& scope, NodeId, const NodeInfo* facts,
                      const std::vector<const Problem*>& problems, const NodeEnds& ends);

/// "16 filters · 5×5 · pad 2": values that differ from the default, and the essential ones.
QString settingsLine(const GraphDoc&, const Node&, const NodeInfo* facts);
/// "16×10×10"; "10"; empty when unknown.
QString shapeText(const Shape&);
/// The value as displayed text: "5×5", "0.5", "on".
QString attrText(const Attr&);

/// The group that colours a node: of its layer, or "Block" and "Input" for the parts of blocks.
QString groupOf(const Node&);
bool isCompactByNature(const std::string& type);
/// Whether the node is drawn as a dot on a connection instead of a box.
bool isDot(const Node&);
/// Ports as drawn. Layers with any number of inputs show one more than are connected, at least two.
int inputPorts(const GraphDoc&, const std::string& scope, NodeId);
int outputPorts(const GraphDoc&, const std::string& scope, NodeId);
bool isVariadic(const std::string& type);

}  // namespace nw::ui

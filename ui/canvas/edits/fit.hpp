// SPDX-License-Identifier: GPL-3.0-or-later
// Does it fit? Asked for every port while a wire is drawn and for every row of the add list. Knows shapes, runs
// nothing.
#pragma once
#include <QString>
#include <set>
#include <span>

#include "engine/design/layer_type.hpp"
#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

struct Fit {
  enum class Answer : quint8 { fits, wrong, impossible };  // wrong: can be connected and is then marked
  Answer answer = Answer::fits;
  QString why;   // when it does not fit
  Shape output;  // rank 0: not known
};

Fit fitOf(const LayerType&, const AttrMap& attrs, std::span<const Shape> inputs);
/// `c` drawn now, in place of what feeds that input.
Fit fitOf(const GraphScene&, const Connection& c);
/// The same for many connections that share one end: `ring` knows which other ends would close a ring.
Fit fitOf(const GraphScene&, const Connection& c, bool ring);
/// A new node of what the palette calls `id`, hung on `port`.
Fit fitOf(const GraphScene&, const QString& id, const PortRef& port);
/// Nodes whose signal reaches `node`, itself included: connecting `node` into one of them would be a ring.
std::set<NodeId> upstream(const Graph&, NodeId node);
std::set<NodeId> downstream(const Graph&, NodeId node);

}  // namespace nw::ui

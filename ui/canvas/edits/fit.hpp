// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a connection or a new layer would fit: checked for every port while a connection is drawn and for every row
// of the add list. Uses shape inference only; nothing is executed.
#pragma once
#include <QString>
#include <set>
#include <span>

#include "engine/design/layer_type.hpp"
#include "engine/design/rewire.hpp"
#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

struct Fit {
  enum class Answer : quint8 { fits, wrong, impossible };  // wrong: can be connected, but causes a problem
  Answer answer = Answer::fits;
  QString why;   // when it does not fit
  Shape output;  // rank 0: not known
};

Fit fitOf(const LayerType&, const AttrMap& attrs, std::span<const Shape> inputs);
/// Whether `c` fits if it replaces the connection to that input.
Fit fitOf(const GraphScene&, const Connection& c);
/// The same for many connections that share one end; `ring`: the other end would close a cycle.
Fit fitOf(const GraphScene&, const Connection& c, bool ring);
/// Whether a new node of palette id `id` fits when it is connected to `port`.
Fit fitOf(const GraphScene&, const QString& id, const PortRef& port);

}  // namespace nw::ui

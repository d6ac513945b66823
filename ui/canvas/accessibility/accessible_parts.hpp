// SPDX-License-Identifier: GPL-3.0-or-later
// The accessible objects of one canvas: layers with their ports as children, then the connections. The object of a part
// is created when assistive technology first requests it.
#pragma once
#include <QAccessible>
#include <QPointer>
#include <map>
#include <optional>
#include <variant>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {

using CanvasPart = std::variant<NodeId, PortRef, Connection>;

class AccessibleParts {
 public:
  explicit AccessibleParts(GraphView& view) : view_(&view) {}
  ~AccessibleParts();
  GraphView* view() const { return view_; }
  GraphScene* scene() const { return view_ ? &view_->graph() : nullptr; }
  bool hasPart(const CanvasPart& part) const;
  QAccessibleInterface* of(const CanvasPart& part);
  std::optional<CanvasPart> partOf(const QAccessibleInterface* voice) const;
  /// Layers in reading order, then the connections between them.
  const std::vector<CanvasPart>& parts();
  int indexOf(const CanvasPart& part);
  /// Ports of a layer: inputs, then outputs.
  std::vector<CanvasPart> portsOf(NodeId node) const;
  /// Invalidates the objects of removed parts and announces added ones.
  void followContent();
  /// Remembers the port as the start of a connection, or connects it to the port pressed before.
  void press(const PortRef& port);

 private:
  void announce(const CanvasPart& part, QAccessible::Event event);
  QPointer<GraphView> view_;
  std::map<CanvasPart, QAccessible::Id> accessibles_;
  std::map<QAccessible::Id, CanvasPart> accessibleOf_;
  std::vector<CanvasPart> parts_;
  std::map<CanvasPart, int> places_;
  bool stale_ = true;
  std::optional<PortRef> taken_;
};

/// The accessible object of the part; `voices` must outlive it.
QAccessibleInterface* makeAccessible(AccessibleParts& voices, const CanvasPart& part);

}  // namespace nw::ui

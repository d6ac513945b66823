// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/accessibility/accessible_canvas.hpp"

#include <QAccessibleWidget>
#include <array>

#include "ui/canvas/accessibility/accessible_parts.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/hit_test.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"

namespace nw::ui {
namespace {

class AccessibleCanvas final : public QAccessibleWidget {
 public:
  explicit AccessibleCanvas(GraphView* view)
      : QAccessibleWidget(view, QAccessible::List, view->accessibleName()), accessibles_(*view) {
    // Reset here: a scene destroyed while this object waits for its deletion must not be accessed again.
    GraphScene* scene = &view->graph();
    connections_ = {
        QObject::connect(scene, &GraphScene::selectionUpdated, view, [this] { announceFocus(); }),
        QObject::connect(scene, &GraphScene::contentChanged, view, [this] { accessibles_.followContent(); }),
        QObject::connect(scene, &GraphScene::scopeChanged, view, [this] { accessibles_.followContent(); })};
  }
  ~AccessibleCanvas() override {
    for (const auto& connection : connections_) QObject::disconnect(connection);
  }
  int childCount() const override { return view() ? static_cast<int>(accessibles_.parts().size()) : 0; }
  QAccessibleInterface* child(int index) const override {
    return index >= 0 && index < childCount() ? accessibles_.of(accessibles_.parts()[static_cast<std::size_t>(index)])
                                              : nullptr;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    const std::optional<CanvasPart> part = accessibles_.partOf(child);
    return part && view() ? accessibles_.indexOf(*part) : -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    if (!view()) return nullptr;
    const QPointF at = view()->mapToScene(view()->viewport()->mapFromGlobal(QPoint(x, y)));
    if (const NodeItem* item = nodeAt(view()->graph(), at)) return accessibles_.of(item->id());
    const ConnectionItem* wire = connectionAt(view()->graph(), at, card::connectionReach);
    return wire ? accessibles_.of(wire->connection()) : nullptr;
  }
  QAccessibleInterface* focusChild() const override {
    const std::optional<CanvasPart> part = focused();
    return part ? accessibles_.of(*part) : nullptr;
  }

 private:
  GraphView* view() const { return accessibles_.view(); }
  std::optional<CanvasPart> focused() const {
    if (!view()) return {};
    const GraphScene& scene = view()->graph();
    if (scene.selection().current()) return CanvasPart(scene.selection().current());
    const std::vector<Connection> wires = scene.selection().connections();
    return wires.size() == 1 ? std::optional<CanvasPart>(wires.front()) : std::nullopt;
  }
  void announceFocus() const {
    if (!QAccessible::isActive()) return;
    QAccessibleInterface* part = focusChild();
    if (!part) return;
    QAccessibleEvent event(part, QAccessible::Focus);
    QAccessible::updateAccessibility(&event);
  }
  mutable AccessibleParts accessibles_;
  std::array<QMetaObject::Connection, 3> connections_;
};

QAccessibleInterface* make(const QString&, QObject* object) {
  auto* view = qobject_cast<GraphView*>(object);
  return view ? new AccessibleCanvas(view) : nullptr;
}

}  // namespace

void installCanvasAccessibility() {
  static const bool once = [] {
    QAccessible::installFactory(make);
    return true;
  }();
  (void)once;
}

}  // namespace nw::ui

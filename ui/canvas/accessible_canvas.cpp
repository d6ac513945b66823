// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/accessible_canvas.hpp"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>
#include <map>

#include "ui/canvas/graph_view.hpp"
#include "ui/canvas/node_item.hpp"

namespace nw::ui {
namespace {

class NodeVoice final : public QAccessibleInterface {
 public:
  NodeVoice(GraphView& view, NodeId id) : view_(&view), id_(id) {}
  bool isValid() const override { return item() != nullptr; }
  QObject* object() const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(view_.data()); }
  QAccessibleInterface* child(int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  void setText(QAccessible::Text, const QString&) override {}
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  QString text(QAccessible::Text kind) const override {
    if (!item()) return {};
    const auto& all = view_->graph().nodes();
    if (kind == QAccessible::Description) return item()->look().settings;
    if (kind != QAccessible::Name) return {};
    return item()->spoken(static_cast<int>(std::distance(all.begin(), all.find(id_))) + 1, static_cast<int>(all.size()));
  }
  QRect rect() const override {
    if (!item()) return {};
    const QRect inView = view_->mapFromScene(item()->outline()).boundingRect();
    return {view_->viewport()->mapToGlobal(inView.topLeft()), inView.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State s;
    s.focusable = s.selectable = true;
    s.selected = item() && item()->isSelected();
    s.focused = view_ && view_->graph().current() == id_ && view_->hasFocus();
    return s;
  }

 private:
  const NodeItem* item() const { return view_ ? view_->graph().node(id_) : nullptr; }
  QPointer<GraphView> view_;
  NodeId id_;
};

class CanvasVoice final : public QAccessibleWidget {
 public:
  explicit CanvasVoice(GraphView* view) : QAccessibleWidget(view, QAccessible::List, view->accessibleName()) {
    // A scene that goes while this waits for its own deletion must not be asked again.
    connection_ = QObject::connect(&view->graph(), &QGraphicsScene::selectionChanged, view, [this, view] { announce(*view); });
  }
  ~CanvasVoice() override {
    QObject::disconnect(connection_);
    for (const auto& [id, voice] : voices_) QAccessible::deleteAccessibleInterface(voice);
  }
  int childCount() const override { return view() ? static_cast<int>(view()->graph().nodes().size()) : 0; }
  QAccessibleInterface* child(int index) const override {
    if (!view() || index < 0 || index >= childCount()) return nullptr;
    return voice(std::next(view()->graph().nodes().begin(), index)->first);
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    for (int i = 0; i < childCount(); ++i)
      if (this->child(i) == child) return i;
    return -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    if (!view()) return nullptr;
    const NodeItem* item = view()->graph().nodeAt(view()->mapToScene(view()->viewport()->mapFromGlobal(QPoint(x, y))));
    return item ? voice(item->id()) : nullptr;
  }
  QAccessibleInterface* focusChild() const override {
    return view() && view()->graph().current() ? voice(view()->graph().current()) : nullptr;
  }

 private:
  GraphView* view() const { return qobject_cast<GraphView*>(widget()); }
  QAccessibleInterface* voice(NodeId id) const {
    const auto known = voices_.find(id);
    if (known != voices_.end()) return QAccessible::accessibleInterface(known->second);
    auto* made = new NodeVoice(*view(), id);
    voices_[id] = QAccessible::registerAccessibleInterface(made);
    return made;
  }
  void announce(GraphView& view) const {
    if (!view.graph().current() || !QAccessible::isActive()) return;
    QAccessibleEvent event(voice(view.graph().current()), QAccessible::Focus);
    QAccessible::updateAccessibility(&event);
  }
  mutable std::map<NodeId, QAccessible::Id> voices_;
  QMetaObject::Connection connection_;
};

QAccessibleInterface* make(const QString&, QObject* object) {
  auto* view = qobject_cast<GraphView*>(object);
  return view ? new CanvasVoice(view) : nullptr;
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

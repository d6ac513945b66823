// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/outline_tree.hpp"

#include <QKeyEvent>

#include "ui/canvas/canvas.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/reading_order.hpp"
#include "ui/design/layer_rows.hpp"

namespace nw::ui {

OutlineTree::OutlineTree(Canvas& canvas, QWidget* parent) : QTreeWidget(parent), canvas_(canvas) {
  prepareTree(*this, QStringLiteral("outline"), tr("Outline of the network"));
  setSelectionMode(ExtendedSelection);
  GraphScene& scene = canvas_.scene();
  connect(&scene, &GraphScene::contentChanged, this, &OutlineTree::fillSoon);
  connect(&scene, &GraphScene::lookChanged, this, &OutlineTree::fillSoon);
  connect(&scene, &GraphScene::selectionUpdated, this, &OutlineTree::followSelection);
  connect(this, &QTreeWidget::itemSelectionChanged, this, [this] {
    if (filling_) return;
    std::vector<NodeId> chosen;
    for (const QTreeWidgetItem* row : selectedItems()) chosen.push_back(row->data(0, rowId).toLongLong());
    filling_ = true;
    canvas_.scene().selection().selectOnly(chosen);
    if (!chosen.empty()) canvas_.view().camera().reveal(chosen.back());
    filling_ = false;
  });
  connect(this, &QTreeWidget::itemDoubleClicked, this,
          [this](QTreeWidgetItem* row) { enterBlock(canvas_.scene(), row->data(0, rowId).toLongLong()); });
  fill();
}

void OutlineTree::setFilter(const QString& text) {
  filter_ = text.trimmed();
  fill();
}

/// Consecutive changes rebuild the list once, and only while it is visible.
void OutlineTree::fillSoon() {
  stale_ = true;
  if (!isVisible() || std::exchange(pending_, true)) return;
  QMetaObject::invokeMethod(this, &OutlineTree::fill, Qt::QueuedConnection);
}

void OutlineTree::showEvent(QShowEvent* event) {
  if (stale_) fill();
  QTreeWidget::showEvent(event);
}

void OutlineTree::fill() {
  pending_ = stale_ = false;
  filling_ = true;
  clear();
  const GraphScene& scene = canvas_.scene();
  for (const NodeId id : readingOrder(scene.graph())) {
    const NodeItem* item = scene.elements().node(id);
    if (!item) continue;
    const NodeText& look = item->look();
    const NodeInfo* facts = scene.facts(id);
    const QString shape = facts ? shapeText(facts->output) : QString();
    // key names of the platform
    const QString known = look.name + ' ' + look.title + ' ' + shape + ' ' + QString(shape).replace(QChar(0xd7), 'x');
    if (!filter_.isEmpty() && !known.contains(filter_, Qt::CaseInsensitive)) continue;
    QTreeWidgetItem* row = layerRow(QString::number(id), look.name, look.group, look.icon);
    row->setData(0, rowMuted, shape.isEmpty() ? look.title : shape);
    row->setData(0, rowSeverity,
                 look.state == NodeState::error     ? "error"
                 : look.state == NodeState::warning ? "warn"
                                                    : "");
    row->setData(0, Qt::AccessibleTextRole,
                 item->spoken(topLevelItemCount() + 1, static_cast<int>(scene.elements().nodes().size())));
    addTopLevelItem(row);
  }
  filling_ = false;
  followSelection();
}

void OutlineTree::followSelection() {
  if (filling_) return;
  filling_ = true;
  for (int i = 0; i < topLevelItemCount(); ++i) {
    QTreeWidgetItem* row = topLevelItem(i);
    const NodeId id = row->data(0, rowId).toLongLong();
    const NodeItem* item = canvas_.scene().elements().node(id);
    row->setSelected(item && item->isSelected());
    if (id == canvas_.scene().selection().current()) scrollToItem(row);
  }
  filling_ = false;
}

void OutlineTree::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && canvas_.scene().selection().current()) return Q_EMIT canvas_.scene().inspectorWanted();
  QTreeWidget::keyPressEvent(event);
}

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Rows with a layer's tile, as palette, blocks and outline show them.
#pragma once
#include <QStyledItemDelegate>
#include <QTreeWidget>

namespace nw::ui {

enum LayerRowRole {
  rowId = Qt::UserRole,
  rowGroup,
  rowIcon,
  rowMuted,
  rowSeverity,
  rowNote
};  // rowSeverity: "error", "warn" or empty

class LayerRowPainter : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override;
  void paint(QPainter*, const QStyleOptionViewItem&, const QModelIndex&) const override;
};

/// A row's texts elided to `room` pixels; a note is left out if not even two letters fit.
struct LayerWords {
  QString name, note;
  qreal nameWidth = 0;
};
LayerWords layerWords(const QString& name, const QString& note, qreal room);

/// Common setup of the three trees: no frame, no header, custom rows, the canvas's keys are not handled.
void prepareTree(QTreeWidget& tree, const QString& objectName, const QString& accessibleName);
/// The layer's name in the window's language ("二维卷积"); empty if it equals the layer type.
QString layerNote(const QString& type);
QTreeWidgetItem* layerRow(const QString& id, const QString& text, const QString& group, const QString& icon);

}  // namespace nw::ui

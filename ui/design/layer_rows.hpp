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

/// A row's words as they fit into `room` pixels: what is too long ends in "…"; a note with no room for a letter or two
/// is left out.
struct LayerWords {
  QString name, note;
  qreal nameWidth = 0;
};
LayerWords layerWords(const QString& name, const QString& note, qreal room);

/// What the three trees share: no frame, no header, rows of their own, the canvas's keys left alone.
void prepareTree(QTreeWidget& tree, const QString& objectName, const QString& accessibleName);
/// The layer's name in the window's language ("二维卷积"); empty where that is the name it has everywhere.
QString layerNote(const QString& type);
QTreeWidgetItem* layerRow(const QString& id, const QString& text, const QString& group, const QString& icon);

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStyledItemDelegate>

namespace nw::ui {

/// Cells of a table with a bar behind the number that says how large it is beside the others of its column.
class ShareBars : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  static constexpr int shareRole = Qt::UserRole + 1;   // double, 0 to 1; missing: no bar
  static constexpr int accentRole = Qt::UserRole + 2;  // bool: bar and text in the accent's colour
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the table of runs: headers of groups, and cells: line key, status, accuracy with its bar, curve. GUI thread.
#pragma once
#include <QStyledItemDelegate>

#include "ui/runs/run_filter.hpp"

namespace nw::ui {

class RunDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  RunDelegate(const RunModel& model, const RunFilter& filter, QObject* parent);
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override;
  void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  /// What is being typed stays when the runs are read again.
  void setEditorData(QWidget* editor, const QModelIndex& index) const override;

 protected:
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

 private:
  void paintKey(QPainter& p, const QRectF& cell, const RunRow& row) const;
  static void paintName(QPainter& p, const QRectF& cell, const RunRow& row, int depth, bool isPinned);
  void paintHeader(QPainter& p, const QStyleOptionViewItem& option, const QModelIndex& index) const;
  void paintAccuracy(QPainter& p, const QRectF& cell, const RunRow& row) const;
  void paintCurve(QPainter& p, const QRectF& cell, const RunRow& row) const;
  QColor colour(const RunRow& row) const;
  const RunModel& model_;
  const RunFilter& filter_;
};

}  // namespace nw::ui

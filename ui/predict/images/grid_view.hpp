// SPDX-License-Identifier: GPL-3.0-or-later
// The grid of images: sections with headings, only what is visible is drawn or fetched. Arrow keys move, Enter opens.
#pragma once
#include <QAbstractItemView>

#include "ui/predict/images/grid_model.hpp"

namespace nw::ui {

class GridView : public QAbstractItemView {
  Q_OBJECT
 public:
  explicit GridView(GridModel& model, QWidget* parent = nullptr);
  QRect visualRect(const QModelIndex& index) const override;
  void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
  QModelIndex indexAt(const QPoint& point) const override;
  int columns() const;

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void reset() override;
  void changeEvent(QEvent*) override;
  QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers) override;
  int horizontalOffset() const override { return 0; }
  int verticalOffset() const override;
  bool isIndexHidden(const QModelIndex&) const override { return false; }
  void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags) override;
  QRegion visualRegionForSelection(const QItemSelection& selection) const override;

 private:
  struct Block {
    int section = 0, top = 0, height = 0;
  };  // in content coordinates, heading included
  void relayout();
  int cellWidth() const;
  QRect cellRect(int row) const;  // in content coordinates
  int rowAt(const QPoint& content) const;
  void paintHeading(QPainter& p, const Block& block, int offset) const;
  void paintCell(QPainter& p, int row, const QRect& where) const;

  GridModel& grid_;
  std::vector<Block> blocks_;
};

}  // namespace nw::ui

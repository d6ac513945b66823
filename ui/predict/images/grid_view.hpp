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
  /// The blocks of the model's present sections. Computed on demand: a reader may run before reset() does, because
  /// the order in which the model's listeners are called is not ours.
  const std::vector<Block>& blocks() const;
  void updateScrollBar();
  int cellWidth() const;
  QRect cellRect(int row) const;  // in content coordinates
  int rowAt(const QPoint& content) const;
  void paintHeading(QPainter& p, const Block& block, int offset) const;
  void paintCell(QPainter& p, int row, const QRect& where) const;

  struct Layout {
    std::uint64_t generation = ~std::uint64_t{0};  // of the model, when the blocks were computed
    int columns = 0, cell = 0;
    std::vector<Block> blocks;
  };

  GridModel& grid_;
  mutable Layout layout_;
};

}  // namespace nw::ui

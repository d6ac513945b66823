// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs, whose pinned columns stay at the left and whose pinned lines stay at the top while the others
// scroll: further views of them lie over the first as soon as it is scrolled, with the same selection. GUI thread.
#pragma once
#include <QSet>
#include <QTableView>
#include <functional>

namespace nw::ui {

class RunsView : public QTableView {
  Q_OBJECT
 public:
  /// Each part has a delegate of its own: an editor belongs to one view.
  RunsView(QAbstractItemModel& lines, const std::function<QAbstractItemDelegate*()>& cells, QWidget* parent = nullptr);
  /// Columns of the model. They must be the first ones on the screen.
  void setPinned(const QSet<int>& columns);
  /// How many lines stay at the top: the first ones of the model. They scroll where they would fill half of the table.
  void setPinnedLines(std::function<int()> count);
  /// Shown while the table is scrolled to the right.
  QTableView& pinnedPart() { return *pinned_; }
  /// Shown while the table is scrolled down.
  QTableView& topPart() { return *top_; }
  /// The table and all parts that lie over it.
  QVector<QTableView*> parts() { return {this, pinned_, top_, corner_}; }
  void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
  /// Lets a cell be edited where it can be seen.
  void editCell(const QModelIndex& index);

 protected:
  void updateGeometries() override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  static void lookAlike(QTableView& view);
  void connectParts();
  void sortBy(int column);
  void follow();
  void followColumns();
  void followLines();
  int pinnedWidth() const;
  int topHeight() const;
  QTableView* partOf(const QModelIndex& index);
  QTableView *pinned_, *top_, *corner_;
  QWidget *edge_, *lowerEdge_;
  std::function<int()> lines_;
  QSet<int> columns_;
  bool following_ = false;
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs, whose pinned columns stay at the left while the others scroll: a second view of them lies over the
// first as soon as it is scrolled, with the same selection. GUI thread.
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
  /// Shown while the table is scrolled to the right.
  QTableView& pinnedPart() { return *pinned_; }
  void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
  /// Lets a cell be edited where it can be seen.
  void editCell(const QModelIndex& index);

 protected:
  void updateGeometries() override;

 private:
  static void lookAlike(QTableView& view);
  void connectParts();
  void sortBy(int column);
  void follow();
  int pinnedWidth() const;
  QTableView* pinned_;
  QWidget* edge_;
  QSet<int> columns_;
  bool following_ = false;
};

}  // namespace nw::ui

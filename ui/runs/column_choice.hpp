// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns the table of runs shows, in which order and width, and by which it is sorted; kept for the next start.
// GUI thread.
#pragma once
#include <QObject>
#include <QTimer>

class QTableView;

namespace nw::ui {

class ColumnChoice : public QObject {
  Q_OBJECT
 public:
  /// The table's model has runColumns().
  explicit ColumnChoice(QTableView& table);
  bool isShown(int column) const;
  void show(int column, bool on);
  void reset();  // as at the first start
  /// A check mark for each column; the line's key and name stay.
  void openMenu(const QPoint& globalPlace);
  void save();

 private:
  void restore();
  void moveTo(int column, int place);
  int usualWidth(int column) const;
  QTableView& table_;
  QTimer timer_;
};

}  // namespace nw::ui

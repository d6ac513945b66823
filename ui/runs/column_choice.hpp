// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns the table of runs shows, in which order and width, and by which it is sorted; kept for the next start.
// GUI thread.
#pragma once
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <functional>

class QMenu;
class QTableView;

namespace nw::ui {

/// Columns in the order of the screen as "id/width/shown", and "id/ascending" of the order. Ids may contain "/".
struct TableState {
  QStringList columns;
  QString sort;
  bool operator==(const TableState&) const = default;
};

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
  TableState state() const;
  void apply(const TableState& state);
  /// Nothing that changes meanwhile is saved.
  void keepQuiet(const std::function<void()>& change);

 Q_SIGNALS:
  /// The menu may take further entries.
  void menuAboutToShow(QMenu* menu);

 private:
  void moveTo(int column, int place);
  int usualWidth(int column) const;
  QTableView& table_;
  QTimer timer_;
  bool quiet_ = false;
};

}  // namespace nw::ui

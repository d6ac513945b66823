// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns the table of runs shows, in which order and width, and by which it is sorted; kept for the next start.
// GUI thread.
#pragma once
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QTimer>
#include <functional>

class QMenu;

namespace nw::ui {

/// Columns in the order of the screen as "id/width/shown" (0: hidden, 1: shown, 2: shown and pinned; 3: as 1, of
/// the first column, where an older version wrote 1 and knew no pins), and
/// "id/ascending" of the order. Ids may contain "/".
struct TableState {
  QStringList columns;
  QString sort;
  bool operator==(const TableState&) const = default;
};

class RunsView;

class ColumnChoice : public QObject {
  Q_OBJECT
 public:
  /// The table's model has runColumns().
  explicit ColumnChoice(RunsView& table);
  bool isShown(int column) const;
  void show(int column, bool on);
  /// A pinned column stays at the left while the others scroll; it is shown, before those that are not pinned.
  bool isPinned(int column) const { return pinned_.contains(column); }
  void pin(int column, bool on);
  void reset();  // as at the first start
  /// A check mark for each column; the line's key and name stay. `column`: where the menu was asked for, or -1.
  void openMenu(const QPoint& globalPlace, int column = -1);
  void save();
  TableState state() const;
  void apply(const TableState& state);
  /// Nothing that changes meanwhile is saved.
  void keepQuiet(const std::function<void()>& change);

 Q_SIGNALS:
  /// The menu may take further entries.
  void menuAboutToShow(QMenu* menu, int column);

 private:
  void moveTo(int column, int place);
  int usualWidth(int column) const;
  void setPinned(QSet<int> columns);
  void putPinnedFirst();
  void menuOf(int column, QMenu& menu);
  RunsView& table_;
  QSet<int> pinned_;
  QTimer timer_;
  bool quiet_ = false;
};

}  // namespace nw::ui

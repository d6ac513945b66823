// SPDX-License-Identifier: GPL-3.0-or-later
// All problems of the network, errors first, each with its quick fixes. A click goes to the layer.
#pragma once
#include <QListWidget>

#include "engine/compile/compile.hpp"

namespace nw::ui {

class Canvas;

class ProblemList : public QListWidget {
  Q_OBJECT
 public:
  explicit ProblemList(Canvas& canvas, QWidget* parent = nullptr);
  /// Selects the next problem and goes to its layer; after the last comes the first.
  void goToNext();
  /// Applies the problem's quick fix; false: rejected, or the problem no longer exists.
  bool repair(int row, int fix);
  int problemCount() const { return static_cast<int>(shown_.size()); }

 Q_SIGNALS:
  void countChanged(int problems);

 protected:
  bool eventFilter(QObject*, QEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  void fill();
  void showRepair(QPoint which);  // row and index of the quick fix
  void goTo(int row);
  /// What each row says. Rows are made anew only where that has changed: a click or the focus may be in one.
  QStringList facesNow() const;
  static QString whereOf(const Problem& problem);
  QWidget* makeFine();
  QString wordsOf(const Problem& problem) const;
  QWidget* makeRow(const Problem& problem, int row);
  Canvas& canvas_;
  std::vector<Problem> shown_;
  QStringList faces_;  // of the rows
};

}  // namespace nw::ui

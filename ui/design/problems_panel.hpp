// SPDX-License-Identifier: GPL-3.0-or-later
// Problems with their repairs, what was said, and the history of edits.
#pragma once
#include <QStringList>
#include <QTabWidget>
#include <QVBoxLayout>

namespace nw::ui {

class GraphView;

class ProblemsPanel : public QTabWidget {
  Q_OBJECT
 public:
  explicit ProblemsPanel(GraphView& view, QWidget* parent = nullptr);
  /// Selects the node of the next problem, from the top again after the last.
  void goToNext();

 private:
  void fill();
  void goTo(int problem);
  void apply(int problem, int fix);

  GraphView& view_;
  QWidget* list_;
  QVBoxLayout* rows_;
  int next_ = 0;
};

}  // namespace nw::ui

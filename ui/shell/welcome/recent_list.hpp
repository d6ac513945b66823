// SPDX-License-Identifier: GPL-3.0-or-later
// The recent projects: diagram, data set, runs and best accuracy; above them the crash recovery. Read on a
// worker.
#pragma once
#include <QDateTime>
#include <QWidget>

#include "ui/shell/welcome/miniature.hpp"

namespace nw::ui {

struct RecentProject {
  QString path, name, data, best;  // best: "98.9 %", empty: none
  int runs = 0;
  bool training = false, missing = false;
  QDateTime used;
  Miniature miniature;
};
/// Any thread: reads each project and the list of runs.
std::vector<RecentProject> readRecent(const QStringList& paths);
/// "20 min ago", "yesterday", "18 Nov"
QString relativeTimeText(const QDateTime& then, const QDateTime& now);

class RecentRow : public QWidget {
  Q_OBJECT
 public:
  explicit RecentRow(RecentProject project, QWidget* parent = nullptr);
  QSize sizeHint() const override { return {312, 62}; }

 Q_SIGNALS:
  void asked();
  void forgetRequested();

 protected:
  void paintEvent(QPaintEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void contextMenuEvent(QContextMenuEvent*) override;

 private:
  RecentProject project_;
};

}  // namespace nw::ui

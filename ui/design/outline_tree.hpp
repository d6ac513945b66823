// SPDX-License-Identifier: GPL-3.0-or-later
// The network as a list, in the order of computation: for finding, for screen readers, for large graphs.
#pragma once
#include <QTreeWidget>

namespace nw::ui {

class Canvas;

class OutlineTree : public QTreeWidget {
  Q_OBJECT
 public:
  explicit OutlineTree(Canvas& canvas, QWidget* parent = nullptr);
  void setFilter(const QString& text);  // by name, type or shape

 protected:
  void keyPressEvent(QKeyEvent*) override;
  void showEvent(QShowEvent*) override;

 private:
  void fill();
  void fillSoon();
  void followSelection();
  Canvas& canvas_;
  QString filter_;
  bool filling_ = false, pending_ = false, stale_ = true;
};

}  // namespace nw::ui

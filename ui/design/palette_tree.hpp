// SPDX-License-Identifier: GPL-3.0-or-later
// The layer types and blocks that can be added. A row is dragged onto the canvas, or added after the selected layer by
// double click or Enter.
#pragma once
#include <QTreeWidget>

namespace nw::ui {

class Canvas;
class GraphView;

class PaletteTree : public QTreeWidget {
  Q_OBJECT
 public:
  enum class Shows : quint8 { layers, blocks };
  PaletteTree(Shows shows, Canvas& canvas, QWidget* parent = nullptr);
  void setFilter(const QString& text);
  /// Middle of the row of "Conv2d", scrolled into view; viewport coordinates. (-1,-1): not shown.
  QPoint rowPosition(const QString& id);
  /// Adds the row that matches the filter best: "ReLU" rather than "LeakyReLU".
  void addBest();

 protected:
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  void fill();
  void fillBlocks(const QStringList& ids);
  bool matches(const QString& name) const;
  void openMenu(QPoint at);
  void add(const QTreeWidgetItem* row);
  Shows shows_;
  Canvas& canvas_;
  GraphView& view_;
  QString filter_, known_, pressed_;
  QPoint pressedAt_;
  QSet<QString> closed_;  // groups that the user collapsed
};

}  // namespace nw::ui

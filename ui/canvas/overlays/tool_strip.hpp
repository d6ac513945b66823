// SPDX-License-Identifier: GPL-3.0-or-later
// The tools above the canvas: pointer, add, frame, note; zoom, fit, layout; display options.
#pragma once
#include <QAbstractButton>
#include <QVector>
#include <QWidget>

namespace nw::ui {

class GraphView;
class Heatmap;
class NodeOutputs;

class ToolStrip : public QWidget {
  Q_OBJECT
 public:
  static constexpr int shadow = 8;
  ToolStrip(GraphView& view, NodeOutputs& outputs, Heatmap& heat, QWidget* parent = nullptr);
  /// Takes its size for a canvas of this width: where it is narrow, what is shown is an icon with a tool tip, then the
  /// zoom steps go, which keys and the wheel offer too.
  void fitTo(int width);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QAbstractButton* addTool(class QHBoxLayout* group, const QString& icon, const QString& name, const QString& keys);
  void openShowMenu();
  void showWords();
  QString shownWords() const;
  int width_ = QWIDGETSIZE_MAX;
  GraphView& view_;
  NodeOutputs& outputs_;
  Heatmap& heat_;
  QVector<QWidget*> groups_;
  QVector<QAbstractButton*> zoomSteps_;
  QAbstractButton *pointer_, *frame_, *note_, *percent_, *show_;
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// One layer or block instance on a lane: a card that can be selected, and dragged to another lane.
#pragma once
#include <QAbstractButton>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class LaneBoard;

class LaneCard final : public QAbstractButton {
  Q_OBJECT
 public:
  LaneCard(LaneBoard& board, NodeId id);
  NodeId id() const { return id_; }
  void setTexts(const QString& title, const QString& name, const QString& icon, const QString& group,
                const QString& cost);
  void setLane(int lane);
  void setChosen(bool on);
  void setDragged(bool on);
  QString costText() const { return cost_; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void focusInEvent(QFocusEvent*) override;

 private:
  LaneBoard& board_;
  NodeId id_;
  QString title_, name_, icon_, group_, cost_;
  int lane_ = 0;
  bool chosen_ = false, dragged_ = false, aloneOnRelease_ = false;
  QPoint pressed_;
};

}  // namespace nw::ui

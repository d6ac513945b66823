// SPDX-License-Identifier: GPL-3.0-or-later
// By class: how many answers became wrong (a bar to the left) and right (to the right). A click filters by the class;
// arrow keys move. GUI thread.
#pragma once
#include <QWidget>
#include <vector>

#include "ui/deploy/compress/flip_model.hpp"

namespace nw::ui {

class ClassFlips : public QWidget {
  Q_OBJECT
 public:
  explicit ClassFlips(QWidget* parent = nullptr);
  void setModel(const FlipModel& model);
  int chosen() const { return chosen_; }  // -1: all
  void choose(int label);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {150, 60}; }
  QRect rowRect(int row) const;
  int labelOf(int row) const { return rows_[static_cast<std::size_t>(row)].label; }
  int rows() const { return static_cast<int>(rows_.size()); }

 Q_SIGNALS:
  void chosenChanged(int label);

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  struct Row {
    int label = 0;
    QString name;
    int wrong = 0, right = 0;
  };
  void paintRow(class QPainter& p, const Row& row, const QRect& where, int most) const;
  std::vector<Row> rows_;
  int chosen_ = -1;
};

}  // namespace nw::ui

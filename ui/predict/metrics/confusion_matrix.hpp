// SPDX-License-Identifier: GPL-3.0-or-later
// True against predicted class, as a painted table. Cells are chosen by click, or with the arrow keys and Enter.
#pragma once
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/predict/images/grid_model.hpp"

namespace nw::ui {

class ConfusionMatrix : public QWidget {
  Q_OBJECT
 public:
  explicit ConfusionMatrix(QWidget* parent = nullptr);
  void setView(std::shared_ptr<const EvaluationView> view);
  void setShares(bool shares);  // percent of the true class instead of counts
  void setCell(std::optional<GridModel::Cell> cell);
  std::optional<GridModel::Cell> cell() const { return chosen_; }
  /// Where a cell is drawn.
  QRectF cellRect(int truth, int read) const;
  QSize sizeHint() const override { return {460, 460}; }
  QSize minimumSizeHint() const override { return {300, 300}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 Q_SIGNALS:
  void cellChosen(std::optional<nw::ui::GridModel::Cell> cell);  // nullopt: the choice was cleared

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void leaveEvent(QEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void focusInEvent(QFocusEvent*) override;
  void focusOutEvent(QFocusEvent*) override;

 private:
  bool has(const GridModel::Cell&) const;
  struct Geometry {
    qreal left = 0, top = 0, pitch = 0, right = 0;
    bool slanted = false;
  };
  Geometry geometryFor(int width, int height = QWIDGETSIZE_MAX) const;  // cells shrink to fit both
  int longestName() const;                                              // in pixels
  static QRectF cellRect(const Geometry& g, int truth, int read);
  QRect cellsIn(const QRectF& area, const Geometry& g) const;  // x: predicted, y: true class
  std::optional<GridModel::Cell> cellAt(const QPointF& at) const;
  void choose(const GridModel::Cell& cell);
  void point(const GridModel::Cell& cell);
  QString sentence(const GridModel::Cell& cell) const;
  QString cellText(int truth, int read) const;
  void paintNames(QPainter& p, const Geometry& g) const;
  void paintSlanted(QPainter& p, const QString& name, const QPointF& at) const;
  void paintCells(QPainter& p, const QRect& cells, const Geometry& g) const;
  void paintSmallCells(QPainter& p, const QRect& cells, const Geometry& g) const;
  void paintCell(QPainter& p, const Geometry& g, int truth, int read) const;
  void paintShares(QPainter& p, const Geometry& g) const;
  QColor fill(int truth, int read) const;

  std::shared_ptr<const EvaluationView> view_;
  std::vector<qint64> totals_;  // per true class
  qint64 most_ = 1;             // largest count off the diagonal
  bool shares_ = false;
  mutable int longest_ = 0;  // what longestName() found in measured_; 0: not known
  mutable QFont measured_;
  std::optional<GridModel::Cell> chosen_, hovered_;
  GridModel::Cell cursor_;
};

}  // namespace nw::ui

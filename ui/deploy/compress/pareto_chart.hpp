// SPDX-License-Identifier: GPL-3.0-or-later
// Accuracy over size, multiply-adds or latency: every measured network with its 95 % interval, the front of the best of
// them, and where the plan would lie, which is predicted. GUI thread.
#pragma once
#include <QWidget>
#include <array>
#include <vector>

namespace nw::ui {

enum class CostAxis : quint8 { bytes, multiply_adds, latency };
inline constexpr int cost_axes = 3;

struct ParetoPoint {
  QString run, name;
  std::array<double, cost_axes> cost{};  // 0: unknown
  double accuracy = 0, low = 0, high = 0;
  bool original = false, shown = false;
  bool operator==(const ParetoPoint&) const = default;
};
/// The indices, by rising cost, of points that no other beats in both; those of unknown cost are left out.
std::vector<std::size_t> paretoFront(const std::vector<ParetoPoint>& points, CostAxis axis);
QString costText(CostAxis axis, double cost);

class ParetoChart : public QWidget {
  Q_OBJECT
 public:
  explicit ParetoChart(QWidget* parent = nullptr);
  void setPoints(std::vector<ParetoPoint> points);
  const std::vector<ParetoPoint>& points() const { return points_; }
  void setAxis(CostAxis axis);
  CostAxis axis() const { return axis_; }
  /// Costs of the plan, by axis; 0: not known. Empty: there is no plan.
  void setPlanned(std::array<double, cost_axes> cost);
  std::array<double, cost_axes> planned() const { return planned_; }
  QSize sizeHint() const override { return {380, 230}; }
  QSize minimumSizeHint() const override { return {240, 170}; }
  QPointF placeOf(std::size_t point) const;

 Q_SIGNALS:
  void chosen(const QString& run);

 protected:
  bool event(QEvent*) override;
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  struct Frame;
  Frame frame() const;
  int pointAt(const QPointF& at) const;
  QString describe(const ParetoPoint& p) const;
  void refreshDescription();
  void paintAxes(QPainter& p, const Frame& f) const;
  void paintPoints(QPainter& p, const Frame& f) const;
  void paintPlanned(QPainter& p, const Frame& f) const;
  std::vector<ParetoPoint> points_;
  std::array<double, cost_axes> planned_{};
  CostAxis axis_ = CostAxis::bytes;
  int current_ = -1;
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The share of a layer's channels that goes, in per cent, below the curve of what the network loses with them: both on
// the same axis. Mouse, arrow keys, Page Up and Down, Home and End. GUI thread.
#pragma once
#include <QSlider>
#include <vector>

namespace nw::ui {

/// Accuracy, in 0…1, when this share of the layer's channels is gone and no other layer's.
struct SensitivityPoint {
  double removed = 0, accuracy = 0;
  bool operator==(const SensitivityPoint&) const = default;
};

class SensitivitySlider : public QSlider {
  Q_OBJECT
 public:
  explicit SensitivitySlider(QWidget* parent = nullptr);
  static constexpr int most = 95;  // per cent
  /// `points`: by rising share; empty: not measured. `whole`: accuracy of the network as it is; `allowed`: the loss up
  /// to which the range is marked as free.
  void setCurve(std::vector<SensitivityPoint> points, double whole, double allowed);
  /// The largest share that costs at most `allowed`.
  double freeShare() const;
  QSize sizeHint() const override { return {220, 54}; }
  QSize minimumSizeHint() const override { return {110, 54}; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;

 private:
  double xOf(double share) const;
  void moveTo(double x);
  void paintCurve(class QPainter& p) const;
  std::vector<SensitivityPoint> points_;
  double whole_ = 0, allowed_ = 0;
};

}  // namespace nw::ui

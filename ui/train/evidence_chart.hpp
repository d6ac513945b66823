// SPDX-License-Identifier: GPL-3.0-or-later
// The curves that a finding of the training doctor rests on, small and without controls. GUI thread.
#pragma once
#include <QWidget>
#include <vector>

#include "engine/doctor/finding.hpp"

namespace nw::ui {

class EvidenceChart : public QWidget {
  Q_OBJECT
 public:
  explicit EvidenceChart(std::vector<doctor::Series> series, QWidget* parent = nullptr);
  const std::vector<doctor::Series>& series() const { return series_; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void paintNames(QPainter& p, const QRectF& where) const;
  void paintLimits(QPainter& p, const QRectF& plot) const;
  std::vector<doctor::Series> series_;  // finite points only
  double xLow_ = 0, xHigh_ = 1, yLow_ = 0, yHigh_ = 1;
};

}  // namespace nw::ui

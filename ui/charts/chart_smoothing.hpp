// SPDX-License-Identifier: GPL-3.0-or-later
// The control in a chart's title row that smooths its curves. GUI thread.
#pragma once
#include <QPushButton>

namespace nw::ui {

class MetricChart;

/// The factor that the user chose last for charts of this name; `otherwise` if there is none.
double rememberedSmoothing(const QString& id, double otherwise);

/// Shows the factor where there is room, and opens a menu of factors.
class SmoothingButton : public QPushButton {
  Q_OBJECT
 public:
  explicit SmoothingButton(MetricChart& chart);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void say();
  MetricChart& chart_;
};

}  // namespace nw::ui

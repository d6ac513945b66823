// SPDX-License-Identifier: GPL-3.0-or-later
// Values of the last minute or bins of a histogram as bars. GUI thread.
#pragma once
#include <QString>
#include <QWidget>
#include <vector>

namespace nw::ui {

class RateChart : public QWidget {
  Q_OBJECT
 public:
  explicit RateChart(const QString& name, QWidget* parent = nullptr);
  /// `places`: the number of bars there is room for; the newest is right. `left`, `right`: texts under the ends.
  void setValues(std::vector<double> values, int places, const QString& left, const QString& right);
  QSize sizeHint() const override { return {300, 96}; }
  QSize minimumSizeHint() const override { return {160, 96}; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  std::vector<double> values_;
  int places_ = 1;
  QString left_, right_;
};

}  // namespace nw::ui

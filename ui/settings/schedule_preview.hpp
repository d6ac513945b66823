// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate over the planned run as a small curve.
#pragma once
#include <QWidget>

#include "engine/design/settings.hpp"

namespace nw::ui {

class SchedulePreview : public QWidget {
  Q_OBJECT
 public:
  explicit SchedulePreview(QWidget* parent = nullptr);
  /// `stepsPerEpoch` 0: not known yet; a round number is used.
  void setSettings(const TrainSettings& settings, qint64 stepsPerEpoch);
  QSize sizeHint() const override { return {240, 84}; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  TrainSettings settings_;
  qint64 stepsPerEpoch_ = 0;
};

}  // namespace nw::ui

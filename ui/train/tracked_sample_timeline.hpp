// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a run as a slider: the fraction of correct tracked samples, and when the chosen sample was learned and
// forgotten. The slider's value is the index of a record. GUI thread.
#pragma once
#include <QAbstractSlider>
#include <memory>

#include "engine/train/tracked_sample_history.hpp"

namespace nw::ui {

class TrackedSampleTimeline : public QAbstractSlider {
  Q_OBJECT
 public:
  explicit TrackedSampleTimeline(QWidget* parent = nullptr);
  /// A slider at its end stays at the end.
  void setHistory(std::shared_ptr<const TrackedSampleHistory> history);
  void setProbe(int probe);
  /// The position of a record, in pixels.
  qreal xOf(int record) const;
  QSize sizeHint() const override { return {340, 92}; }
  QSize minimumSizeHint() const override { return {160, 92}; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void sliderChange(SliderChange change) override;

 private:
  int records() const { return history_ ? static_cast<int>(history_->steps.size()) : 0; }
  QRectF chartRect() const;
  QRectF bandRect() const;
  int recordAt(qreal x) const;
  void paintShare(QPainter& p) const;
  void paintTurns(QPainter& p) const;
  void paintCursor(QPainter& p) const;
  void paintSteps(QPainter& p) const;
  std::shared_ptr<const TrackedSampleHistory> history_;
  int probe_ = 0;
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The time of a training as a slider: the share of watched images read right, and when one of them was learnt and
// forgotten. A value is a record's number. GUI thread.
#pragma once
#include <QAbstractSlider>
#include <memory>

#include "engine/train/tracked_sample_history.hpp"

namespace nw::ui {

class TrackedSampleTimeline : public QAbstractSlider {
  Q_OBJECT
 public:
  explicit TrackedSampleTimeline(QWidget* parent = nullptr);
  /// Stays at the end where it was there.
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

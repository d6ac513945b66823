// SPDX-License-Identifier: GPL-3.0-or-later
// A layer of the plan: its sensitivity over its slider, the share as a number, and what is left. GUI thread.
#pragma once
#include <QWidget>

#include "engine/compress/pruning/plan_costs.hpp"
#include "ui/deploy/compress/sensitivity_slider.hpp"

class QLabel;
class QSpinBox;

namespace nw::ui {

class ChannelRow : public QWidget {
  Q_OBJECT
 public:
  explicit ChannelRow(const compress::PlannedLayer& layer, QWidget* parent = nullptr);
  const compress::PlannedLayer& layer() const { return layer_; }
  double removed() const;
  void setRemoved(double share);
  SensitivitySlider* slider() const { return slider_; }  // null: all channels stay
  /// Amber, below the slider; empty: nothing to say.
  void setWarning(const QString& sentence);
  QString warning() const;

 Q_SIGNALS:
  void removedChanged();

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QWidget* makeHead();
  void makeSlider(class QVBoxLayout& column);
  void show(int percent);
  compress::PlannedLayer layer_;
  SensitivitySlider* slider_ = nullptr;
  QSpinBox* share_ = nullptr;
  QLabel *left_ = nullptr, *warning_ = nullptr;
  QWidget* warningLine_ = nullptr;
};

}  // namespace nw::ui

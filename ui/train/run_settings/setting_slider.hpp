// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSlider>

namespace nw::ui {

/// A slider whose mark is the value that holds while another one waits. GUI thread.
class SettingSlider : public QSlider {
  Q_OBJECT
 public:
  explicit SettingSlider(QWidget* parent = nullptr);
  /// A position; -1: no mark.
  void setMark(int position);
  int mark() const { return mark_; }
  /// The handle's centre at this position.
  int xOf(int position) const;

 protected:
  void paintEvent(QPaintEvent*) override;
  void wheelEvent(QWheelEvent*) override;  // only with focus: scrolling the panel changes nothing

 private:
  int mark_ = -1;
};

}  // namespace nw::ui

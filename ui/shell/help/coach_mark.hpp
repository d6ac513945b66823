// SPDX-License-Identifier: GPL-3.0-or-later
// An outline around a control of the window and a box beside it with instructions. The control remains usable: only
// the box receives mouse events.
#pragma once
#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace nw::ui {

class CoachMark : public QWidget {
  Q_OBJECT
 public:
  explicit CoachMark(QWidget* window);
  ~CoachMark() override;
  /// `number` of `count`; `onward`: the first button's text, "" hides it.
  void tell(int number, int count, const QString& title, const QString& sentence, const QString& onward);
  /// The part of the window that the box leaves free, such as a notification; empty: none.
  void keepFree(const QRect& taken);
  /// The target rectangle in the window; empty: no target, the box is at the bottom.
  void pointAt(const QRect& place);
  QRect place() const { return place_; }
  QString title() const;
  QPushButton& onward() { return *onward_; }
  QPushButton& end() { return *end_; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void placeCard();
  class Ring;
  QPointer<QWidget> ring_;
  QLabel *count_, *title_, *sentence_;
  QPushButton *onward_, *end_;
  QRect place_, taken_;
  int number_ = 0, steps_ = 0;
};

}  // namespace nw::ui

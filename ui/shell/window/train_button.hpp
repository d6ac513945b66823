// SPDX-License-Identifier: GPL-3.0-or-later
// Train, with the number of problems that prevent it; Pause and Stop during a run; Waiting… and Do not start until the
// data are open.
#pragma once
#include <QAbstractButton>
#include <QElapsedTimer>

class QMenu;
class QPushButton;

namespace nw::ui {

class Session;

/// A filled button with a second half that opens a menu.
class SplitButton : public QAbstractButton {
  Q_OBJECT
 public:
  explicit SplitButton(QWidget* parent = nullptr);
  void setMenu(QMenu* menu) { menu_ = menu; }
  /// > 0: there are errors; the button turns tonal and shows how many.
  void setProblems(int count);
  int problems() const { return problems_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  QRect menuRect() const;
  void openMenu();
  QMenu* menu_ = nullptr;
  int problems_ = 0;
};

/// Train and Stop share a place: for a short time after one has replaced the other, clicks do nothing.
class TrainButtons : public QWidget {
  Q_OBJECT
 public:
  explicit TrainButtons(Session& session, QWidget* parent = nullptr);
  SplitButton& train() { return *train_; }
  /// Milliseconds without clicks after a swap; 500. Tests that click as fast as a program set 0.
  static void setSwapPause(int milliseconds);

 private:
  void refresh();
  QString reasonNotToTrain() const;
  Session& session_;
  SplitButton* train_;
  QPushButton *pause_, *stop_;
  QElapsedTimer swapped_;
};

}  // namespace nw::ui

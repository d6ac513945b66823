// SPDX-License-Identifier: GPL-3.0-or-later
// Train, with the number of problems that prevent it; Pause and Stop during a run.
#pragma once
#include <QAbstractButton>

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

class TrainButtons : public QWidget {
  Q_OBJECT
 public:
  explicit TrainButtons(Session& session, QWidget* parent = nullptr);
  SplitButton& train() { return *train_; }

 private:
  void refresh();
  Session& session_;
  SplitButton* train_;
  QPushButton *pause_, *stop_;
};

}  // namespace nw::ui

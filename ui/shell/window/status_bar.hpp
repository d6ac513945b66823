// SPDX-License-Identifier: GPL-3.0-or-later
// 34 px at the bottom: the page's summary, the activity of other pages, the time of the last save.
#pragma once
#include <QWidget>

class QLabel;

namespace nw::ui {

class Session;

class StatusBar : public QWidget {
  Q_OBJECT
 public:
  explicit StatusBar(Session& session, QWidget* parent = nullptr);
  /// The page's widget (may be null) fills the left and the middle.
  void setPageWidget(QWidget* widget);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void refresh();
  Session& session_;
  QWidget *place_, *shown_ = nullptr;
  QLabel *run_, *saved_;
};

}  // namespace nw::ui

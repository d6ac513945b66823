// SPDX-License-Identifier: GPL-3.0-or-later
// A notification that floats at the lower edge of the page: one message, at most two actions. It never moves the page
// below it. Information disappears by itself, errors stay.
#pragma once
#include <QWidget>

#include "ui/session/notification.hpp"

class QLabel;
class QPushButton;
class QTimer;

namespace nw::ui {

class Banner : public QWidget {
  Q_OBJECT
 public:
  static constexpr int most_actions = 2;
  /// Floats above `page`, a sibling.
  explicit Banner(QWidget* page, QWidget* parent);
  /// severity: 0 information, 1 warning, 2 error. Replaces the notification that is shown.
  void say(const QString& sentence, int severity, const NotificationActions& actions = {});
  /// Hides a notification that offers an action which is valid until this event.
  void expire(ValidUntil event);
  QString text() const;

 protected:
  void paintEvent(QPaintEvent*) override;
  bool eventFilter(QObject*, QEvent*) override;
  void enterEvent(QEnterEvent*) override;
  void leaveEvent(QEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  void place();
  void startTimer();
  void act(int button);
  QWidget* page_;
  QLabel* text_;
  QPushButton *buttons_[most_actions], *close_;
  QTimer* timer_;
  NotificationActions actions_;
  int severity_ = 0;
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// A notification below the top bar: one message, at most two actions. Information disappears by itself, errors stay.
#pragma once
#include <QWidget>
#include <functional>

class QLabel;
class QPushButton;
class QTimer;

namespace nw::ui {

class Banner : public QWidget {
  Q_OBJECT
 public:
  explicit Banner(QWidget* parent = nullptr);
  /// severity: 0 information, 1 warning, 2 error. `action` empty: none.
  void say(const QString& sentence, int severity, const QString& action = {}, std::function<void()> act = {});
  /// Hides a notification whose action is done or no longer possible; one without an action stays.
  void withdraw();
  QString text() const;

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QLabel* text_;
  QPushButton *action_, *close_;
  QTimer* timer_;
  std::function<void()> act_;
  int severity_ = 0;
};

}  // namespace nw::ui

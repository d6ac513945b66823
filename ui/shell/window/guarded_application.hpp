// SPDX-License-Identifier: GPL-3.0-or-later
// A QApplication that an exception does not end: what an event handler throws is caught where Qt delivers the event.
// Screen readers press its checkable buttons as a mouse does.
#pragma once
#include <QApplication>
#include <functional>

namespace nw::ui {

class GuardedApplication : public QApplication {
  Q_OBJECT
 public:
  GuardedApplication(int& argc, char** argv);
  /// Called on the GUI thread with the exception's text, soon after the event. Without a handler exceptions pass, which
  /// ends the program. An exception that repeats within a second is reported once.
  void setExceptionHandler(std::function<void(const QString& what)> handler);
  bool notify(QObject* receiver, QEvent* event) override;

 private:
  void report(const QString& what);
  std::function<void(const QString&)> handler_;
  QString last_;
  qint64 lastAt_ = 0;  // milliseconds since the epoch
};

}  // namespace nw::ui

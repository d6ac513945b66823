// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/guarded_application.hpp"

#include <QDateTime>
#include <QThread>
#include <exception>
#include <new>
#include <utility>

#include "ui/widgets/button_accessible.hpp"

namespace nw::ui {
namespace {
constexpr qint64 repeats_ms = 1000;
}

GuardedApplication::GuardedApplication(int& argc, char** argv) : QApplication(argc, argv) {
  installButtonAccessibility();
}

void GuardedApplication::setExceptionHandler(std::function<void(const QString&)> handler) {
  handler_ = std::move(handler);
}

bool GuardedApplication::notify(QObject* receiver, QEvent* event) {
  if (!handler_ || QThread::currentThread() != thread()) return QApplication::notify(receiver, event);
  try {
    return QApplication::notify(receiver, event);
  } catch (const std::bad_alloc&) {
    report(QApplication::translate("GuardedApplication", "there is not enough memory"));
  } catch (const std::exception& e) { report(QString::fromUtf8(e.what())); } catch (...) {
    report(QStringLiteral("?"));
  }
  return true;
}

/// The handler is called from the event loop, for the objects of the failed event are in an unknown state.
void GuardedApplication::report(const QString& what) {
  const qint64 now = QDateTime::currentMSecsSinceEpoch();
  const bool repeated = what == last_ && now - lastAt_ < repeats_ms;
  last_ = what;
  lastAt_ = now;
  if (!repeated)
    QMetaObject::invokeMethod(
        this, [this, what] { handler_(what); }, Qt::QueuedConnection);
}

}  // namespace nw::ui

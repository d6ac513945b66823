// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/guarded.hpp"

#include <QCoreApplication>
#include <QMetaObject>

namespace nw::ui {

void throwOnGuiThread(std::exception_ptr exception) {
  if (!qApp) return;
  QMetaObject::invokeMethod(
      qApp, [exception = std::move(exception)] { std::rethrow_exception(exception); }, Qt::QueuedConnection);
}

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/typed_text.hpp"

#include <QCoreApplication>
#include <QFocusEvent>
#include <QPointer>
#include <QWidget>

namespace nw::ui {

// The events are sent, the focus is not moved: in a window that is not active Qt would send none.
void finishTyping(QWidget& window) {
  const QPointer<QWidget> field = window.focusWidget();
  if (!field || !field->testAttribute(Qt::WA_InputMethodEnabled)) return;
  QFocusEvent leave(QEvent::FocusOut, Qt::OtherFocusReason);
  QCoreApplication::sendEvent(field, &leave);
  if (!field || !field->hasFocus()) return;
  QFocusEvent back(QEvent::FocusIn, Qt::OtherFocusReason);
  QCoreApplication::sendEvent(field, &back);
}

}  // namespace nw::ui

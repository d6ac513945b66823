// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keyboard events for a widget.
#pragma once
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

namespace nw::ui {

inline void mouse(QWidget& w, QEvent::Type type, const QPointF& at) {
  const Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
  QMouseEvent event(type, at, w.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, held,
                    Qt::NoModifier);
  QApplication::sendEvent(&w, &event);
}
inline void click(QWidget& w, const QPointF& at) {
  mouse(w, QEvent::MouseButtonPress, at);
  mouse(w, QEvent::MouseButtonRelease, at);
}
inline void key(QWidget& w, int code) {
  QKeyEvent event(QEvent::KeyPress, code, Qt::NoModifier);
  QApplication::sendEvent(&w, &event);
}

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/journey/input_driver.hpp"

#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPointer>
#include <QScrollArea>
#include <QTest>
#include <QTimer>
#include <QWindow>

#include "tests/support/wait_for.hpp"

namespace nw::ui {
namespace {

constexpr int most_tabs = 120;

std::string nameOf(const QWidget* w) {
  return w ? w->metaObject()->className() + std::string(" ") + w->objectName().toStdString() : "nothing";
}

/// The window that receives key events. After a dialog closes, a window manager returns the focus to the window below
/// it; the offscreen platform has no window manager.
QWindow* keyReceiver() {
  if (QWidget* popup = QApplication::activePopupWidget()) return popup->windowHandle();
  if (!QGuiApplication::focusWindow())
    for (QWidget* top : QApplication::topLevelWidgets())
      if (top->isVisible() && top->isWindow()) top->activateWindow();
  test::wait_for([] { return QGuiApplication::focusWindow() != nullptr; });
  return QGuiApplication::focusWindow();
}

}  // namespace

/// Scrolls the position into view and checks that a click there reaches the widget, and not another widget above it.
bool InputDriver::reach(QWidget* widget, QPoint at, QPoint* inWindow) {
  if (!widget || !widget->isVisible()) return ADD_FAILURE() << nameOf(widget) << " is not to be seen", false;
  for (QWidget* up = widget->parentWidget(); up; up = up->parentWidget())
    if (auto* area = qobject_cast<QScrollArea*>(up)) area->ensureWidgetVisible(widget, 4, 4);
  QWidget* window = widget->window();
  *inWindow = widget->mapTo(window, at);
  QWidget* hit = window->childAt(*inWindow);
  if (!hit) hit = window->rect().contains(*inWindow) ? window : nullptr;
  const bool clear = hit == widget || (hit && widget->isAncestorOf(hit));
  EXPECT_TRUE(clear) << nameOf(widget) << " cannot be clicked: " << nameOf(hit) << " lies there";
  EXPECT_TRUE(widget->isEnabled()) << nameOf(widget) << " is disabled";
  return clear;
}

void InputDriver::click(QWidget* widget) {
  const QPointer<QWidget> clicked(widget);
  QCoreApplication::processEvents();  // lets widgets that were just shown get their layout
  ASSERT_TRUE(clicked || !widget) << "what was to be clicked has been deleted meanwhile";
  click(widget, widget ? widget->rect().center() : QPoint());
}

void InputDriver::click(QWidget* widget, QPoint at, Qt::KeyboardModifiers modifiers) {
  QPoint place;
  if (reach(widget, at, &place)) QTest::mouseClick(widget->window()->windowHandle(), Qt::LeftButton, modifiers, place);
}

void InputDriver::drag(QWidget* from, QPoint start, QWidget* to, QPoint end) {
  QPoint a, b;
  if (!reach(from, start, &a) || !reach(to, end, &b)) return;
  QWindow* window = from->window()->windowHandle();
  QTest::mouseMove(window, a);
  QTest::mousePress(window, Qt::LeftButton, {}, a);
  for (const double share : {0.1, 0.4, 0.7, 0.95, 1.0}) QTest::mouseMove(window, a + (b - a) * share);
  QTest::mouseRelease(window, Qt::LeftButton, {}, b);
}

void InputDriver::key(int key, Qt::KeyboardModifiers modifiers) {
  QWindow* window = keyReceiver();
  ASSERT_TRUE(window) << "no window takes keys";
  QTest::keyClick(window, static_cast<Qt::Key>(key), modifiers);
}

void InputDriver::type(const QString& text) {
  for (const QChar c : text) {
    QWindow* window = keyReceiver();
    ASSERT_TRUE(window) << "no window takes keys";
    QTest::keyClick(window, c.toLatin1());
  }
}

void InputDriver::fill(QWidget* field, const QString& text) {
  click(field);
  key(Qt::Key_A, Qt::ControlModifier);
  type(text);
  key(Qt::Key_Tab);
}

void InputDriver::choose(QComboBox* box, const QString& entry) {
  click(box);
  ASSERT_TRUE(test::wait_for([] { return QApplication::activePopupWidget() != nullptr; }));
  QTest::qWait(QApplication::keyboardInputInterval() + 50);  // the search by typing still holds the previous entry
  type(entry);
  key(Qt::Key_Return);
  ASSERT_TRUE(test::wait_for([] { return QApplication::activePopupWidget() == nullptr; }));
  EXPECT_EQ(box->currentText().toStdString(), entry.toStdString());
}

bool InputDriver::tabTo(QWidget* widget) {
  for (int i = 0; i < most_tabs; ++i) {
    if (QApplication::focusWidget() == widget) return true;
    key(Qt::Key_Tab);
  }
  return false;
}

void InputDriver::waitForDialog(const QString& path) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [this, timer, path] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (!dialog || QGuiApplication::focusWindow() != dialog->windowHandle()) return;
    timer->deleteLater();
    timer->stop();
    key(Qt::Key_A, Qt::ControlModifier);
    type(path);
    key(Qt::Key_Return);
  });
  timer->start(10);
}

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// A hand on mouse and keyboard. It gives its events to windows, never to widgets: Qt itself decides who gets them, so
// that what is covered, hidden or without focus cannot be reached here either.
#pragma once
#include <QPoint>
#include <QRect>
#include <QString>

class QComboBox;
class QWidget;

namespace nw::ui {

class InputDriver {
 public:
  /// In the middle of the widget, scrolled into view first.
  void click(QWidget* widget);
  void click(QWidget* widget, QPoint at, Qt::KeyboardModifiers modifiers = {});
  void drag(QWidget* from, QPoint start, QWidget* to, QPoint end);
  /// To whoever has the focus.
  void key(int key, Qt::KeyboardModifiers modifiers = {});
  void type(const QString& text);
  /// Clicks into a field and writes over what stands there.
  void fill(QWidget* field, const QString& text);
  /// Opens the list and takes the entry that is written so.
  void choose(QComboBox* box, const QString& entry);
  /// Answers the file dialog that `open` brings up by typing a path.
  template <class Open>
  void answerFile(const QString& path, Open open) {
    waitForDialog(path);
    open();
  }
  /// Goes on with Tab until the widget has the focus; false: it cannot be reached that way.
  bool tabTo(QWidget* widget);

 private:
  bool reach(QWidget* widget, QPoint at, QPoint* inWindow);
  void waitForDialog(const QString& path);
};

}  // namespace nw::ui

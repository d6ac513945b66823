// SPDX-License-Identifier: GPL-3.0-or-later
// Simulates mouse and keyboard. Events are sent to windows, never to widgets: Qt itself selects the receiver, so that
// a covered, hidden or unfocused widget cannot be reached here either.
#pragma once
#include <QPoint>
#include <QRect>
#include <QString>

class QComboBox;
class QWidget;

namespace nw::ui {

class InputDriver {
 public:
  /// Clicks in the middle of the widget, after scrolling it into view.
  void click(QWidget* widget);
  void click(QWidget* widget, QPoint at, Qt::KeyboardModifiers modifiers = {});
  void drag(QWidget* from, QPoint start, QWidget* to, QPoint end);
  /// Sends the key to the focused widget.
  void key(int key, Qt::KeyboardModifiers modifiers = {});
  void type(const QString& text);
  /// Clicks into a field and replaces its text.
  void fill(QWidget* field, const QString& text);
  /// Opens the list and selects the entry with this text.
  void choose(QComboBox* box, const QString& entry);
  /// Types a path into the file dialog that `open` opens, and accepts it.
  template <class Open>
  void answerFile(const QString& path, Open open) {
    waitForDialog(path);
    open();
  }
  /// Presses Tab until the widget has the focus; false if Tab never reaches it.
  bool tabTo(QWidget* widget);

 private:
  bool reach(QWidget* widget, QPoint at, QPoint* inWindow);
  void waitForDialog(const QString& path);
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Help: every key on one sheet, and a tour of five minutes.
#pragma once
#include <QDialog>
#include <QList>
#include <QString>
#include <utility>

namespace nw::ui {

class HelpDialog : public QDialog {
  Q_OBJECT
 public:
  explicit HelpDialog(QWidget* parent = nullptr);

 private:
  QWidget* makeKeyboard();
  QWidget* makeTour();
};

void showHelp(QWidget* parent);
/// What the mouse does on the canvas, with the keys held: ("Alt + drag", what it does).
QList<std::pair<QString, QString>> canvasGestures();

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Help: every key on one sheet, and a tour of five minutes.
#pragma once
#include <QDialog>

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

}  // namespace nw::ui

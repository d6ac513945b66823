// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

namespace nw::ui {

/// Version, licence, and the third-party software that Netwright uses.
class AboutDialog : public QDialog {
  Q_OBJECT
 public:
  explicit AboutDialog(QWidget* parent = nullptr);
};

void showAbout(QWidget* parent);

}  // namespace nw::ui

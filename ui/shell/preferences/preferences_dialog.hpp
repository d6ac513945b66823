// SPDX-License-Identifier: GPL-3.0-or-later
// Preferences take effect at once; "Restore" resets them to the defaults.
#pragma once
#include <QDialog>

#include "ui/shell/preferences/preferences.hpp"

class QComboBox;
class QLineEdit;

namespace nw::ui {

class NumberSpin;
class Session;
class ToggleSwitch;

class PreferencesDialog : public QDialog {
  Q_OBJECT
 public:
  explicit PreferencesDialog(Session& session, QWidget* parent = nullptr);

 Q_SIGNALS:
  void languageChosen(const QString& language);

 private:
  QWidget* folderRow(QLineEdit* field, const QString& title);
  void fill(const Preferences& preferences);
  void change();
  Session& session_;
  QComboBox *theme_, *language_;
  NumberSpin* threads_;
  QLineEdit *data_, *runs_;
  ToggleSwitch *motion_, *reopen_;
  bool showing_ = false;
};

}  // namespace nw::ui

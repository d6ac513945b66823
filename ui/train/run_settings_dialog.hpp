// SPDX-License-Identifier: GPL-3.0-or-later
// Changes a setting of the run that trains now, from its next step on. GUI thread.
#pragma once
#include <QDialog>

#include "engine/design/graph_doc.hpp"

class QComboBox;
class QLabel;

namespace nw::ui {

class NumberSpin;
class RunFeed;
class ToggleSwitch;

class RunSettingsDialog : public QDialog {
  Q_OBJECT
 public:
  /// `feed` follows the run and has its definition.
  explicit RunSettingsDialog(const RunFeed& feed, QWidget* parent = nullptr);
  /// What was chosen: a name of engine/train/knobs.hpp, or "learning_rate".
  QString name() const;
  double value() const;

 private:
  void show(int row);
  double valueNow(const QString& name) const;

  GraphDoc doc_;  // as the run trains it now
  double rate_ = 0;
  QComboBox* names_;
  NumberSpin* number_;
  ToggleSwitch* toggle_;
  QLabel* note_;
};

}  // namespace nw::ui

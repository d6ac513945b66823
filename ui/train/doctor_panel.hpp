// SPDX-License-Identifier: GPL-3.0-or-later
// What the training doctor found: a card for each finding with its sentence, its evidence as a picture, and one button.
// It stays open while the run trains. GUI thread.
#pragma once
#include <QDialog>

#include "engine/doctor/finding.hpp"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace nw::ui {

class DoctorWatch;

class DoctorPanel : public QDialog {
  Q_OBJECT
 public:
  explicit DoctorPanel(DoctorWatch& watch, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// A branch with this value of a setting is wanted.
  void branchAsked(const QString& setting, double value);
  void layersAsked();
  void designAsked();

 private:
  void fill();
  QWidget* makeCard(const doctor::Finding& finding);
  QPushButton* makeAction(const doctor::Finding& finding);
  DoctorWatch& watch_;
  QLabel* said_;
  QVBoxLayout* cards_;
  QPushButton* compare_;
};

}  // namespace nw::ui

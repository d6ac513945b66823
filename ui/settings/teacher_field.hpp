// SPDX-License-Identifier: GPL-3.0-or-later
// The run whose answers the network learns (engine/design/distillation.hpp), the temperature and the weight of these
// answers. Each change is one step of undo.
#pragma once
#include <QWidget>

#include "engine/core/files.hpp"
#include "engine/design/distillation.hpp"

class QPushButton;

namespace nw::ui {

class NumberSpin;
class PanelRow;
class Session;

class TeacherField : public QWidget {
  Q_OBJECT
 public:
  explicit TeacherField(Session& session, QWidget* parent = nullptr);
  /// Shows the document's teacher.
  void refresh();
  /// Takes the run's best checkpoint, read in the background; a run that cannot be one is said below the field.
  void choose(const fs::path& run);
  QPushButton* button() const { return button_; }

 private:
  void openMenu();
  void browse();
  void set(const std::optional<Distillation>& teacher, const QString& what, int key = 0);
  void change(double Distillation::*member, double value, const QString& what);

  Session& session_;
  QPushButton* button_;
  NumberSpin *temperature_, *weight_;
  PanelRow *run_, *temperatureRow_, *weightRow_;
  bool refreshing_ = false, listing_ = false;
};

}  // namespace nw::ui

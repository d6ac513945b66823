// SPDX-License-Identifier: GPL-3.0-or-later
// "Label | control" with help on the whole row, as in the inspector; hidden and shown as one. Below a number field that
// refuses a text are its limits and a button that takes the nearest permitted number.
#pragma once
#include <QWidget>

class QGridLayout;

namespace nw::ui {

class SeverityLabel;

class PanelRow : public QWidget {
  Q_OBJECT
 public:
  PanelRow(const QString& label, QWidget* control, const QString& help = {}, QWidget* parent = nullptr);
  QWidget* control() const { return control_; }
  /// A sentence below the control about a problem with its value; empty: none.
  void setError(const QString& sentence);

 private:
  void showRefusals(QGridLayout& grid);
  QWidget* control_;
  SeverityLabel* error_;
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Inference speed of the weights on every device of this computer: the lines of `netwright-cli infer-bench` as rows of
// a table.
#pragma once
#include <QDialog>
#include <QStringList>

#include "engine/core/json.hpp"

class QLabel;
class QPushButton;
class QTableWidget;

namespace nw::ui {

class CommandProcess;
class SeverityLabel;

class SpeedDialog : public QDialog {
  Q_OBJECT
 public:
  /// `devices`: as resolve_devices() reads them.
  SpeedDialog(const QString& run, const QString& checkpoint, const QStringList& devices, QWidget* parent = nullptr);
  QTableWidget& table() { return *table_; }
  bool measuring() const { return process_ != nullptr; }
  QString error() const;

 private:
  void start();
  void compare();
  void addRow(const Json& speed);
  /// `error` is empty: all was measured.
  void ended(const QString& error);
  void copy();
  QString run_, checkpoint_;
  QStringList devices_;
  CommandProcess* process_ = nullptr;  // while measuring
  QPushButton* compare_;
  QTableWidget* table_;
  SeverityLabel* note_;
  QPushButton *again_, *copy_;
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Inference speed of the weights on every device of this computer: the lines of `netwright-cli infer-bench` as rows of
// a table.
#pragma once
#include <QDialog>
#include <QStringList>

#include "ui/predict/measuring_process.hpp"

class QLabel;
class QPushButton;
class QTableWidget;

namespace nw::ui {

class SeverityLabel;

class SpeedDialog : public QDialog {
  Q_OBJECT
 public:
  /// `devices`: as resolve_devices() reads them.
  SpeedDialog(const QString& run, const QString& checkpoint, const QStringList& devices, QWidget* parent = nullptr);
  QTableWidget& table() { return *table_; }
  bool measuring() const { return process_->running(); }
  QString error() const;

 private:
  void start();
  void compare();
  void readLine(const QByteArray& json);
  void ended(int code, const QString& sentence);
  void copy();
  QString run_, checkpoint_;
  QStringList devices_;
  MeasuringProcess* process_;
  QPushButton* compare_;
  QTableWidget* table_;
  SeverityLabel* note_;
  QPushButton *again_, *copy_;
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Inference speed of the weights on every device of this computer: the lines of `netwright-cli infer-bench` as rows of
// a table.
#pragma once
#include <QDialog>
#include <QProcess>
#include <QStringList>

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
  ~SpeedDialog() override;
  QTableWidget& table() { return *table_; }
  bool measuring() const { return process_ != nullptr; }
  QString error() const;
  /// The program to run as netwright-cli; empty: the one beside this program.
  static void setProgram(const QString& program);

 private:
  void start();
  void readLines();
  void ended(int code);
  void copy();
  QString run_, checkpoint_;
  QStringList devices_;
  QProcess* process_ = nullptr;
  QTableWidget* table_;
  SeverityLabel* note_;
  QPushButton *again_, *copy_;
};

}  // namespace nw::ui

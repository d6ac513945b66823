// SPDX-License-Identifier: GPL-3.0-or-later
// One network on two devices side by side: speed, energy, loss and accuracy of each, and the outputs of each layer,
// with the first one that differs. Filled by `netwright-cli compare-devices`.
#pragma once
#include <QDialog>
#include <QStringList>

#include "engine/core/json.hpp"

class QComboBox;
class QPushButton;
class QTableWidget;

namespace nw::ui {

class CommandProcess;
class SeverityLabel;

class DeviceComparisonDialog : public QDialog {
  Q_OBJECT
 public:
  /// `devices`: at least two; the first and the first GPU among the others are compared at once.
  DeviceComparisonDialog(const QString& run, const QString& checkpoint, const QStringList& devices,
                         QWidget* parent = nullptr);
  bool comparing() const { return process_ != nullptr; }
  QTableWidget& devices() { return *devices_; }
  QTableWidget& layers() { return *layers_; }
  /// The result in one or two sentences, or the error.
  QString sentence() const;

 private:
  QComboBox* makeChoice(const QStringList& devices, const QString& name, int chosen);
  void layOut();
  void setIdle(bool idle);
  void start();
  void end();
  void showResult(const Json& all);
  void showDevice(const Json& device);
  void showLayer(const Json& layer);
  void showVerdict(const Json& all, int diverging);
  void showError(const QString& sentence);

  QString run_, checkpoint_;
  CommandProcess* process_ = nullptr;  // while comparing
  QComboBox *first_, *second_;
  QTableWidget *devices_, *layers_;
  SeverityLabel* verdict_;
  QPushButton* again_;
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// One network on two devices side by side: speed, energy, loss and accuracy of each, and the outputs of each layer,
// with the first one that differs. Filled by `netwright-cli compare-devices`.
#pragma once
#include <QDialog>
#include <QStringList>

#include "engine/core/json.hpp"
#include "ui/predict/measuring_process.hpp"

class QComboBox;
class QPushButton;
class QTableWidget;

namespace nw::ui {

class SeverityLabel;

class DeviceComparisonDialog : public QDialog {
  Q_OBJECT
 public:
  /// `devices`: at least two; the first and the first GPU among the others are compared at once.
  DeviceComparisonDialog(const QString& run, const QString& checkpoint, const QStringList& devices,
                         QWidget* parent = nullptr);
  bool comparing() const { return process_->running(); }
  QTableWidget& devices() { return *devices_; }
  QTableWidget& layers() { return *layers_; }
  /// The result in one sentence, or the error.
  QString sentence() const;

 private:
  QComboBox* makeChoice(const QStringList& devices, const QString& name, int chosen);
  void start();
  void show(const QByteArray& json);
  void showDevice(const Json& device);
  void showLayer(const Json& layer, bool firstDiverging);
  void showVerdict(const Json& all);
  void ended(int code, const QString& error);

  QString run_, checkpoint_;
  MeasuringProcess* process_;
  QComboBox *first_, *second_;
  QTableWidget *devices_, *layers_;
  SeverityLabel* verdict_;
  QPushButton* again_;
  bool shown_ = false;  // this comparison has a result
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Asks how many epochs a run is to be trained further. GUI thread.
#pragma once
#include <QDialog>

#include "ui/runs/run_table.hpp"

class QLabel;
class QSpinBox;

namespace nw::ui {

class TrainFurtherDialog : public QDialog {
  Q_OBJECT
 public:
  TrainFurtherDialog(const RunRow& run, const TrainSettings& settings, QWidget* parent = nullptr);
  std::int64_t total() const;  // epochs in all

 private:
  void say();
  QString rateSentence() const;
  std::int64_t done_, planned_;
  TrainSettings settings_;
  QSpinBox* more_;
  QLabel *total_, *rate_;
};

}  // namespace nw::ui

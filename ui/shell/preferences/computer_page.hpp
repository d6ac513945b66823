// SPDX-License-Identifier: GPL-3.0-or-later
// Preferences › This computer: the processor's instruction sets and peaks, and a benchmark of a minute beside known
// processors.
#pragma once
#include <QWidget>

#include "ui/shell/preferences/computer_speed.hpp"

class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace nw::ui {

class FormSection;
class Session;
class SeverityLabel;

class ComputerPage : public QWidget {
  Q_OBJECT
 public:
  explicit ComputerPage(Session& session, QWidget* parent = nullptr);
  ComputerSpeed& measured() { return measured_; }

 protected:
  /// The processor is looked at when the page is shown for the first time.
  void showEvent(QShowEvent*) override;

 private:
  QWidget* makeFoot();
  void startOrStop();
  void fill();
  void fillProcessor();
  void fillSpeeds();
  void fillKernels();
  void sayProgress();
  void ended(const QString& error);
  Session& session_;
  ComputerSpeed measured_;
  QLabel *processor_, *sets_, *peaks_;
  QTableWidget *speedTable_, *kernelTable_;
  FormSection* kernelSection_;
  QProgressBar* bar_;
  SeverityLabel* note_;
  QPushButton* measure_;
  bool looked_ = false;
};

}  // namespace nw::ui

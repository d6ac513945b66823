// SPDX-License-Identifier: GPL-3.0-or-later
// The tab Serve: an inference server of one or more runs is started, watched and stopped. GUI thread.
#pragma once
#include "ui/deploy/deploy_tab.hpp"
#include "ui/deploy/inference_server.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace nw::ui {

class PathField;
class RateChart;

class ServeTab : public DeployTab {
  Q_OBJECT
 public:
  explicit ServeTab(const DeployContext& context, QWidget* parent = nullptr);
  void setWeights(const DeployWeights& weights) override;
  void setWatching(bool on) override;
  QString status() const override;
  InferenceServer& server() { return server_; }
  QString figure(int index) const;  // requests/s, p50, p99, errors

 private:
  QWidget* makeForm();
  QWidget* makeState();
  void fillRuns();
  QStringList ticked() const;
  void tick(QStringList runs);
  QStringList chosenRuns() const;
  void startOrStop();
  void showState();
  void showFigures();
  void useFreePort();
  const DeployContext context_;
  InferenceServer& server_;
  QString run_;
  QListWidget* runs_ = nullptr;
  QComboBox* checkpoint_ = nullptr;
  QSpinBox* port_ = nullptr;
  PathField* token_ = nullptr;
  QCheckBox* outlives_ = nullptr;
  QPushButton *start_ = nullptr, *page_ = nullptr, *copy_ = nullptr, *free_ = nullptr;
  QWidget* pill_ = nullptr;
  QLabel *address_ = nullptr, *models_ = nullptr, *problem_ = nullptr;
  QVector<QLabel*> figures_;
  RateChart* chart_ = nullptr;
  QPlainTextEdit* log_ = nullptr;
};

}  // namespace nw::ui

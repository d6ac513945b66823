// SPDX-License-Identifier: GPL-3.0-or-later
// The tab Test: pictures of a folder are predicted as they arrive, and the speed of runs is measured. GUI thread.
#pragma once
#include <QPointer>

#include "ui/deploy/deploy_tab.hpp"
#include "ui/deploy/folder_watch.hpp"

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QTableWidget;

namespace nw::ui {

class CommandProcess;
class PathField;
class RateChart;
class ServerBench;

/// Counts of latencies by powers of two from 1/16 ms on; the last holds all that are longer.
std::vector<double> latencyBins(const std::vector<double>& ms);
/// The smallest latency within which the share `q` was answered; negative: there are none.
double latencyWithin(std::vector<double> ms, double q);

class TestTab : public DeployTab {
  Q_OBJECT
 public:
  explicit TestTab(const DeployContext& context, QWidget* parent = nullptr);
  void setWeights(const DeployWeights& weights) override;
  QString status() const override;
  FolderWatch& watch() { return *watch_; }

 private:
  QWidget* makeFolder();
  QWidget* makeSpeed();
  void startOrStop();
  void take(const WatchedImage& image);
  void showState();
  void measureOrStop();
  void takeSpeed(const Json& line);
  void addProved();
  void measureServer();
  void put(const QString& what, const QString& device, qint64 batch, double perSecond);
  const DeployContext context_;
  DeployWeights weights_;
  FolderWatch* watch_;
  PathField* folder_ = nullptr;
  QPushButton *start_ = nullptr, *measure_ = nullptr;
  QListWidget* wall_ = nullptr;
  QComboBox* device_ = nullptr;
  QLabel *figures_ = nullptr, *note_ = nullptr, *speedNote_ = nullptr;
  RateChart* chart_ = nullptr;
  QTableWidget* table_ = nullptr;
  QPointer<CommandProcess> bench_;
  ServerBench* serverBench_;
  std::vector<double> latency_;  // milliseconds, of this watch
  qint64 failures_ = 0;
};

}  // namespace nw::ui

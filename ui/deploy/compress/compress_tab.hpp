// SPDX-License-Identifier: GPL-3.0-or-later
// The tab Compress: a plan that makes the run smaller, what it would cost and bring, and what it did. Each step is a
// run of its own. GUI thread.
#pragma once
#include <QTimer>

#include "ui/deploy/compress/compress_state.hpp"
#include "ui/deploy/compress/cost_table.hpp"
#include "ui/deploy/compress/step_maker.hpp"
#include "ui/deploy/deploy_tab.hpp"

namespace nw::ui {

class FlipWall;
class ParetoChart;
class PlanPanel;
class SegmentedControl;
class StepStrip;

class CompressTab : public DeployTab {
  Q_OBJECT
 public:
  explicit CompressTab(const DeployContext& context, QWidget* parent = nullptr);
  ~CompressTab() override;
  void setWeights(const DeployWeights& weights) override;
  void setWatching(bool on) override;
  QString status() const override;
  PlanPanel& planPanel() { return *plan_; }
  ParetoChart& chart() { return *chart_; }
  CostTable& costs() { return *costs_; }
  FlipWall& wall() { return *wall_; }
  StepStrip& strip() { return *strip_; }
  const std::vector<CompressionRecord>& chain() const { return state_.chain; }
  bool busy() const { return maker_.isOn() || measuring_.isOn() || loading_; }
  void undo();
  void redo();
  void apply();
  void keep(const QString& name);

 private:
  QWidget* makeRight();
  QWidget* makeChart();
  void connectParts();
  void load();
  void take(CompressState state);
  void show();
  void planChanged();
  void predict();
  void measureNext();
  void begin(const QString& what, QVector<StepCommand> commands);
  void measured(const std::vector<Json>& answers);
  void saveBaseline(const Json& result);
  void takeSensitivity(const Json& answer);
  void askToKeep();
  void goTo(const QString& run);
  void showProgress();
  void idle(const QString& note = {});
  void report(const QString& sentence);
  QString checkpointName() const;
  StepPlaces places() const;
  const DeployContext context_;
  DeployWeights weights_;
  CompressState state_;
  StepMaker maker_;
  CommandChain measuring_;
  StepStrip* strip_;
  PlanPanel* plan_;
  ParetoChart* chart_ = nullptr;
  SegmentedControl* axis_ = nullptr;
  CostTable* costs_ = nullptr;
  FlipWall* wall_ = nullptr;
  QTimer settle_, clock_;
  QStringList undone_;  // runs that Redo goes to
  QString pending_;     // shown as soon as it is listed
  QString what_;        // that is measured: "measure", "trial-int8", "sensitivity", "trial"
  Json int8Trial_, planTrial_;
  CompressPlan tried_;
  double fraction_ = -1;
  bool watching_ = false, loading_ = false, moving_ = false, stopped_ = false, wantsSensitivity_ = true,
       int8Tried_ = false, baselineTried_ = false;
  quint64 turn_ = 0;
};

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The checkpoints of the followed run on the Train page, and branches from them.
#include <QMenu>
#include <algorithm>
#include <cmath>

#include "engine/runs/epochs.hpp"
#include "ui/session/background.hpp"
#include "ui/session/metric.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/train/branch_card.hpp"
#include "ui/train/branch_dialog.hpp"
#include "ui/train/train_charts.hpp"
#include "ui/train/train_page.hpp"

namespace nw::ui {

QWidget* TrainPage::makeBranches() {
  branches_ = new BranchCard;
  branches_->hide();
  connect(branches_, &BranchCard::branchAsked, this, [this](const QString&, qint64 step) { branchFromStep(step); });
  for (const char* id : {"loss", "accuracy", "learning_rate", "throughput"})
    if (const MetricChart* chart = charts_->chart(QLatin1String(id)))
      connect(chart, &MetricChart::menuAboutToShow, this, [this](QMenu* menu, double x) { addBranchEntry(*menu, x); });
  for (const auto signal :
       {&RunFeed::reset, &RunFeed::logArrived, &RunFeed::definitionArrived, &RunFeed::statusChanged})
    connect(&feed_, signal, this, &TrainPage::refreshCheckpoints);
  connect(&feed_, &RunFeed::epochArrived, this, &TrainPage::showLane);
  return branches_;
}

/// Reads them when the run has saved or ended since; another run's go at once.
void TrainPage::refreshCheckpoints() {
  const QString run = feed_.folder();
  const auto tells = [](const Event& e) {
    return std::holds_alternative<Saved>(e.what) || std::holds_alternative<Ended>(e.what);
  };
  const auto seen = static_cast<std::size_t>(std::count_if(feed_.log().begin(), feed_.log().end(), tells));
  if (run == checkpointsOf_ && seen == savedSeen_) return showLane();
  if (run != checkpointsOf_) checkpoints_.clear();
  checkpointsOf_ = run;
  savedSeen_ = seen;
  showLane();
  if (run.isEmpty()) return;
  inBackground(
      this,
      [folder = fs::path(run.toStdString()), epochs = feed_.epochs(), metric = feed_.started().metric] {
        return readCheckpoints(folder, epochs, metric);
      },
      [this, run](const QVector<RunCheckpoint>& all) {
        if (run != checkpointsOf_) return;
        checkpoints_ = all;
        showLane();
      });
}

void TrainPage::showLane() {
  branches_->setVisible(!checkpoints_.isEmpty());
  if (checkpoints_.isEmpty()) return;
  BranchLane lane{.run = feed_.folder(), .title = feed_.title(), .to = feed_.last().epoch, .series = 0};
  if (const EpochEnd* best = best_epoch(feed_.epochs()))
    lane.figure = metricText(feed_.started().metric, compared_accuracy(*best));
  lane.checkpoints = checkpoints_;
  qint64 bytes = 0;
  for (const RunCheckpoint& c : checkpoints_) bytes += c.bytes;
  const auto count = static_cast<int>(checkpoints_.size());
  branches_->setTitle(tr("Checkpoints"),
                      tr("%n kept", nullptr, count) + QStringLiteral(", ") + bytesText(static_cast<double>(bytes)));
  branches_->setLanes({lane}, static_cast<double>(feed_.started().epochs));
}

/// In the menu of a chart: the checkpoint nearest to the cursor, or the chosen one.
void TrainPage::addBranchEntry(QMenu& menu, double epoch) {
  const RunCheckpoint* nearest = std::isfinite(epoch) ? nullptr : branches_->tree().chosen();
  for (const RunCheckpoint& c : checkpoints_)
    if (std::isfinite(epoch) && (!nearest || std::abs(c.epoch - epoch) < std::abs(nearest->epoch - epoch)))
      nearest = &c;
  if (!nearest) return;
  menu.addSeparator();
  menu.addAction(tr("Branch from %1…").arg(checkpointTitle(*nearest)), this,
                 [this, step = nearest->step] { branchFromStep(step); });
}

void TrainPage::branchFromStep(std::int64_t step) { branchFrom(session_, feed_.folder(), step, this); }

bool TrainPage::branchHere() {
  if (feed_.folder().isEmpty()) return false;
  const RunCheckpoint* chosen = branches_->tree().chosen();
  branchFromStep(chosen ? chosen->step : -1);
  return true;
}

}  // namespace nw::ui

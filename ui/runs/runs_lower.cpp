// SPDX-License-Identifier: GPL-3.0-or-later
// The lower part of the Runs page: the compared curves or the tree of branches, and the chosen run's details.
#include <QHBoxLayout>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "engine/runs/index/run_record.hpp"
#include "ui/runs/run_details.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/runs/runs_view.hpp"
#include "ui/session/background.hpp"
#include "ui/session/metric.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/branch_card.hpp"
#include "ui/train/branch_dialog.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
const char *const treeKey = "runs/tree", *const partsKey = "runs/parts";
constexpr int most_lanes = 16;

/// In percentage points, or of R².
void putGain(BranchLane& lane, const RunSummary& run, const RunSummary& parent) {
  const double gain = (run.best_accuracy - parent.best_accuracy) * (run.metric == Metric::r2 ? 1 : 100);
  if (!std::isfinite(gain) || run.metric != parent.metric) return;
  const QString words = QString::number(std::abs(gain), 'f', 2);
  const bool none = words.toDouble() == 0;
  lane.gained = none ? 0 : gain > 0 ? 1 : -1;
  lane.gain = (none ? QStringLiteral("±") : gain > 0 ? QStringLiteral("+") : QStringLiteral("−")) + words;
}
}  // namespace

/// The table above curves and details; the border between them is dragged, and stays so for the next start.
QWidget* RunsPage::makeParts() {
  auto* parts = new QSplitter(Qt::Vertical);
  parts->setObjectName(QStringLiteral("runsParts"));
  parts->setChildrenCollapsible(false);
  parts->setHandleWidth(space::xs);
  parts->addWidget(makeTable());
  parts->addWidget(makeLower());
  parts->setStretchFactor(0, 8);
  parts->setStretchFactor(1, 7);
  parts->setSizes({800, 700});
  parts->restoreState(QSettings().value(QLatin1String(partsKey)).toByteArray());
  connect(parts, &QSplitter::splitterMoved, this,
          [parts] { QSettings().setValue(QLatin1String(partsKey), parts->saveState()); });
  return parts;
}

QWidget* RunsPage::makeLower() {
  chart_ = new RunChart(*model_, cursor_);
  connect(chart_, &RunChart::metricChanged, this, &RunsPage::sayBestFirst);
  connect(chart_, &MetricChart::message, &session_, &Session::message);
  sayBestFirst();
  branches_ = new BranchCard;
  connect(branches_, &BranchCard::branchAsked, this, &RunsPage::branchFromRun);
  branches_->offerComparison();
  connect(branches_, &BranchCard::comparisonAsked, this, &RunsPage::compareCurves);
  details_ = new RunDetails;
  connect(details_, &RunDetails::action, this, &RunsPage::act);
  connect(details_, &RunDetails::notesEdited, this, &RunsPage::saveNotes);
  lowerViews_ = new SegmentedControl;
  lowerViews_->setAccessibleName(tr("Curves or branches"));
  for (const QString& text : {tr("Curves"), tr("Branches")}) lowerViews_->addSegment(text);
  auto* shown = new QWidget;
  auto* stack = new QStackedLayout(shown);
  stack->addWidget(chart_);
  stack->addWidget(branches_);
  connect(lowerViews_, &SegmentedControl::currentChanged, stack, &QStackedLayout::setCurrentIndex);
  connect(lowerViews_, &SegmentedControl::currentChanged, this, &RunsPage::refreshBranches);
  auto* left = new QVBoxLayout;
  left->setSpacing(space::s);
  left->addWidget(lowerViews_, 0, Qt::AlignLeft);
  left->addWidget(shown, 1);
  auto* lower = new QWidget;
  makePane(*lower);
  auto* row = new QHBoxLayout(lower);
  row->setContentsMargins(space::m, space::m, space::m, space::m);
  row->setSpacing(space::m);
  row->addLayout(left, 4);
  row->addWidget(details_, 4);
  return lower;
}

QPushButton* RunsPage::makeTreeButton() {
  QPushButton* tree = makeButton(tr("Tree"), ButtonKind::neutral, QStringLiteral("branch"));
  tree->setObjectName(QStringLiteral("runsTree"));
  tree->setCheckable(true);
  tree->setToolTip(tr("Branches stand below the run they began with"));
  tree->setChecked(QSettings().value(QLatin1String(treeKey), true).toBool());
  filter_->setTree(tree->isChecked());
  connect(tree, &QPushButton::toggled, this, [this](bool on) {
    QSettings().setValue(QLatin1String(treeKey), on);
    filter_->setTree(on);
  });
  return tree;
}

/// The tree of the chosen run, while it is shown.
void RunsPage::refreshBranches() {
  const RunRow* chosen = table_->selectionModel()->hasSelection() ? chosenRun() : nullptr;
  const int wanted = ++lanesWanted_;
  if (!chosen || lowerViews_->current() == 0) return takeLanes({}, 1, {});
  const QVector<int> family = model_->tree().family(model_->find(chosen->id()), most_lanes);
  QVector<BranchLane> lanes;
  double epochs = 1;
  for (const int row : family) {
    const RunRow& run = model_->row(row);
    const RunSummary& s = run.summary;
    const int slot = model_->slotOf(run.id());
    BranchLane lane{.run = run.id(),
                    .title = run.title(),
                    .to = static_cast<double>(s.epochs_done),
                    .parent = static_cast<int>(family.indexOf(model_->tree().parent(row))),
                    .series = slot < RunModel::slots_count ? slot : -1};
    if (lane.parent >= 0 && run.record) lane.fork = std::max(0.0, run.record->parent_epoch);
    if (std::isfinite(s.best_accuracy)) lane.figure = metricText(s.metric, s.best_accuracy);
    if (lane.parent >= 0) putGain(lane, s, model_->row(family[lane.parent]).summary);
    epochs = std::max({epochs, static_cast<double>(s.epochs), lane.to});
    lanes.append(lane);
  }
  const QString root = lanes.front().title;
  inBackground(
      this,
      [lanes, known = checkpoints_]() mutable {
        for (BranchLane& lane : lanes) {
          const fs::path run(lane.run.toStdString());
          ReadCheckpoints& read = known[lane.run];
          if (const std::uint64_t stamp = stamp_of_run(run); stamp != read.stamp) read = {stamp, readCheckpoints(run)};
          lane.checkpoints = read.all;
        }
        return std::pair(lanes, known);
      },
      [this, wanted, epochs, root](const std::pair<QVector<BranchLane>, QHash<QString, ReadCheckpoints>>& read) {
        checkpoints_ = read.second;
        if (wanted == lanesWanted_) takeLanes(read.first, epochs, root);
      });
}

void RunsPage::takeLanes(QVector<BranchLane> lanes, double epochs, const QString& root) {
  branches_->setTitle(lanes.isEmpty() ? tr("Branches") : tr("Branches of %1").arg(root),
                      lanes.isEmpty() ? QString() : tr("best accuracy, over epochs"));
  branches_->setLanes(lanes, epochs);
}

/// In the chart are these runs and no others.
void RunsPage::compareCurves(const QStringList& runs) {
  for (const QString& run : model_->chosen())
    if (!runs.contains(run)) model_->setChosen(run, false);
  for (const QString& run : runs) model_->setChosen(run, true);
  lowerViews_->setCurrent(0);
}

void RunsPage::branchFromRun(const QString& run, std::int64_t step) {
  if (branchFrom(session_, run, step, this)) Q_EMIT goTo(QStringLiteral("train"));
}

bool RunsPage::branchHere() {
  if (tabs_->currentIndex() != 0 || !chosenRun()) return false;
  act(QStringLiteral("branch"));
  return true;
}

}  // namespace nw::ui

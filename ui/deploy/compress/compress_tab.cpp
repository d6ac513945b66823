// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/compress_tab.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <cmath>

#include "ui/deploy/compress/beside_or_below.hpp"
#include "ui/deploy/compress/flip_wall.hpp"
#include "ui/deploy/compress/pareto_chart.hpp"
#include "ui/deploy/compress/plan_panel.hpp"
#include "ui/deploy/compress/step_strip.hpp"
#include "ui/page/page.hpp"
#include "ui/session/background.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/panes.hpp"

namespace nw::ui {
namespace {

constexpr int settle_ms = 500, clock_ms = 500, least_panel = 340, most_panel = 520, wall_height = 240;
const QString measure_id = QStringLiteral("measure"), trial_int8_id = QStringLiteral("trial-int8"),
              sensitivity_id = QStringLiteral("sensitivity"), trial_id = QStringLiteral("trial");

ParetoPoint pointOf(const CompressionRecord& r, const QString& shown) {
  ParetoPoint p{.run = r.run, .name = titleOf(r), .accuracy = accuracyOf(r), .original = r.kind.isEmpty()};
  p.low = p.high = p.accuracy;
  if (const auto interval = r.result.find("interval"); interval != r.result.end() && interval->is_object())
    if (const auto ends = interval->find("after"); ends != interval->end() && ends->is_array() && ends->size() == 2 &&
                                                   (*ends)[0].is_number() && (*ends)[1].is_number())
      p.low = (*ends)[0], p.high = (*ends)[1];
  if (const auto bytes = r.result.find("bytes"); bytes != r.result.end() && bytes->is_object())
    p.cost[0] = numberAt(*bytes, "after");
  p.cost[1] = static_cast<double>(r.multiplyAdds);
  p.cost[2] = latencyMs(r.result, "after", 1);
  p.shown = r.run == shown;
  return p;
}

std::map<std::string, double> sharesOf(const CompressPlan& plan) {
  std::map<std::string, double> all;
  for (auto it = plan.removed.begin(); it != plan.removed.end(); ++it) all[it.key().toStdString()] = *it;
  return all;
}

}  // namespace

DeployTab* makeCompressTab(const DeployContext& context) { return new CompressTab(context); }

CompressTab::CompressTab(const DeployContext& context, QWidget* parent)
    : DeployTab(parent), context_(context), strip_(new StepStrip), plan_(new PlanPanel) {
  setObjectName(QStringLiteral("compressTab"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(strip_);
  auto* row = new QHBoxLayout;
  row->setSpacing(0);
  plan_->setMinimumWidth(least_panel);
  plan_->setMaximumWidth(most_panel);
  row->addWidget(plan_, 2);
  row->addWidget(makeRight(), 5);
  column->addLayout(row, 1);
  settle_.setSingleShot(true);
  settle_.setInterval(settle_ms);
  clock_.setInterval(clock_ms);
  connectParts();
}

CompressTab::~CompressTab() {
  measuring_.disconnect(this);
  maker_.disconnect(this);
}

QWidget* CompressTab::makeRight() {
  auto* inside = new DeployGround(&Theme::canvas);
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(space::m);
  auto* card = new Card(tr("Before and after"));
  costs_ = new CostTable(card);
  static_cast<QVBoxLayout*>(card->body()->layout())->addWidget(costs_);
  column->addWidget(new BesideOrBelow(makeChart(), card, inside));
  wall_ = new FlipWall(context_.session.helper());
  wall_->setMinimumHeight(wall_height);
  column->addWidget(wall_, 1);
  auto* area = new QScrollArea;
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setFocusPolicy(Qt::NoFocus);
  area->setAccessibleName(tr("What was measured"));
  area->setWidget(inside);
  return area;
}

QWidget* CompressTab::makeChart() {
  auto* card = new Card;
  makePane(*card);
  card->setTitle(tr("Accuracy"), tr("test, %"));
  axis_ = new SegmentedControl(card);
  axis_->setObjectName(QStringLiteral("paretoAxis"));
  axis_->setAccessibleName(tr("Cost"));
  for (const QString& text : {tr("Size"), tr("Multiply-adds"), tr("Latency")}) axis_->addSegment(text);
  static_cast<QHBoxLayout*>(card->titleRow()->layout())->addWidget(axis_);
  chart_ = new ParetoChart(card);
  static_cast<QVBoxLayout*>(card->body()->layout())->addWidget(chart_, 1);
  connect(axis_, &SegmentedControl::currentChanged, this,
          [this](int axis) { chart_->setAxis(static_cast<CostAxis>(axis)); });
  return card;
}

void CompressTab::connectParts() {
  connect(plan_, &PlanPanel::planChanged, this, &CompressTab::planChanged);
  connect(plan_, &PlanPanel::applyRequested, this, &CompressTab::apply);
  connect(plan_, &PlanPanel::criterionChanged, this, [this] {
    if (what_ == sensitivity_id) measuring_.cancel();  // it is of the other criterion
    stopped_ = false;
    load();
  });
  connect(plan_, &PlanPanel::measureRequested, this, [this] {
    stopped_ = false;
    wantsSensitivity_ = true;
    baselineTried_ = int8Tried_ = false;
    measureNext();
  });
  connect(plan_, &PlanPanel::stopRequested, this, [this] {
    maker_.stop();
    stopped_ = true;
    measuring_.stop();
  });
  connect(strip_, &StepStrip::chosen, this, &CompressTab::goTo);
  connect(strip_, &StepStrip::undoRequested, this, &CompressTab::undo);
  connect(strip_, &StepStrip::redoRequested, this, &CompressTab::redo);
  connect(strip_, &StepStrip::keepRequested, this, &CompressTab::askToKeep);
  connect(chart_, &ParetoChart::chosen, this, &CompressTab::goTo);
  connect(wall_, &FlipWall::opened, this,
          [this](qint64 sample) { Q_EMIT openSample(weights_.run, weights_.checkpoint, sample); });
  connect(&settle_, &QTimer::timeout, this, &CompressTab::measureNext);
  connect(&clock_, &QTimer::timeout, this, &CompressTab::showProgress);
  connect(&maker_, &StepMaker::progressed, this, &CompressTab::showProgress);
  connect(&maker_, &StepMaker::failed, this, [this](const QString& sentence) {
    idle(sentence.isEmpty() ? tr("Stopped; nothing was kept of the step") : QString());
    report(sentence);
    if (state_.chain.empty() || state_.chain.back().run != weights_.run) load();  // a step before it was made
  });
  connect(&maker_, &StepMaker::made, this, [this](const CompressionRecord& record, bool last) {
    undone_.clear();
    if (last) idle();
    pending_ = record.run;
    context_.weights.refresh(weights_.run);
  });
  connect(&measuring_, &CommandChain::finished, this, &CompressTab::measured);
  connect(&measuring_, &CommandChain::failed, this, [this](const QString& sentence) {
    if (what_ == sensitivity_id) wantsSensitivity_ = false;
    idle(sentence.isEmpty() ? tr("Stopped") : sentence);
    if (!stopped_) measureNext();
  });
  connect(&measuring_, &CommandChain::line, this, [this](const QString&, const Json& line) {
    if (textAt(line, "type") != QLatin1String("progress")) return;
    fraction_ = numberAt(line, "done") / std::max(1.0, numberAt(line, "of", 1));
    showProgress();
  });
  connect(&context_.weights, &WeightsList::refreshed, this, [this] {
    if (pending_.isEmpty() || !context_.weights.find(pending_)) return;
    moving_ = true;
    Q_EMIT context_.weights.chosen(std::exchange(pending_, {}), QStringLiteral("best"));
    moving_ = false;
  });
  const auto on = [this](const char* id, auto act) {
    connect(action(QLatin1String(id)), &QAction::triggered, this, [this, act] {
      if (isVisible()) act();
    });
  };
  on("compress-make", [this] { maker_.isOn() ? maker_.stop() : apply(); });
  on("compress-undo", [this] { undo(); });
  on("compress-redo", [this] { redo(); });
  on("compress-keep", [this] { askToKeep(); });
}

QString CompressTab::checkpointName() const { return QString::fromStdString(checkpoint_name(weights_.step)); }

StepPlaces CompressTab::places() const { return {weights_.run, checkpointName(), {}, state_.project}; }

void CompressTab::setWeights(const DeployWeights& weights) {
  const bool other = weights.run != weights_.run || weights.step != weights_.step;
  if (!moving_ && weights.run != weights_.run) undone_.clear();
  weights_ = weights;
  if (!other || maker_.isOn()) return;
  state_ = {};
  stopped_ = int8Tried_ = baselineTried_ = false;
  wantsSensitivity_ = true;
  measuring_.cancel();
  idle();
  if (watching_) load();
}

void CompressTab::setWatching(bool on) {
  const bool first = on && !watching_;
  watching_ = on;
  if (first && state_.chain.empty()) load();
  if (first) measureNext();
}

void CompressTab::load() {
  if (weights_.run.isEmpty() || maker_.isOn()) return;
  loading_ = true;
  const QString criterion = plan_->plan().criterion;
  inBackground(
      this,
      [run = weights_.run, checkpoint = checkpointName(), criterion] {
        return readCompressState(run, checkpoint, criterion);
      },
      [this, turn = ++turn_](CompressState state) {
        if (turn != turn_) return;
        loading_ = false;
        take(std::move(state));
      },
      [this] { loading_ = false; });
}

void CompressTab::take(CompressState state) {
  const bool same = !state_.chain.empty() && !state.chain.empty() && state_.chain.back().run == state.chain.back().run;
  state_ = std::move(state);
  if (!same) {
    plan_->setLayers(state_.table ? state_.table->layers() : std::vector<compress::PlannedLayer>(),
                     state_.problem.isEmpty() ? state_.locked : state_.problem);
    QVector<QPair<QString, QString>> teachers;
    if (!weights_.run.isEmpty() && state_.locked.isEmpty()) teachers.push_back({tr("This run"), weights_.run});
    if (state_.chain.size() > 1) teachers.push_back({tr("The original"), state_.chain.front().run});
    plan_->setTeachers(teachers);
    plan_->setInt8Warning({});
    int8Trial_ = planTrial_ = Json();
  }
  plan_->setSensitivity(state_.sensitivity);
  if (!plan_->hasSensitivity()) wantsSensitivity_ = !stopped_;
  show();
  measureNext();
}

void CompressTab::show() {
  strip_->setChain(state_.chain, !undone_.isEmpty());
  if (state_.chain.empty()) return;
  std::vector<ParetoPoint> points;
  for (const CompressionRecord& r : state_.attempts)
    if (accuracyOf(r) >= 0) points.push_back(pointOf(r, weights_.run));
  chart_->setPoints(std::move(points));
  costs_->setRuns(state_.chain.front(), state_.chain.back());
  const Json& result = state_.chain.size() > 1 ? state_.chain.back().result : Json::object();
  wall_->setResult(result, state_.classes, {state_.chain.front().run.toStdString(), std::string("best")});
  predict();
  Q_EMIT statusChanged();
}

void CompressTab::planChanged() {
  planTrial_ = Json();
  predict();
  settle_.start();
}

/// From the sizes of the layers, at once.
void CompressTab::predict() {
  const CompressPlan plan = plan_->plan();
  if (!state_.table || (plan.removed.isEmpty() && !plan_->int8())) {
    chart_->setPlanned({});
    return costs_->setPlan({});
  }
  const compress::PlanCosts c = state_.table->costs(sharesOf(plan));
  const Json& trial = plan_->int8() ? int8Trial_ : planTrial_;
  PlannedCosts planned{.bytes = static_cast<double>(plan_->int8() ? c.int8_bytes : c.bytes),
                       .parameters = static_cast<double>(c.parameters),
                       .multiplyAdds = static_cast<double>(c.multiply_adds),
                       .trial = plan_->int8() && !plan.removed.isEmpty() ? Json::object()
                                : trial.is_object()                      ? trial
                                                                         : Json::object()};
  chart_->setPlanned({planned.bytes, planned.multiplyAdds, latencyMs(planned.trial, "after", 1)});
  costs_->setPlan(planned);
}

/// One measurement at a time, the quick ones first: they would disturb each other.
void CompressTab::measureNext() {
  if (!watching_ || stopped_ || loading_ || maker_.isOn() || measuring_.isOn() || state_.chain.empty() || !state_.table)
    return;
  const CompressPlan plan = plan_->plan();
  if (const QString original = state_.chain.front().run; accuracyOf(state_.chain.front()) < 0 && !baselineTried_) {
    baselineTried_ = true;
    return begin(measure_id, {{measure_id,
                               {QStringLiteral("changed-predictions"), original, original, QStringLiteral("--seconds"),
                                QStringLiteral("0.2")}}});
  }
  if (!state_.locked.isEmpty()) return;
  for (const StepKind& kind : stepKinds())
    if (kind.last && !int8Tried_) {
      int8Tried_ = true;
      return begin(trial_int8_id, {{trial_id, trialArguments(kind, plan, places())}});
    }
  if (!plan_->hasSensitivity() && wantsSensitivity_)
    return begin(sensitivity_id, {{sensitivity_id,
                                   {QStringLiteral("sensitivity"), weights_.run, QStringLiteral("--checkpoint"),
                                    checkpointName(), QStringLiteral("--criterion"), plan.criterion}}});
  if (plan.removed.isEmpty() || planTrial_.is_object() || settle_.isActive()) return;
  tried_ = plan;
  begin(trial_id, {{trial_id, trialArguments(stepKinds().front(), plan, places())}});
}

void CompressTab::begin(const QString& what, QVector<StepCommand> commands) {
  what_ = what;
  fraction_ = -1;
  measuring_.start(std::move(commands));
  clock_.start();
  showProgress();
}

void CompressTab::measured(const std::vector<Json>& answers) {
  if (answers.empty()) return;
  const Json& answer = answers.back();
  idle();
  if (what_ == measure_id) return saveBaseline(answer);
  if (what_ == sensitivity_id) return takeSensitivity(answer);
  if (what_ == trial_int8_id) {
    int8Trial_ = answer;
    plan_->setInt8Warning(slowerSentence(answer));
  } else if (tried_.removed == plan_->plan().removed) {
    planTrial_ = answer;
    plan_->setPlanWarning(slowerSentence(answer));
  }
  predict();
  measureNext();
}

void CompressTab::saveBaseline(const Json& result) {
  CompressionRecord record = state_.chain.front();
  record.result = result;
  inBackground(
      this,
      [record] {
        const CompressionRecord whole = withCosts(record);
        return std::pair(whole, saveCompression(whole));
      },
      [this, turn = turn_](const std::pair<CompressionRecord, Status>& saved) {
        if (turn != turn_ || state_.chain.empty()) return;
        state_.chain.front() = saved.first;
        std::erase_if(state_.attempts, [&](const CompressionRecord& r) { return r.run == saved.first.run; });
        state_.attempts.push_back(saved.first);
        show();
        measureNext();
      });
}

void CompressTab::takeSensitivity(const Json& answer) {
  state_.sensitivity = answer;
  plan_->setSensitivity(answer);
  wantsSensitivity_ = false;
  inBackground(
      this,
      [run = weights_.run.toStdString(), checkpoint = checkpointName(), criterion = plan_->plan().criterion, answer] {
        return saveSensitivity(run, checkpoint, criterion, answer);
      },
      [](const Status&) {});  // kept for next time only
  measureNext();
}

void CompressTab::showProgress() {
  const bool own = maker_.isOn();
  if (!own && !measuring_.isOn()) return clock_.stop();
  const QString stage = stageOfStep(own ? maker_.stage() : measuring_.stage());
  const double seconds = own ? maker_.seconds() : measuring_.seconds();
  const QString text = seconds < 1 ? stage : tr("%1 · %2").arg(stage, durationText(std::floor(seconds)));
  plan_->setBusy(text, own ? maker_.fraction() : fraction_, own);
  Q_EMIT statusChanged();
}

void CompressTab::idle(const QString& note) {
  clock_.stop();
  plan_->setIdle(note);
  Q_EMIT statusChanged();
}

void CompressTab::report(const QString& sentence) {
  if (!sentence.isEmpty()) Q_EMIT context_.session.message(sentence, 2);
}

QString CompressTab::status() const {
  if (maker_.isOn()) return stageOfStep(maker_.stage());
  return tr("Drag a slider: size and multiply-adds are predicted at once, the rest is measured");
}

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/trial_panel.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/study/study_plot.hpp"
#include "ui/study/study_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {

/// The trial that others are compared with: the best, or the first of the front.
qint64 comparedWith(const StudySnapshot& s) { return !s.front.isEmpty() ? s.front.first() : s.best; }

QString distanceText(const search::Objective& o, double value, double best) {
  if (!std::isfinite(value) || !std::isfinite(best) || value == best) return {};
  if (o.metric == "accuracy")
    return QStringLiteral("%1%2").arg(value < best ? "−" : "+").arg(100 * std::abs(value - best), 0, 'f', 2);
  const double factor = value / best;
  if (!(factor > 0)) return {};
  return factor < 1 ? QStringLiteral("÷ %1").arg(1 / factor, 0, 'f', 1) : QStringLiteral("× %1").arg(factor, 0, 'f', 1);
}

}  // namespace

TrialPanel::TrialPanel(StudyModel& model, QWidget* parent) : QScrollArea(parent), model_(model) {
  setObjectName(QStringLiteral("trialPanel"));
  setAccessibleName(tr("Chosen trial"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setMinimumWidth(312);
  makePane(*this);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::s);
  title_ = makeLabel({}, 1, static_cast<int>(TextRole::title));
  state_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  figures_ = makeLabel({}, 1, static_cast<int>(TextRole::body));
  differs_ = makeLabel(tr("Differs from the best"), 1, static_cast<int>(TextRole::node));
  differences_ = new QWidget;
  new QGridLayout(differences_);
  differences_->layout()->setContentsMargins(0, 0, 0, 0);
  course_ = new CourseChart(model);
  repeats_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  for (QLabel* label : {state_, figures_, repeats_}) label->setWordWrap(true);
  again_ = makeButton(tr("Train the best again with 5 seeds"), ButtonKind::tonal, QStringLiteral("repeat"));
  again_->setObjectName(QStringLiteral("repeatBest"));
  run_ = makeButton(tr("Open run"), ButtonKind::neutral, QStringLiteral("chart"));
  run_->setObjectName(QStringLiteral("openTrialRun"));
  network_ = makeButton(tr("Open network"), ButtonKind::neutral, QStringLiteral("page-design"));
  network_->setObjectName(QStringLiteral("openTrialNetwork"));
  for (QWidget* w : std::initializer_list<QWidget*>{title_, state_, figures_, differs_, differences_, course_})
    column->addWidget(w);
  column->addStretch(1);
  for (QWidget* w : std::initializer_list<QWidget*>{repeats_, again_}) column->addWidget(w);
  auto* row = new QHBoxLayout;
  row->addWidget(network_);
  row->addWidget(run_);
  column->addLayout(row);
  setWidget(content);
  connect(run_, &QPushButton::clicked, this, [this] { Q_EMIT openRun(model_.current()); });
  connect(network_, &QPushButton::clicked, this, [this] { Q_EMIT openNetwork(model_.current()); });
  connect(again_, &QPushButton::clicked, this, &TrialPanel::repeatBest);
  connect(&model, &StudyModel::changed, this, &TrialPanel::refresh);
  connect(&model, &StudyModel::currentChanged, this, &TrialPanel::refresh);
  refresh();
}

void TrialPanel::refresh() {
  const search::Trial* trial = model_.currentTrial();
  for (QWidget* w : std::initializer_list<QWidget*>{state_, figures_, differs_, differences_, course_, run_, network_})
    w->setVisible(trial);
  title_->setText(trial ? tr("Trial %1").arg(trial->number) : tr("No trial is chosen"));
  again_->setVisible(false);
  repeats_->setVisible(false);
  if (!trial) return;
  const StudySnapshot& study = *model_.data();
  const bool best = trial->number == study.best, front = study.front.contains(trial->number);
  const QString role = best ? tr("the best") : front ? tr("on the front") : QString();
  title_->setText(role.isEmpty() ? tr("Trial %1").arg(trial->number) : tr("Trial %1, %2").arg(trial->number).arg(role));
  state_->setText(stateText(study, *trial));
  refreshFigures(study, *trial);
  refreshDifferences(study, *trial);
  refreshRepeats(study);
}

void TrialPanel::refreshFigures(const StudySnapshot& study, const search::Trial& trial) {
  QStringList lines;
  const qint64 other = comparedWith(study);
  for (std::size_t i = 0; i < study.definition.objectives.size(); ++i) {
    const search::Objective& o = study.definition.objectives[i];
    const auto valueOf = [&](qint64 n) {
      const auto& values = study.trials[static_cast<std::size_t>(n)].values;
      return i < values.size() ? values[i] : i == 0 ? study.values[n] : std::nan("");
    };
    const double value = valueOf(trial.number);
    const QString distance = other >= 0 && other != trial.number ? distanceText(o, value, valueOf(other)) : QString();
    lines += QStringLiteral("%1: %2%3")
                 .arg(objectiveTitle(o), objectiveText(o.metric, value),
                      distance.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(distance));
  }
  lines += tr("Time: %1").arg(durationText(study.seconds[trial.number]));
  figures_->setText(lines.join(u'\n'));
}

/// Of the best trial itself: all its settings.
void TrialPanel::refreshDifferences(const StudySnapshot& study, const search::Trial& trial) {
  auto* grid = static_cast<QGridLayout*>(differences_->layout());
  while (QLayoutItem* item = grid->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const qint64 other = comparedWith(study);
  const bool alone = other < 0 || other == trial.number;
  differs_->setText(alone ? tr("Settings") : tr("Differs from trial %1").arg(other));
  const auto& parameters = study.definition.space.parameters;
  int row = 0;
  for (std::size_t i = 0; i < parameters.size() && row < 24; ++i) {
    const double mine = trial.point[i], theirs = alone ? mine : study.trials[static_cast<std::size_t>(other)].point[i];
    const bool same = mine == theirs || (std::isnan(mine) && std::isnan(theirs));
    if (!alone && same) continue;
    grid->addWidget(makeElidedLabel(parameterTitle(parameters[i].name), 2), row, 0);
    grid->addWidget(makeLabel(parameterText(parameters[i], mine)), row, 1, Qt::AlignRight);
    if (!alone) grid->addWidget(makeLabel(parameterText(parameters[i], theirs), 3), row, 2, Qt::AlignRight);
    ++row;
  }
  grid->setColumnStretch(0, 1);
}

void TrialPanel::refreshRepeats(const StudySnapshot& study) {
  if (study.best < 0) return;
  const search::Spread s = search::spread_of(study.repeats, study.best);
  const search::Objective& o = study.definition.objectives.front();
  const auto deviation = o.metric == "accuracy" ? QStringLiteral("%1").arg(100 * s.deviation, 0, 'f', 2)
                                                : QString::number(s.deviation, 'g', 2);
  repeats_->setText(
      s.runs == 0 ? tr("Gives the spread of trial %1: how much of its value is chance.").arg(study.best)
                  : tr("Trial %1 with %n other seed(s): %2 ± %3, from %4 to %5.", nullptr, static_cast<int>(s.runs))
                        .arg(study.best)
                        .arg(objectiveText(o.metric, s.mean), deviation, objectiveText(o.metric, s.low),
                             objectiveText(o.metric, s.high)));
  repeats_->setVisible(true);
  again_->setVisible(true);
  again_->setEnabled(!study.running && study.canGoOn);
  again_->setToolTip(study.running    ? tr("The study is running.")
                     : !study.canGoOn ? tr("The study's folder lacks the project or the space.")
                                      : QString());
}

CourseChart::CourseChart(StudyModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  setAccessibleName(tr("Course of the trial"));
  setFixedHeight(150);
}

void CourseChart::paintEvent(QPaintEvent*) {
  const search::Trial* trial = model_.currentTrial();
  if (!trial) return;
  const StudySnapshot& study = *model_.data();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF area(58, 10, width() - 66.0, height() - 34.0);
  paintValueGrid(p, area, study, *study.axis(-1));
  const auto last = static_cast<double>(std::max<qint64>(1, study.definition.epochs));
  p.setPen(QPen(theme().border3, 1, Qt::DashLine));
  for (const qint64 epoch : study.rungs) {
    const qreal x = area.left() + area.width() * static_cast<double>(epoch) / last;
    p.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  }
  const auto draw = [&](const search::Trial& t, int series) {
    QPolygonF line;
    for (const search::Report& r : t.reports)
      line.append({area.left() + area.width() * static_cast<double>(r.epoch) / last,
                   area.bottom() - area.height() * std::clamp(study.axis(-1)->place(r.value), 0.0, 1.0)});
    QPen pen(theme().series[series], 1.8);
    if (!seriesDash(series).isEmpty()) pen.setDashPattern(seriesDash(series));
    p.setPen(pen);
    p.drawPolyline(line);
  };
  const qint64 other = comparedWith(study);
  if (other >= 0 && other != trial->number) draw(study.trials[static_cast<std::size_t>(other)], 0);
  draw(*trial, other == trial->number ? 0 : 1);
  paintWord(p, QRectF(area.left(), height() - 18, area.width(), 16), tr("Epoch"), ui::font(TextRole::axis),
            theme().text2, Qt::AlignHCenter);
}

}  // namespace nw::ui

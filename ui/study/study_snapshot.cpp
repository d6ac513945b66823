// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

namespace nw::ui {

namespace {
constexpr std::size_t most_axes = 9;  // of parameters
constexpr int resamples = 30;
constexpr double shown_part = 0.8;  // of the trials by an objective: the worst ones are at the end of the scale
constexpr double none = std::numeric_limits<double>::quiet_NaN();

double inner(bool log, double v) { return log ? std::log(v) : v; }

double valueOf(const search::Trial& t, std::size_t objective) {
  if (objective < t.values.size()) return t.values[objective];
  const auto report = search::last_report(t);
  return objective == 0 && report ? report->value : none;
}

void fillPlaces(StudyAxis& axis, const QVector<double>& values) {
  for (const double v : values)
    axis.places.append(static_cast<float>(std::isnan(v) ? none : std::clamp(axis.place(v), 0.0, 1.0)));
}

StudyAxis axisOfParameter(const StudySnapshot& s, std::size_t i) {
  const search::Parameter& p = s.definition.space.parameters[i];
  StudyAxis axis;
  axis.parameter = static_cast<int>(i);
  const bool choice = p.kind == search::Parameter::Kind::choice;
  axis.low = choice ? 0 : p.low;
  axis.high = choice ? static_cast<double>(p.values.size()) - 1 : p.high;
  axis.log = p.log;
  QVector<double> values;
  for (const search::Trial& t : s.trials) values.append(t.point[i]);
  fillPlaces(axis, values);
  return axis;
}

/// From the worst of the better part to the best.
StudyAxis axisOfObjective(const StudySnapshot& s, std::size_t objective) {
  StudyAxis axis;
  axis.objective = static_cast<int>(objective);
  axis.better = s.definition.objectives[objective].maximize;
  QVector<double> values, known;
  for (const search::Trial& t : s.trials) {
    values.append(valueOf(t, objective));
    if (!std::isnan(values.last())) known.append(values.last());
  }
  if (!known.isEmpty()) {
    std::sort(known.begin(), known.end());
    const auto cut = static_cast<qsizetype>(shown_part * static_cast<double>(known.size() - 1));
    axis.low = axis.better ? known[known.size() - 1 - cut] : known.first();
    axis.high = axis.better ? known.last() : known[cut];
    if (axis.low == axis.high) axis.low -= 1e-9 + std::abs(axis.low) * 1e-3;
  }
  for (const qint64 trial : s.front) {
    axis.low = std::min(axis.low, s.trials[static_cast<std::size_t>(trial)].values[objective]);
    axis.high = std::max(axis.high, s.trials[static_cast<std::size_t>(trial)].values[objective]);
  }
  fillPlaces(axis, values);
  return axis;
}

void fillAxes(StudySnapshot& s) {
  for (const search::Importance& i : s.importance)
    if (s.axes.size() < most_axes) s.axes.push_back(axisOfParameter(s, i.parameter));
  for (std::size_t o = 0; o < s.definition.objectives.size(); ++o) s.axes.push_back(axisOfObjective(s, o));
}

void fillRungs(StudySnapshot& s) {
  const search::StudyDefinition& d = s.definition;
  if (d.pruner != "asha") return;
  for (qint64 epoch = d.first_rung; epoch < d.epochs && s.rungs.size() < 20; epoch *= d.reduction)
    s.rungs.append(epoch);
  s.rungs.append(d.epochs);
}
}  // namespace

double StudyAxis::place(double v) const {
  const double size = inner(log, high) - inner(log, low);
  return size > 0 ? (inner(log, v) - inner(log, low)) / size : 0.5;
}

double StudyAxis::value(double place) const {
  const double v = inner(log, low) + place * (inner(log, high) - inner(log, low));
  return log ? std::exp(v) : v;
}

qint64 epochsOf(const search::Trial& trial) {
  const auto report = search::last_report(trial);
  const bool paused = trial.state == search::TrialState::paused;
  return report ? report->epoch : paused || trial.state == search::TrialState::complete ? trial.to_epoch : 0;
}

const StudyAxis* StudySnapshot::axis(int key) const {
  for (const StudyAxis& a : axes)
    if (a.key() == key) return &a;
  return nullptr;
}

qint64 StudySnapshot::count(search::TrialState state) const {
  return std::count_if(trials.begin(), trials.end(), [&](const search::Trial& t) { return t.state == state; });
}

qint64 StudySnapshot::epochsSpent() const {
  qint64 sum = 0;
  for (const search::Trial& t : trials) sum += epochsOf(t);
  return sum;
}

double StudySnapshot::secondsLeft() const {
  const auto begun = static_cast<qint64>(trials.size());
  const qint64 spent = epochsSpent();
  if (!running || pace <= 0 || begun == 0 || spent == 0) return 0;
  const double each = static_cast<double>(spent) / static_cast<double>(begun);
  double epochs = each * static_cast<double>(std::max<qint64>(0, wanted - begun));
  for (const search::Trial& t : trials)
    if (t.state == search::TrialState::running)
      epochs += static_cast<double>(std::max<qint64>(0, t.to_epoch - epochsOf(t)));
  return epochs * pace;
}

StudyData snapshotOf(const search::StudyTail& tail, bool running, double clock) {
  auto s = std::make_shared<StudySnapshot>();
  const search::Study& study = tail.study();
  s->folder = tail.folder();
  s->version = tail.version();
  s->running = running;
  s->held = running && study.held();
  s->definition = study.definition();
  s->trials = study.trials();
  s->repeats = study.repeats();
  s->wanted = std::max<qint64>(study.wanted(), static_cast<qint64>(s->trials.size()));
  s->stretches = tail.timeline().stretches();
  s->lanes = tail.timeline().lanes();
  s->nowS = tail.timeline().seconds();
  if (running) s->nowS += std::clamp(clock - tail.timeline().last_clock(), 0.0, 3600.0);
  s->importance = search::importances(s->definition.space, s->definition.objectives, s->trials, resamples);
  for (const search::Trial& t : s->trials) {
    s->values.append(valueOf(t, 0));
    s->seconds.append(tail.timeline().seconds_of(t.number, s->nowS));
  }
  if (const search::Trial* best = study.best()) s->best = best->number;
  for (const search::Trial* t : search::pareto_front(s->trials, s->definition.objectives)) s->front.append(t->number);
  if (const qint64 spent = s->epochsSpent(); spent > 0) s->pace = s->nowS / static_cast<double>(spent);
  fillRungs(*s);
  fillAxes(*s);
  std::error_code ignored;
  s->canGoOn = fs::is_regular_file(fs::symlink_status(s->folder / search::project_copy, ignored)) &&
               fs::is_regular_file(fs::symlink_status(s->folder / search::space_copy, ignored));
  return s;
}

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/axis_ticks.hpp"

#include <algorithm>
#include <cmath>

#include "ui/charts/chart_scale.hpp"
#include "ui/study/study_text.hpp"

namespace nw::ui {

namespace {
constexpr double most_values = 20;  // of a parameter that is labelled with its values

/// Labels of a choice, or of few numbers at equal distances, as far as there is room; nothing: there are others.
QVector<AxisTick> ticksOfValues(const search::Parameter& p, const StudyAxis& axis, double least) {
  const bool choice = p.kind == search::Parameter::Kind::choice;
  const double each = choice ? 1 : p.step, between = each > 0 ? std::round((axis.high - axis.low) / each) : 0;
  if (!choice && (axis.log || between < 1 || between > most_values)) return {};
  if (between < 1) return {{0.5, parameterText(p, axis.low)}};
  QVector<AxisTick> out;
  const double step = std::max(1.0, std::ceil(least * between - 1e-9));
  for (double i = 0; i <= between; i += step) out.append({i / between, parameterText(p, axis.low + i * each)});
  return out;
}

/// Round numbers of the axis; of a parameter after the ends of its range.
QVector<double> candidates(const search::Parameter* p, const StudyAxis& axis, double least) {
  const Range range{axis.low, axis.high};
  if (!(range.size() > 0)) return {axis.low};
  QVector<double> round = axis.log ? ticksWithRoom(logTicks(range), range, least, true)
                                   : linearTicks(range, std::max(2, static_cast<int>(1 / least)));
  if (!p) return round;
  if (p->kind == search::Parameter::Kind::integer) round.removeIf([](double v) { return v != std::round(v); });
  return QVector<double>{axis.low, axis.high} + round;
}
}  // namespace

QVector<AxisTick> axisTicks(const StudySnapshot& study, const StudyAxis& axis, double least) {
  const search::Parameter* p =
      axis.parameter < 0 ? nullptr : &study.definition.space.parameters[static_cast<std::size_t>(axis.parameter)];
  QVector<AxisTick> out = p ? ticksOfValues(*p, axis, least) : QVector<AxisTick>();
  if (!out.isEmpty()) return out;
  for (const double v : candidates(p, axis, least)) {
    const double place = axis.place(v);
    if (std::any_of(out.begin(), out.end(), [&](const AxisTick& t) { return std::abs(t.place - place) < least; }))
      continue;
    const auto& objectives = study.definition.objectives;
    out.append({place, p ? parameterText(*p, v)
                         : objectiveText(objectives[static_cast<std::size_t>(axis.objective)].metric, v)});
  }
  std::sort(out.begin(), out.end(), [](const AxisTick& a, const AxisTick& b) { return a.place < b.place; });
  return out;
}

}  // namespace nw::ui

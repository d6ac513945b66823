// SPDX-License-Identifier: GPL-3.0-or-later
// Where the axes of a study's views have labels, and what these say.
#pragma once
#include "ui/study/study_snapshot.hpp"

namespace nw::ui {

struct AxisTick {
  double place = 0;  // 0…1 on the axis
  QString text;
};

/// Labels from low to high, at least `least` of the axis apart: of an objective at round numbers, of a parameter at the
/// ends of its range and at round numbers between, of a choice at its values.
QVector<AxisTick> axisTicks(const StudySnapshot& study, const StudyAxis& axis, double least);

}  // namespace nw::ui

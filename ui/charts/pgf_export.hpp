// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a picture of PGFPlots, typeset with the fonts of a paper: values with 10 digits, colours and dashes of
// the light theme. The file compiles alone (class standalone) and can be included by \input with the package of that
// name.
#pragma once
#include <QString>

namespace nw::ui {

class MetricChart;

QString pgfOf(const MetricChart& chart);

}  // namespace nw::ui

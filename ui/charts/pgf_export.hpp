// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a picture of PGFPlots, to be typeset with the words of a paper: numbers as they are, colours and dashes of
// the light theme. The file compiles alone (class standalone) and can be taken up by \input with the package of that
// name.
#pragma once
#include <QString>

namespace nw::ui {

class MetricChart;

QString pgfOf(const MetricChart& chart);

}  // namespace nw::ui

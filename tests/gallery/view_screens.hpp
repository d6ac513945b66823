// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of the Predict page's other views, and of the data check.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* predictMetrics(Stage& s);
bool metricsShown(Stage& s);
QWidget* predictLabels(Stage& s);
QWidget* predictLabelMetrics(Stage& s);
bool labelsMeasured(Stage& s);
QWidget* predictNumbers(Stage& s);
QWidget* predictNumberMetrics(Stage& s);
bool numbersShown(Stage& s);
QWidget* predictLabelIssues(Stage& s);
bool labelIssuesShown(Stage& s);
QWidget* predictPlayground(Stage& s);
bool playgroundShown(Stage& s);
QWidget* predictMap(Stage& s);
bool mapShown(Stage& stage);
bool neighborsShown(Stage& stage);
bool similarShown(Stage& s);
QWidget* dataDefects(Stage& s);
bool defectsShown(Stage& s);

}  // namespace nw::ui

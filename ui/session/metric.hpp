// SPDX-License-Identifier: GPL-3.0-or-later
// The window's text for a run's metric beside its loss, which depends on the task (Started::metric).
#pragma once
#include <QString>

#include "engine/runs/events.hpp"

namespace nw::ui {

/// "Accuracy", "All labels correct", "R²".
QString metricTitle(Metric metric);
/// "98.10 %"; of R² "0.9810". Every place that shows a run's metric uses it, with the same number of decimals.
QString metricText(Metric metric, double value);
/// "Best validation accuracy", "All labels correct, best in validation".
QString bestCaption(Metric metric, bool validated);
/// "Test accuracy 98.10 %", "Test: R² 0.9810".
QString testSentence(Metric metric, double value);

}  // namespace nw::ui

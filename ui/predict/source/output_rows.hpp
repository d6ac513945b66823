// SPDX-License-Identifier: GPL-3.0-or-later
// A network's prediction for one image as rows of bars: classes, labels or numbers.
#pragma once
#include <vector>

#include "ui/predict/source/class_bars.hpp"
#include "ui/predict/source/predict_source.hpp"

namespace nw::ui {

/// All outputs in order if there are at most `most`, else those of the highest probability. Classes: the row of the
/// highest probability is marked as predicted; labels: each above 0.5; numbers are shown as text.
std::vector<ClassBars::Row> outputRows(const NetworkInfo&, const std::vector<float>& outputs, int most);
/// The same with the true label of an evaluated sample: highest probability first; the true label is always included.
std::vector<ClassBars::Row> sampleRows(const NetworkInfo&, const EvaluationView*, const Sample&,
                                       const std::vector<float>& outputs, int most);

}  // namespace nw::ui

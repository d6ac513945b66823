// SPDX-License-Identifier: GPL-3.0-or-later
// A network's prediction for one image as rows of bars: classes, labels or numbers.
#pragma once
#include <vector>

#include "ui/predict/source/class_bars.hpp"
#include "ui/predict/source/predict_source.hpp"

namespace nw::ui {

/// All outputs in their places while they are at most `most`, else the likeliest. Classes: the likeliest is predicted;
/// labels: each above a half; numbers are told as text.
std::vector<ClassBars::Row> outputRows(const NetworkInfo&, const std::vector<float>& outputs, int most);
/// The same beside what is true of a sample of the evaluation: the likeliest first, what is true always among them.
std::vector<ClassBars::Row> sampleRows(const NetworkInfo&, const EvaluationView*, const Sample&,
                                       const std::vector<float>& outputs, int most);

}  // namespace nw::ui

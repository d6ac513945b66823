// SPDX-License-Identifier: GPL-3.0-or-later
// What a run measures beside its loss, in the window's words: it depends on what is learned (Started::measure).
#pragma once
#include <QString>
#include <string>

namespace nw::ui {

/// "Accuracy", "All labels right", "R²".
QString measureTitle(const std::string& measure);
/// "98.1 %"; of R² "0.981".
QString measureText(const std::string& measure, double value, int decimals = 1);
/// "Best validation accuracy", "All labels right, best in validation".
QString bestCaption(const std::string& measure, bool validated);
/// "Test accuracy 98.10 %", "Test: R² 0.9810".
QString testSentence(const std::string& measure, double value);

}  // namespace nw::ui

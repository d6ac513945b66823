// SPDX-License-Identifier: Apache-2.0
// Parts of a report's HTML page. Private to engine/predict.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/predict/metrics.hpp"

namespace nw::predicting {

/// Escapes & < > " ' and replaces bytes that are not UTF-8.
std::string escaped(std::string_view text);
/// The text `english` in both languages, each in an `element` ("tspan" in plots); the page shows the selected language.
/// A text without translation is returned escaped.
std::string words(std::string_view english, std::string_view element = "span");
/// The page's HTML up to the start of its body, with the style sheet. `chinese`: the language shown first.
std::string page_head(const std::string& title, bool chinese = false);

/// One curve of a plot; `colour`: index of the series in the style sheet.
struct DrawnCurve {
  std::string name;
  int colour = 0;
  bool dashed = false;
  std::vector<double> x{}, y{};
  bool translated = false;  // the name is a text for words(), not a name of the user's
};
struct AxisRange {
  double low = 0, high = 1;
};
/// A plot as SVG; the title and the axis names are translated by words().
std::string drawing(std::string_view title, std::string_view x_name, std::string_view y_name,
                    const std::vector<DrawnCurve>&, AxisRange x = {}, AxisRange y = {});
/// Chart of accuracy over confidence, with bars for the fraction of images.
std::string calibration_drawing(const Calibration&);
/// An HTML table: the first row is the header; cells must be HTML.
std::string table_of(const std::vector<std::vector<std::string>>& rows, std::string_view kind);

}  // namespace nw::predicting

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
/// The words of a report by their English ones, in both languages, each in such an element ("tspan" within drawings);
/// the page shows the language that is chosen. Others stand as they are, escaped.
std::string words(std::string_view english, std::string_view element = "span");
/// The style, and the head of the page up to its body.
std::string page_head(const std::string& title);

/// One line of a drawing; `colour` counts the style's series.
struct DrawnCurve {
  std::string name;
  int colour = 0;
  bool dashed = false;
  std::vector<double> x, y;  // 0…1
};
/// A square with both axes from 0 to 1, as SVG; the names of the axes are of words().
std::string drawing(std::string_view title, std::string_view x_name, std::string_view y_name,
                    const std::vector<DrawnCurve>&);
/// Confidence against accuracy, with bars for the fraction of images.
std::string calibration_drawing(const Calibration&);
/// A table: the first row is its head; cells are HTML already.
std::string table_of(const std::vector<std::vector<std::string>>& rows, std::string_view kind);

}  // namespace nw::predicting

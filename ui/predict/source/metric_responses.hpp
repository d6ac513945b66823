// SPDX-License-Identifier: GPL-3.0-or-later
// The helper process's metrics of a network, validated before they are drawn.
#pragma once
#include <QString>
#include <vector>

#include "engine/core/json.hpp"
#include "engine/predict/arrays.hpp"
#include "engine/predict/metrics.hpp"

namespace nw::ui {

/// The error for a malformed response of the helper process.
Error shape_error();

/// One regression target.
struct NumberFigures {
  QString name;
  ValueMetrics figures;
};
/// "values" of the response to "evaluate".
Result<std::vector<NumberFigures>> numbers_from(const Json&);

/// The array under `key`, which must hold `size` numbers; `missing` for null, which stands for a number that is not
/// finite.
template <class T>
Result<std::vector<T>> numbers_in(const Json& answer, const char* key, std::size_t size, T missing = T{}) {
  const auto found = answer.find(key);
  if (found == answer.end() || !found->is_array() || found->size() != size) return shape_error();
  std::vector<T> out;
  out.reserve(size);
  for (const Json& value : *found) {
    if (!value.is_number() && !value.is_null()) return shape_error();
    out.push_back(value.is_null() ? missing : value.get<T>());
  }
  return out;
}

/// One class or label against all others; or one number: true values (x) and predictions (y).
struct ClassCurves {
  int one = 0;
  std::vector<double> truth, predicted;  // of a number
  Curve roc, precision_recall;
  std::vector<Decisions> decisions;  // by rising threshold
};

/// "metrics" of the response to "evaluate"; rejected unless it covers that number of classes.
Result<Metrics> metrics_from(const Json&, std::size_t classes);
/// The response to "curves".
Result<ClassCurves> curves_from(const Json&);

/// Fractions of decisions; 0 if there are none.
double precision_of(const Decisions&);
double recall_of(const Decisions&);
double f1_of(const Decisions&);

}  // namespace nw::ui

// SPDX-License-Identifier: Apache-2.0
// Numbers computed from a run, as a user types them:
//
//   best_accuracy / parameters * 1e6
//   last(train_accuracy) - last(validation_accuracy)
//   min(best(validation_loss), 1) * 100
//
// There are numbers ("2", "1e6", "5%"), the fields and settings of run_field.hpp, + - * / ^, parentheses, abs, sqrt,
// log10, min and max, and best, last, first and mean of a quantity of the epochs: validation_accuracy, validation_loss,
// train_accuracy, train_loss, learning_rate. Best is the highest accuracy, the lowest of the others.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/runs/index/run_query.hpp"

namespace nw {

class RunExpression {
 public:
  /// Errc::bad_input: not such an expression; the message names the character at which it goes wrong (1-based).
  static Result<RunExpression> parse(std::string_view text);
  /// NaN: something in it is unknown in this run, or no number.
  double value(const RunRecord& record) const { return value_(record); }
  /// Errc::bad_input: a name that is neither a field nor a setting.
  Status check(const IsSetting&) const;
  using Value = std::function<double(const RunRecord&)>;

 private:
  RunExpression(Value value, std::vector<std::string> names) : value_(std::move(value)), names_(std::move(names)) {}
  Value value_;
  std::vector<std::string> names_;
};

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Conditions on runs, as a user types them:
//
//   best_accuracy > 98% and status = finished and not (optimizer = Adam or batch >= 256)
//   lenet learning_rate < 0.1
//
// A comparison is FIELD OPERATOR VALUE, with = != < <= > >= and ~ !~ (contains, without case); fields and settings are
// those of run_field.hpp, values are numbers (98% is 0.98), words or "quoted texts". A word alone is searched in the
// name, the project, the notes and the tags. Conditions are joined by `and` (which may be left out), `or`, `not` and
// parentheses. An unknown value fulfils no comparison but !=. Of tags = is fulfilled by any one tag.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/runs/index/run_field.hpp"

namespace nw {

/// Whether a run of those in question has a setting of that name.
using IsSetting = std::function<bool(std::string_view name)>;

class RunQuery {
 public:
  /// Errc::bad_input: not such a condition; the message names the character at which it goes wrong (1-based). An empty
  /// text is fulfilled by every run.
  static Result<RunQuery> parse(std::string_view text);
  bool matches(const RunRecord& record) const { return test_(record); }
  /// Errc::bad_input: it compares something that is neither a field nor a setting.
  Status check(const IsSetting&) const;
  using Test = std::function<bool(const RunRecord&)>;

 private:
  RunQuery(Test test, std::vector<std::string> compared) : test_(std::move(test)), compared_(std::move(compared)) {}
  Test test_;
  std::vector<std::string> compared_;  // names of fields and settings
};

/// Errc::bad_input: `name` is neither a field nor a setting; the message names the fields.
Status check_field_name(std::string_view name, const IsSetting&);
bool has_setting(const RunRecord&, std::string_view name);
/// The settings of these runs; without runs every name may be one. They must outlive it.
IsSetting settings_of(const std::vector<RunRecord>& runs);

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Which optimizer a run uses, by name, and its hyper-parameters. Everything else about it is in its record.
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace nw {

/// Holds what differs from the defaults: another optimizer brings its own defaults along, and numbers that somebody set
/// stay for when their optimizer comes back.
class OptimizerChoice {
 public:
  const std::string& name() const { return name_; }
  /// An optimizer of all_optimizers(), by name; another name is refused by GraphDoc::apply.
  void choose(std::string_view name);
  /// What was set, or the default; of booleans 0 or 1. A field that only others have: their first's default.
  double value(std::string_view field) const;
  void set(std::string_view field, double value);
  /// What was set, of other optimizers' fields too.
  const std::map<std::string, double, std::less<>>& set_values() const { return set_; }
  bool operator==(const OptimizerChoice&) const = default;

 private:
  void forget_defaults();
  std::string name_ = "sgd";
  std::map<std::string, double, std::less<>> set_;
};

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// The optimizer of a run, by name, and its hyperparameters. Other properties of an optimizer are in its record.
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace nw {

/// Stores the values that differ from the defaults. Each optimizer has its own defaults, and values stay stored for the
/// case that their optimizer is chosen again.
class OptimizerChoice {
 public:
  const std::string& name() const { return name_; }
  /// An optimizer of all_optimizers(), by name; GraphDoc::apply rejects any other name.
  void choose(std::string_view name);
  /// The stored value, or the default; booleans as 0 or 1. For a field that only other optimizers have: the default of
  /// the first of them.
  double value(std::string_view field) const;
  void set(std::string_view field, double value);
  /// The stored values, including fields of other optimizers.
  const std::map<std::string, double, std::less<>>& set_values() const { return set_; }
  bool operator==(const OptimizerChoice&) const = default;

 private:
  void forget_defaults();
  std::string name_ = "sgd";
  std::map<std::string, double, std::less<>> set_;
};

}  // namespace nw

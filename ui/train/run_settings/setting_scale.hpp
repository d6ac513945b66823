// SPDX-License-Identifier: GPL-3.0-or-later
// What the positions of a slider mean for a setting. Values only, any thread.
#pragma once
#include "ui/settings/setting_rows.hpp"

namespace nw::ui {

/// Logarithmic for quantities that are chosen by their order of magnitude, two decades to either side of `around`;
/// linear for fractions. Position 0 is 0 where the setting may be 0. Values are round: two digits, or steps of the row.
class SettingScale {
 public:
  static constexpr int positions = 1000;
  SettingScale() = default;
  SettingScale(const SettingRow& row, double around);
  /// The nearest position; a value beyond the ends has that of the end.
  int position(double value) const;
  double value(int position) const;
  /// Positions of one press of an arrow key: a doubling of whole numbers, else a hundredth of the scale or a step.
  int step() const;
  bool isLog() const { return log_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double tidy(double value) const;
  double low_ = 0, high_ = 1, step_ = 0.01, least_ = 0, most_ = 1;
  bool log_ = false, zero_ = false, whole_ = false;
};

}  // namespace nw::ui

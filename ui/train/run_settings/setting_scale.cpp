// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/run_settings/setting_scale.hpp"

#include <algorithm>
#include <cmath>

namespace nw::ui {
namespace {

constexpr double decades = 100;    // two to either side
constexpr double most_times = 64;  // of a whole number
constexpr int first_after_zero = 40;

double twoDigits(double value) {
  if (!(value > 0)) return value;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return std::round(value / unit) * unit;
}

/// In the middle of the scale of a setting that is off.
double usual(const SettingRow& row) { return row.hi > 1000 ? 1 : 1e-4; }

}  // namespace

SettingScale::SettingScale(const SettingRow& row, double around)
    : low_(row.lo), high_(row.hi), step_(row.step > 0 ? row.step / 5 : 0.001), least_(row.lo), most_(row.hi) {
  whole_ = row.kind == SettingRow::Kind::integer;
  log_ = whole_ || (row.step == 0 && row.hi > 1);
  if (!log_) return;
  const double middle = around > 0 ? around : usual(row);
  zero_ = row.lo <= 0;
  low_ = whole_ ? std::max(1.0, row.lo) : std::max(row.lo, middle / decades);
  high_ = std::min(row.hi, whole_ ? std::max(most_times, most_times * around) : middle * decades);
}

int SettingScale::position(double value) const {
  const int first = log_ && zero_ ? first_after_zero : 0;
  if (log_ && zero_ && !(value > 0)) return 0;
  const double share =
      log_ ? std::log(std::max(value, 1e-300) / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  return first + static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * (positions - first)));
}

double SettingScale::value(int position) const {
  const int first = log_ && zero_ ? first_after_zero : 0;
  if (position < first) return position < first / 2 ? 0 : low_;
  const double share = static_cast<double>(position - first) / (positions - first);
  return tidy(log_ ? low_ * std::pow(high_ / low_, share) : low_ + share * (high_ - low_));
}

int SettingScale::step() const {
  if (whole_) return static_cast<int>(std::lround(positions * std::log(2.0) / std::log(high_ / low_)));
  const double share = log_ ? 0.01 : step_ / (high_ - low_);
  return std::max(1, static_cast<int>(std::lround(positions * share)));
}

double SettingScale::tidy(double value) const {
  const double round = whole_ ? std::round(value) : log_ ? twoDigits(value) : std::round(value / step_) * step_;
  return std::clamp(round, least_, most_);
}

}  // namespace nw::ui

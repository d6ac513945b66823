// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/ranges.hpp"

#include <algorithm>
#include <cmath>

namespace nw::compress {
namespace {

constexpr double smallest_limit = 1e-30, share_within = 0.9999;

double percentile_of(const Magnitudes& m) {
  const double wanted = share_within * static_cast<double>(m.total());
  double seen = 0;
  for (std::size_t i = 0; i < Magnitudes::bins; ++i) {
    seen += static_cast<double>(m.counts()[i]);
    if (seen >= wanted) return static_cast<double>(i + 1) * m.end() / Magnitudes::bins;
  }
  return m.end();
}

/// Sum of the squared errors if `limit` becomes the largest whole number.
double squared_error(const Magnitudes& m, double limit) {
  const double step = limit / largest_int8, width = m.end() / Magnitudes::bins;
  double sum = 0;
  for (std::size_t i = 0; i < Magnitudes::bins; ++i) {
    if (m.counts()[i] == 0) continue;
    const double x = (static_cast<double>(i) + 0.5) * width,
                 q = std::min(std::nearbyint(x / step), double{largest_int8});
    sum += static_cast<double>(m.counts()[i]) * (x - q * step) * (x - q * step);
  }
  return sum;
}

double least_error_of(const Magnitudes& m, double largest) {
  constexpr int tries = 128;
  double best = largest, least = squared_error(m, largest);
  for (int i = tries / 8; i < tries; ++i) {
    const double limit = largest * i / tries, error = squared_error(m, limit);
    if (error >= least) continue;
    least = error;
    best = limit;
  }
  return best;
}

}  // namespace

void Magnitudes::reach(double largest) {
  if (end_ == 0) {
    end_ = std::exp2(std::ceil(std::log2(largest)));
    return;
  }
  for (; end_ < largest; end_ *= 2)
    for (std::size_t i = 0; i < bins; ++i)
      counts_[i] = 2 * i < bins ? counts_[2 * i] + counts_[2 * i + 1] : std::uint64_t{0};
}

void Magnitudes::add(std::span<const float> values, float largest) {
  if (!(largest > 0)) return;
  reach(static_cast<double>(largest));
  const double per = static_cast<double>(bins) / end_;
  for (const float v : values) {
    if (v == 0) continue;
    ++counts_[std::min(bins - 1, static_cast<std::size_t>(std::abs(static_cast<double>(v)) * per))];
    ++total_;
  }
}

void ValueRange::add(std::span<const float> values) {
  if (values.empty()) return;
  const auto is_finite = [](float v) { return std::isfinite(v); };
  const auto finite = static_cast<std::size_t>(std::count_if(values.begin(), values.end(), is_finite));
  not_finite += values.size() - finite;
  if (finite < values.size()) return;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  least = count == 0 ? *low : std::min(least, *low);
  most = count == 0 ? *high : std::max(most, *high);
  count += finite;
  magnitudes.add(values, std::max(std::abs(*low), std::abs(*high)));
}

std::string_view name_of(CalibrationMethod m) {
  switch (m) {
    case CalibrationMethod::minmax:
      return "minmax";
    case CalibrationMethod::percentile:
      return "percentile";
    case CalibrationMethod::mse:
      return "mse";
  }
  return "";
}

std::optional<CalibrationMethod> calibration_method(std::string_view name) {
  for (const auto m : {CalibrationMethod::minmax, CalibrationMethod::percentile, CalibrationMethod::mse})
    if (name_of(m) == name) return m;
  return std::nullopt;
}

double limit_of(const ValueRange& r, CalibrationMethod method) {
  const double largest = std::max(std::abs(static_cast<double>(r.least)), std::abs(static_cast<double>(r.most)));
  if (largest < smallest_limit) return 1;
  switch (method) {
    case CalibrationMethod::minmax:
      return largest;
    case CalibrationMethod::percentile:
      return std::max(smallest_limit, std::min(largest, percentile_of(r.magnitudes)));
    case CalibrationMethod::mse:
      return least_error_of(r.magnitudes, largest);
  }
  return largest;
}

float scale_of(double limit) { return static_cast<float>(limit / largest_int8); }

std::int8_t quantized(float value, float scale) {
  const double q = std::nearbyint(static_cast<double>(value) / static_cast<double>(scale));
  return static_cast<std::int8_t>(std::clamp(q, -double{largest_int8}, double{largest_int8}));
}

}  // namespace nw::compress

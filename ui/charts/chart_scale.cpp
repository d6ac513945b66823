// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_scale.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr qsizetype few = 50, few_for_spikes = 5;

/// The largest value that is no spike.
double withoutSpikes(const QVector<double>& values, double limit, double high) {
  double most = -qInf();
  for (const double v : values)
    if (v <= limit) most = std::max(most, v);
  return std::min(most, high);
}
}  // namespace

double niceStep(double size, int most) {
  if (!(size > 0) || !std::isfinite(size)) return 1;
  const double raw = size / std::max(1, most), power = std::pow(10, std::floor(std::log10(raw)));
  for (const double m : {1.0, 2.0, 5.0})
    if (m * power >= raw * (1 - 1e-9)) return m * power;
  return 10 * power;
}

QVector<double> linearTicks(Range range, int most) {
  QVector<double> out;
  for (int wanted = most; out.size() < 2 && wanted <= most + 8; ++wanted) {
    out.clear();
    const double step = niceStep(range.size(), wanted);
    const double first = std::ceil(range.low / step - 1e-6);
    for (double i = first; i * step <= range.high + step * 1e-6 && out.size() < 100; ++i)
      out.append(i == 0 ? 0 : i * step);
  }
  return out;
}

QVector<double> epochTicks(double total, int most) {
  for (const double step : {1, 2, 3, 5, 10, 15, 20, 25, 30, 50, 100, 150, 200, 250, 500, 1000}) {
    if (total / step > most || total < step * 2 || std::fmod(total, step) != 0) continue;
    QVector<double> out;
    for (double x = 0; x <= total; x += step) out.append(x);
    return out;
  }
  QVector<double> out = linearTicks({0, total}, most);
  const double step = niceStep(total, most);
  if (!out.isEmpty() && total - out.last() < step * 0.6 && out.last() != total) out.removeLast();
  if (out.isEmpty() || out.last() != total) out.append(total);
  return out;
}

QVector<double> logTicks(Range range) {
  QVector<double> out;
  const bool sparse = range.high / range.low > 30;
  const int step = std::max(1, static_cast<int>(std::log10(range.high / range.low) / 5));
  for (double p = std::floor(std::log10(range.low)); p <= std::log10(range.high) + 1e-9 && out.size() < 100; p += step)
    for (const double m : {1.0, 2.0, 5.0}) {
      const double v = m * std::pow(10, p);
      if ((m == 1 || !sparse) && v >= range.low * (1 - 1e-9) && v <= range.high * (1 + 1e-9)) out.append(v);
    }
  return out;
}

QVector<double> ticksWithRoom(const QVector<double>& ticks, Range range, double least, bool log) {
  const auto place = [&](double v) {
    return log ? std::log(v / range.low) / std::log(range.high / range.low) : (v - range.low) / range.size();
  };
  const auto isDecade = [&](double v) { return log && std::abs(std::log10(v) - std::round(std::log10(v))) < 1e-6; };
  QVector<double> out;
  for (const bool decades : {true, false})
    for (auto v = ticks.rbegin(); v != ticks.rend(); ++v) {
      const bool free = std::all_of(out.begin(), out.end(),
                                    [&](double other) { return std::abs(place(*v) - place(other)) >= least; });
      if (isDecade(*v) == decades && free) out.append(*v);
    }
  std::sort(out.begin(), out.end());
  return out;
}

QString tickText(double value) {
  const double size = std::abs(value);
  if (size >= 10000) return grouped(std::llround(value));
  if (size > 0 && size < 1e-3) {
    const int power = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    return QStringLiteral("%1e%2").arg(QString::number(std::round(value / std::pow(10, power) * 10) / 10)).arg(power);
  }
  return QString::number(value, 'g', 5);
}

bool quantileRange(QVector<double> values, Trim trim, Range& out) {
  values.removeIf([](double v) { return !std::isfinite(v); });
  if (values.isEmpty()) return false;
  if (values.size() < few) trim.low = trim.high = 0;
  const auto at = [&](double q) {
    const auto place = values.begin() + static_cast<qsizetype>(q * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
  };
  out.low = at(trim.low);
  out.high = at(1 - trim.high);
  if (trim.spike > 0 && values.size() >= few_for_spikes)
    if (const double usual = at(0.9); usual > 0) out.high = withoutSpikes(values, trim.spike * usual, out.high);
  return true;
}

Range paddedRange(Range data, bool fromZero) {
  if (fromZero) data.low = std::min(0.0, data.low);
  double size = data.size();
  if (!(size > 0)) size = std::max(std::abs(data.high) * 0.5, 1e-6);
  const bool touchesZero = data.low == 0 || (data.low > 0 && data.low < 0.25 * size);
  return {touchesZero ? 0 : data.low - 0.06 * size, data.low + size + 0.08 * size};
}

Range paddedLogRange(Range data) {
  const double high = data.high > 0 ? data.high : 1, low = data.low > 0 ? data.low : high * 1e-3;
  return high / low < 10 ? Range{low / 3, high * 3} : Range{low / 1.3, high * 1.5};
}

QVector<double> smoothed(const QVector<double>& y, double factor) {
  QVector<double> out(y.size());
  double mean = 0, weight = 0;
  for (qsizetype i = 0; i < y.size(); ++i) {
    if (std::isfinite(y[i])) {
      mean = factor * mean + (1 - factor) * y[i];
      weight = factor * weight + (1 - factor);
    }
    out[i] = weight > 0 ? mean / weight : y[i];
  }
  return out;
}

QVector<double> pushedApart(const QVector<double>& places, double distance, double top, double bottom) {
  QVector<qsizetype> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return places[a] < places[b]; });
  QVector<double> out = places;
  double least = top;
  for (const qsizetype i : order) {
    out[i] = std::max(out[i], least);
    least = out[i] + distance;
  }
  double most = bottom;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    out[*it] = std::min(out[*it], most);
    most = out[*it] - distance;
  }
  return out;
}

}  // namespace nw::ui

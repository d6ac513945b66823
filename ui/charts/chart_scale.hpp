// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of charts: ranges, ticks, smoothing. Values only, any thread.
#pragma once
#include <QString>
#include <QVector>

namespace nw::ui {

struct Range {
  double low = 0, high = 1;
  double size() const { return high - low; }
  bool operator==(const Range&) const = default;
};

/// Distance of ticks, 1, 2 or 5 times a power of ten, so that at most `most` of them lie in `size`.
double niceStep(double size, int most);
/// Multiples of the nice step inside the range; of a smaller step where those were fewer than two: one alone
/// tells no scale.
QVector<double> linearTicks(Range range, int most);
/// From 0 to `total` epochs, whole numbers where there is room, the last epoch always among them.
QVector<double> epochTicks(double total, int most);
/// Powers of ten (and 2 and 5 times them when the range is short); both ends > 0.
QVector<double> logTicks(Range range);
/// Those ticks whose labels have room, at least the fraction `least` of the axis's length apart: of a logarithmic axis
/// decades first, then from the largest on.
QVector<double> ticksWithRoom(const QVector<double>& ticks, Range range, double least, bool log);
/// "0.01", "1e-5", "60 000"
QString tickText(double value);

/// The part of a curve that a chart shows by default.
struct Trim {
  double low = 0, high = 0;  // fraction of the values that may fall below, above: the steep first steps of a run
  double spike = 0;          // values above so many times what 90 % of them reach are left out; 0: none
};
/// Quantiles of finite values; false when there are none. With fewer than 50 values only spikes are trimmed.
bool quantileRange(QVector<double> values, Trim trim, Range& out);
/// The range with a margin, from 0 if `fromZero`; never empty.
Range paddedRange(Range data, bool fromZero);
Range paddedLogRange(Range data);

/// Exponential moving average that starts unbiased: m = f m + (1 - f) y, shown as m / (1 - f^n) (Kingma & Ba 2015,
/// section 3).
QVector<double> smoothed(const QVector<double>& y, double factor);
/// Pushes labels apart to `distance`, order kept, inside [top, bottom]; returns the new positions.
QVector<double> pushedApart(const QVector<double>& places, double distance, double top, double bottom);

}  // namespace nw::ui

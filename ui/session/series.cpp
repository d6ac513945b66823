// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "ui/session/run_feed.hpp"

namespace nw::ui {

void Series::add(double xv, double yv, double lowv, double highv) {
  if (!std::isfinite(xv)) return;
  if (!x.isEmpty() && filled < stride) {
    x.last() = xv;
    y.last() += (yv - y.last()) / (filled + 1);
    low.last() = std::min(low.last(), lowv);
    high.last() = std::max(high.last(), highv);
    ++filled;
    return;
  }
  if (x.size() >= capacity) halve();
  x.append(xv);
  y.append(yv);
  low.append(lowv);
  high.append(highv);
  filled = 1;
}

void Series::halve() {
  const qsizetype half = x.size() / 2;
  for (qsizetype i = 0; i < half; ++i) {
    const qsizetype a = 2 * i, b = a + 1;
    x[i] = x[b];
    y[i] = (y[a] + y[b]) / 2;
    low[i] = std::min(low[a], low[b]);
    high[i] = std::max(high[a], high[b]);
  }
  for (auto* v : {&x, &y, &low, &high}) v->resize(half);
  stride *= 2;
}

void Series::cutAfter(double xv) {
  const auto end = std::upper_bound(x.begin(), x.end(), xv);
  const qsizetype keep = std::distance(x.begin(), end);
  if (keep == x.size()) return;
  for (auto* v : {&x, &y, &low, &high}) v->resize(keep);
  filled = stride;
}

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The inference server's Prometheus metrics as numbers, and what happened between two readings. Pure functions; what
// is not understood is left out.
#pragma once
#include <QByteArray>
#include <QStringList>
#include <map>

namespace nw::ui {

struct ServerMetrics {
  double requests = 0, errors = 0;   // answered; with a status of 400 or more
  std::map<double, double> latency;  // requests by their longest time in seconds; cumulative; infinity: all
  double connections = 0, waiting = 0;
  QStringList models;  // "lenet5, version 12"
};
ServerMetrics metricsIn(const QByteArray& text);

/// Requests of `latency` that `earlier` does not hold; all of them where the server was started again.
std::map<double, double> latencySince(const ServerMetrics& now, const ServerMetrics& earlier);
/// The time in seconds within which the share `q` of the requests was answered, between the bounds of its bucket;
/// negative: there were none.
double latencyQuantile(const std::map<double, double>& latency, double q);

}  // namespace nw::ui

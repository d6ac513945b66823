// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/server_metrics.hpp"

#include <QCoreApplication>
#include <QHash>
#include <QList>
#include <cmath>
#include <limits>

#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

struct MetricWords {
  Q_DECLARE_TR_FUNCTIONS(ServerMetrics)
};

constexpr qsizetype longest_text = 1 << 20, most_models = 64;

struct MetricSample {
  QByteArray name;
  QHash<QByteArray, QByteArray> labels;
  double value = 0;
};

/// `a="x",b="y"`; the server's labels hold no quotes and no commas.
QHash<QByteArray, QByteArray> labelsIn(const QByteArray& text) {
  QHash<QByteArray, QByteArray> all;
  for (const QByteArray& each : text.split(',')) {
    const qsizetype at = each.indexOf("=\"");
    if (at > 0 && each.endsWith('"')) all[each.left(at)] = each.mid(at + 2, each.size() - at - 3);
  }
  return all;
}

bool readSample(const QByteArray& line, MetricSample& to) {
  const qsizetype space = line.lastIndexOf(' ');
  if (space <= 0 || line.startsWith('#')) return false;
  bool number = false;
  to.value = line.mid(space + 1).toDouble(&number);
  const QByteArray head = line.left(space);
  const qsizetype open = head.indexOf('{');
  to.name = open < 0 ? head : head.left(open);
  if (open >= 0 && head.endsWith('}')) to.labels = labelsIn(head.mid(open + 1, head.size() - open - 2));
  return number && std::isfinite(to.value);
}

void take(const MetricSample& s, ServerMetrics& to) {
  if (s.name == "netwright_requests_total") {
    to.requests += s.value;
    if (s.labels.value("status").toInt() >= 400) to.errors += s.value;
  } else if (s.name == "netwright_inference_seconds_bucket") {
    const QByteArray bound = s.labels.value("le");
    to.latency[bound == "+Inf" ? std::numeric_limits<double>::infinity() : bound.toDouble()] += s.value;
  } else if (s.name == "netwright_connections") {
    to.connections = s.value;
  } else if (s.name == "netwright_waiting_images") {
    to.waiting = s.value;
  } else if (s.name == "netwright_model_version" && s.value == 1 && to.models.size() < most_models) {
    to.models << MetricWords::tr("%1, version %2")
                     .arg(inOneLine(QString::fromUtf8(s.labels.value("model"))),
                          inOneLine(QString::fromUtf8(s.labels.value("version"))));
  }
}

}  // namespace

ServerMetrics metricsIn(const QByteArray& text) {
  ServerMetrics all;
  for (const QByteArray& line : text.left(longest_text).split('\n'))
    if (MetricSample s; readSample(line, s)) take(s, all);
  return all;
}

std::map<double, double> latencySince(const ServerMetrics& now, const ServerMetrics& earlier) {
  std::map<double, double> since = now.latency;
  for (const auto& [bound, count] : earlier.latency) {
    const auto found = since.find(bound);
    if (found == since.end() || found->second < count) return now.latency;
    found->second -= count;
  }
  return since;
}

double latencyQuantile(const std::map<double, double>& latency, double q) {
  if (latency.empty() || latency.rbegin()->second <= 0) return -1;
  const double wanted = q * latency.rbegin()->second;
  double low = 0, below = 0;
  for (const auto& [bound, count] : latency) {
    if (count >= wanted) {
      if (std::isinf(bound) || count <= below) return low;
      return low + (bound - low) * (wanted - below) / (count - below);
    }
    low = bound;
    below = count;
  }
  return low;
}

}  // namespace nw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the Serve tab, from what Prometheus would read.
#include "ui/deploy/server_metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace nw::ui {
namespace {

QByteArray written(int ok, int bad, int fast, int slow) {
  return QStringLiteral(
             "# HELP netwright_requests_total Answered requests.\n"
             "netwright_requests_total{route=\"infer\",model=\"lenet5\",status=\"200\"} %1\n"
             "netwright_requests_total{route=\"infer\",model=\"lenet5\",status=\"400\"} %2\n"
             "netwright_inference_seconds_bucket{model=\"lenet5\",le=\"0.001\"} %3\n"
             "netwright_inference_seconds_bucket{model=\"lenet5\",le=\"0.01\"} %4\n"
             "netwright_inference_seconds_bucket{model=\"lenet5\",le=\"+Inf\"} %4\n"
             "netwright_model_version{model=\"lenet5\",version=\"12\"} 1\n")
      .arg(ok)
      .arg(bad)
      .arg(fast)
      .arg(fast + slow)
      .toUtf8();
}

TEST(ServerMetrics, AreCountedByStatusAndModel) {
  const ServerMetrics m = metricsIn(written(90, 10, 80, 20));
  EXPECT_EQ(m.requests, 100);
  EXPECT_EQ(m.errors, 10);
  ASSERT_EQ(m.models.size(), 1);
  EXPECT_TRUE(m.models[0].startsWith(QStringLiteral("lenet5")));
  EXPECT_EQ(m.latency.size(), 3U);
}

TEST(ServerMetrics, GiveQuantilesInsideTheirBuckets) {
  const ServerMetrics m = metricsIn(written(100, 0, 80, 20));
  EXPECT_NEAR(latencyQuantile(m.latency, 0.4), 0.0005, 1e-9) << "half of the first bucket";
  EXPECT_NEAR(latencyQuantile(m.latency, 0.9), 0.0055, 1e-9) << "half of the second one";
  EXPECT_LT(latencyQuantile({}, 0.5), 0);
  EXPECT_LT(latencyQuantile(metricsIn(written(0, 0, 0, 0)).latency, 0.5), 0);
}

TEST(ServerMetrics, OfALaterReadingAreWhatHappenedSince) {
  const ServerMetrics before = metricsIn(written(100, 0, 100, 0)), now = metricsIn(written(110, 0, 100, 10));
  EXPECT_NEAR(latencyQuantile(latencySince(now, before), 0.5), 0.0055, 1e-9) << "only the slow ones are new";
  EXPECT_EQ(latencySince(before, now), before.latency) << "started again: all of them";
}

TEST(ServerMetrics, OfAnotherProgramAreNone) {
  const ServerMetrics m = metricsIn("<html>\nnetwright_requests_total nothing\nx{y=\"} 3\n{} 1\n");
  EXPECT_EQ(m.requests, 0);
  EXPECT_TRUE(m.models.isEmpty());
}

}  // namespace
}  // namespace nw::ui

// SPDX-License-Identifier: Apache-2.0
// The device comparison: equal devices show no difference, and a differing layer is named.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/predict/layer_differences.hpp"
#include "engine/predict/timing.hpp"
#include "tests/engine/predict/trained.hpp"

namespace nw {
namespace {

using predicting::Forward;
using testing::HasSubstr;

DeviceComparisonRequest question(const char* first, const char* second) {
  return {.run = trained().request.run,
          .checkpoint = "latest",
          .split = "test",
          .first = first,
          .second = second,
          .images = 100,
          .tolerance = 1e-3,
          .seconds = 0.02};
}

TEST(DeviceComparisonTest, FastAndReferenceBackendAgreeInEveryLayer) {
  const auto r = compare_devices(question("cpu@1", "reference"));
  ASSERT_TRUE(r) << r.error().str();
  EXPECT_EQ(r->diverging, -1);
  EXPECT_EQ(r->images, 100);
  EXPECT_EQ(r->otherwise, 0);
  EXPECT_NEAR(r->first.loss, r->second.loss, 1e-4);
  EXPECT_GT(r->first.speed.images_per_s, 0);
  std::vector<std::string> names;
  for (const LayerDifference& l : r->layers) {
    names.push_back(l.layer);
    EXPECT_GT(l.scale, 0) << l.layer << " was read";
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"conv1", "conv2", "fc1", "fc3"}));
  EXPECT_LT(std::find(names.begin(), names.end(), "conv1") - names.begin(),
            std::find(names.begin(), names.end(), "fc3") - names.begin());
}

TEST(DeviceComparisonTest, ThreadsChangeNoBit) {
  auto q = question("cpu@1", "cpu@2");
  q.tolerance = 0;
  const auto r = compare_devices(q);
  ASSERT_TRUE(r) << r.error().str();
  EXPECT_EQ(r->diverging, -1);
  EXPECT_EQ(r->second.speed.threads, 2);
}

TEST(DeviceComparisonTest, TheFirstLayerThatDiffersIsNamed) {
  const RunDefinition run = *read_run_definition(trained().request.run);
  const std::string checkpoint = *predicting::checkpoint_named(trained().request.run, "latest");
  const ResolvedDevice cpu = *inference_device("cpu@1");
  Forward a = *Forward::make(run, cpu, 8), b = *Forward::make(run, cpu, 8);
  ASSERT_TRUE(a.load(trained().request.run, checkpoint) && b.load(trained().request.run, checkpoint));
  const int weight = b.compiled.plan.find("fc2.weight");
  ASSERT_GE(weight, 0);
  std::vector<float> values(
      static_cast<std::size_t>(b.compiled.plan.values[static_cast<std::size_t>(weight)].shape.elements()));
  b.executable->read(weight, std::as_writable_bytes(std::span(values)));
  values[3] += 1;
  b.executable->write(weight, std::as_bytes(std::span(values)));
  Forward la = *a.with_every_layer(run), lb = *b.with_every_layer(run);
  const std::vector<float> images = predicting::noise(8 * 28 * 28);
  const auto layers = predicting::layer_differences(la, lb, images, 8);
  ASSERT_TRUE(layers) << layers.error().str();
  const int first = first_diverging(*layers, 1e-3);
  ASSERT_GE(first, 0);
  EXPECT_EQ((*layers)[static_cast<std::size_t>(first)].layer, "fc2");
  for (int i = 0; i < first; ++i)
    EXPECT_EQ((*layers)[static_cast<std::size_t>(i)].largest, 0) << "before it nothing changed";
}

TEST(DeviceComparisonTest, ANotANumberIsADifference) {
  EXPECT_EQ(first_diverging({{"a", 0, 1, true}, {"b", 0, 1, false}}, 1), 1);
  EXPECT_EQ(first_diverging({{"a", 0.5, 1, true}, {"b", 2, 1, true}}, 1), 1);
  EXPECT_EQ(first_diverging({{"a", 0.5, 0, true}}, 0.1), 0) << "all zero on the first device";
  EXPECT_EQ(first_diverging({}, 0), -1);
}

TEST(DeviceComparisonTest, ItsReportSaysWhichLayerInBothLanguages) {
  DeviceComparison r{
      .images = 10, .tolerance = 0.001, .layers = {{"conv1", 0, 1, true}, {"<fc>", 1, 1, true}}, .diverging = 1};
  r.first.speed.device = "cpu";
  r.second.speed.device = "cuda:0";
  const std::string page = html_report(r, "2026-lenet5");
  EXPECT_THAT(page, HasSubstr("<b>&lt;fc&gt;</b>"));
  EXPECT_THAT(page, HasSubstr("首个差异超过容差的层"));
  EXPECT_THAT(page, testing::Not(HasSubstr("<fc>")));
}

TEST(InferenceSpeed, IsMeasuredForEveryDeviceAndBatch) {
  const auto all = measure_inference({.run = trained().request.run,
                                      .checkpoint = "latest",
                                      .devices = {"cpu@1", "reference"},
                                      .batches = {1, 3},
                                      .seconds = 0.02});
  ASSERT_TRUE(all) << all.error().str();
  ASSERT_EQ(all->size(), 4u);
  EXPECT_EQ((*all)[1].device, "cpu@1");
  EXPECT_EQ((*all)[1].batch, 3);
  for (const InferenceSpeed& s : *all) {
    EXPECT_GT(s.calls, 0);
    EXPECT_GT(s.images_per_s, 0);
    EXPECT_LE(s.latency_ms, s.slowest_ms);
  }
}

TEST(InferenceSpeed, RejectsInvalidRequests) {
  for (const char* name : {"cpu@", "cpu@0", "cpu@two", "cpu@2x", "cpu@-1", "tpu", "@2"})
    EXPECT_FALSE(inference_device(name)) << name;
  SpeedRequest q{
      .run = trained().request.run, .checkpoint = "latest", .devices = {"cpu"}, .batches = {0}, .seconds = 0.01};
  EXPECT_FALSE(measure_inference(q));
  q.batches = {1};
  int asked = 0;
  const auto stopped = measure_inference(q, [&](double) { return ++asked < 3; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Errc::stopped);
}

}  // namespace
}  // namespace nw

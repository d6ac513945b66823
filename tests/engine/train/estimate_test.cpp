// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>

#include "engine/core/free_memory.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/design/project_file.hpp"
#include "engine/train/estimate.hpp"

namespace nw {
namespace {

GraphDoc small(std::int64_t batch, std::vector<std::string> devices = {"cpu"}) {
  GraphDoc doc = find_template("mlp")->make();
  TrainSettings s = doc.settings();
  s.batch = batch;
  s.devices = std::move(devices);
  DataChoice d = doc.data();
  d.kind = SourceKind::synthetic;
  d.synthetic_train = 320;
  d.synthetic_test = 64;
  EXPECT_TRUE(doc.apply({PutSettings{s}, PutData{d}}));
  return doc;
}
constexpr DataFacts facts{.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 320};

/// The device `real` with another amount of memory.
class Tight final : public Device {
 public:
  Tight(std::shared_ptr<const Device> real, std::int64_t bytes) : real_(std::move(real)), bytes_(bytes) {}
  std::string name() const override { return real_->name(); }
  std::string description() const override { return real_->description(); }
  std::int64_t memory_bytes() const override { return bytes_; }
  Text supports(const Plan& p, const Step& s) const override { return real_->supports(p, s); }
  DType stored_as(DType c) const override { return real_->stored_as(c); }
  void choose_layouts(Plan& p) const override { real_->choose_layouts(p); }
  bool is_view(const Plan& p, const Step& s) const override { return real_->is_view(p, s); }
  bool runs_alone(const Plan& p, const Step& s) const override { return real_->runs_alone(p, s); }
  bool gathers(const Plan& p, const Step& s) const override { return real_->gathers(p, s); }
  std::int64_t bytes_of(const Plan& p, const Value& v) const override { return real_->bytes_of(p, v); }
  Result<std::unique_ptr<Executable>> prepare(const Plan& p, const PrepareArgs& a) const override {
    return real_->prepare(p, a);
  }

 private:
  std::shared_ptr<const Device> real_;
  std::int64_t bytes_;
};

TEST(Estimate, NamesEachDevicesMemory) {
  const auto devices = resolve_devices({"cpu:0", "cpu:1"}, 2);
  ASSERT_TRUE(devices);
  const auto e = estimate_memory(small(64, {"cpu:0", "cpu:1"}), facts, *devices);
  ASSERT_TRUE(e) << e.error().str();
  ASSERT_EQ(e->devices.size(), 2U);
  EXPECT_EQ(e->devices[1].name, "cpu:1");
  EXPECT_GT(e->devices[0].memory_bytes, 100'000);
  EXPECT_GT(e->devices[0].there_bytes, 0);
  EXPECT_LT(e->devices[0].there_bytes, devices->front().device->memory_bytes() / 2) << "some of it is in use";
}

TEST(Estimate, TheFreeMemoryOfTheProcessorIsShared) {
  const auto devices = resolve_devices({"cpu:0", "cpu:1"}, 2);
  ASSERT_TRUE(devices);
  const MemoryEstimate e = planned_memory(small(64, {"cpu:0", "cpu:1"}), facts, *devices);
  const std::int64_t free = free_memory_bytes();
  ASSERT_EQ(e.devices.size(), 2U);
  EXPECT_NEAR(static_cast<double>(e.devices[0].there_bytes), static_cast<double>(free) / 2,
              0.2 * static_cast<double>(free));
}

TEST(Estimate, OfThePlanIsNearThatOfThePreparedTraining) {
  const auto devices = resolve_devices({"cpu"}, 1);
  ASSERT_TRUE(devices);
  const auto prepared = estimate_memory(small(64), facts, *devices);
  const MemoryEstimate planned = planned_memory(small(64), facts, *devices);
  ASSERT_TRUE(prepared);
  ASSERT_EQ(planned.devices.size(), 1U);
  const auto ratio =
      static_cast<double>(planned.devices[0].memory_bytes) / static_cast<double>(prepared->devices[0].memory_bytes);
  EXPECT_GT(ratio, 0.4);
  EXPECT_LT(ratio, 1.5);
  EXPECT_GT(planned.largest_batch, 64);
}

/// A network that would take hours a step, and more memory than any machine has.
TEST(Estimate, OfAPlanTakesNoStepOfTheNetwork) {
  GraphDoc doc = small(1 << 20);
  const auto devices = resolve_devices({"cpu"}, 1);
  ASSERT_TRUE(devices);
  for (const auto& [id, node] : doc.graph().nodes)
    if (node.name == "fc1") ASSERT_TRUE(doc.apply(set_attr(doc, "", id, "out_features", std::int64_t{1} << 19)));
  const MemoryEstimate memory = planned_memory(doc, facts, *devices);
  ASSERT_EQ(memory.devices.size(), 1U);
  EXPECT_GT(memory.devices[0].memory_bytes, std::int64_t{1} << 40);
  const auto begin = std::chrono::steady_clock::now();
  const auto speed = computed_speed(doc, facts, 0.1);
  ASSERT_TRUE(speed) << speed.error().str();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_GT(speed->images_per_s, 0);
  EXPECT_EQ(speed->train, facts.train);
  const auto usual = computed_speed(small(32), facts, 0.1);
  ASSERT_TRUE(usual);
  EXPECT_GT(speed->epoch_s, 20 * usual->epoch_s) << "it has 500 times the multiply-adds";
}

TEST(Estimate, TheLargestBatchFitsAndASixteenthMoreDoesNot) {
  auto devices = resolve_devices({"cpu"}, 1);
  ASSERT_TRUE(devices);
  const std::int64_t bytes = 16 << 20;
  devices->front().device = std::make_shared<Tight>(devices->front().device, bytes);
  const auto e = estimate_memory(small(32), facts, *devices);
  ASSERT_TRUE(e) << e.error().str();
  ASSERT_GT(e->largest_batch, 32);
  const auto needs = [&](std::int64_t batch) {
    return estimate_memory(small(batch), facts, *devices)->devices[0].memory_bytes;
  };
  EXPECT_LE(needs(e->largest_batch), bytes);
  EXPECT_GT(needs(e->largest_batch + e->largest_batch / 16 + 16), bytes);
}

TEST(Estimate, NetworkThatDoesNotFitHasZeroBatchSize) {
  auto devices = resolve_devices({"cpu"}, 1);
  ASSERT_TRUE(devices);
  devices->front().device = std::make_shared<Tight>(devices->front().device, 1 << 16);
  EXPECT_EQ(estimate_memory(small(32), facts, *devices)->largest_batch, 0);
}

TEST(Estimate, SpeedComesFromStepsThatWereTaken) {
  const auto s = measure_speed(small(32), "", 0.1);
  ASSERT_TRUE(s) << s.error().str();
  EXPECT_GT(s->images_per_s, 0);
  EXPECT_EQ(s->train + s->validation, 320);
  EXPECT_NEAR(s->epoch_s, (static_cast<double>(s->train) + static_cast<double>(s->validation) / 3) / s->images_per_s,
              1e-9);
}

}  // namespace
}  // namespace nw

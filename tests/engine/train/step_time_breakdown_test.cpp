// SPDX-License-Identifier: Apache-2.0
// The parts of a step's time: slow data source, slow transforms, slow network; and the diagnosis for each.
#include "engine/train/step_time_breakdown.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/data/batches/batch.hpp"
#include "engine/data/batches/batches.hpp"
#include "engine/data/dataset.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

/// A step time with these parts, in seconds.
StepSplit split(double decode, double augment, double copy, double compute, double reduce, double wait) {
  return {.last = 8,
          .count = 1,
          .seconds = decode + augment + copy + compute + reduce + wait,
          .decode_s = decode,
          .augment_s = augment,
          .copy_s = copy,
          .compute_s = compute,
          .reduce_s = reduce,
          .wait_s = wait};
}

TEST(StepDiagnosis, LargestBottleneckIsReportedWithARecommendation) {
  const StepDiagnosis slow_source = diagnose_step(split(0.6, 0.1, 0, 0.3, 0, 0));
  EXPECT_EQ(slow_source.bound, Bound::input);
  EXPECT_THAT(slow_source.sentence.str(), HasSubstr("70 % of a step, mostly reading and decoding"));
  EXPECT_NEAR(slow_source.remedies.front().gain, 1.5, 1e-9) << "0.6 of a step gone: 2.5 times as fast";
  EXPECT_THAT(diagnose_step(split(0.1, 0.5, 0, 0.4, 0, 0)).sentence.str(), HasSubstr("their transforms"));
  EXPECT_EQ(diagnose_step(split(0.01, 0.02, 0.01, 0.96, 0, 0)).bound, Bound::compute);
  EXPECT_EQ(diagnose_step(split(0.1, 0, 0, 0.4, 0.5, 0)).bound, Bound::reduce);
  EXPECT_EQ(diagnose_step(split(0.1, 0, 0, 0.4, 0, 0.5)).bound, Bound::processor);
  EXPECT_EQ(diagnose_step(split(0.5, 0, 0, 0.1, 0, 0.4)).bound, Bound::input)
      << "waiting counts only where it is more than the images";
  EXPECT_EQ(diagnose_step({}).bound, Bound::compute) << "nothing was measured";
}

TEST(StepDiagnosis, PartsOfARunAreJoinedByTheirSteps) {
  StepSplit a = split(1, 0, 0, 0, 0, 0), b = split(0, 0, 0, 1, 0, 0);
  a.count = 3;
  const StepSplit both = joined(a, b);
  EXPECT_EQ(both.count, 4);
  EXPECT_DOUBLE_EQ(both.decode_s, 0.75);
  EXPECT_DOUBLE_EQ(both.compute_s, 0.25);
  EXPECT_DOUBLE_EQ(both.seconds, 1);
}

TEST(StepDiagnosis, IsWrittenIntoTheLogAndReadBack) {
  const StepSplit s = split(0.125, 0.25, 0.0625, 0.5, 0.03125, 0.0078125);
  const auto read = parse_event(event_line({1.5, s}));
  ASSERT_TRUE(read) << read.error().str();
  const StepSplit* back = std::get_if<StepSplit>(&read->what);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->last, 8);
  EXPECT_EQ(back->decode_s, 0.125);
  EXPECT_EQ(back->wait_s, 0.0078125);
  EXPECT_FALSE(parse_event(R"({"schema":1,"t":0,"type":"split","last":1})"));
}

/// Images of two grey pixels; each read takes a while.
class SlowDataset final : public Dataset {
 public:
  std::int64_t size() const override { return 64; }
  std::int64_t channels() const override { return 1; }
  std::int64_t height() const override { return 1; }
  std::int64_t width() const override { return 2; }
  Status pixels(std::int64_t, std::span<std::uint8_t> hwc) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::fill(hwc.begin(), hwc.end(), std::uint8_t{7});
    return {};
  }
  std::int64_t label(std::int64_t) const override { return 0; }
  std::string origin(std::int64_t) const override { return "slow"; }
};

TEST(StepSplitter, TimeSpentOnASlowSourceIsDecodingNotCopying) {
  StepSplitter splitter({.threads = 1});
  std::vector<std::int64_t> all(64);
  const BatchBuilder maker(std::make_shared<SlowDataset>(), all, {}, {}, 0);
  std::vector<float> out(8 * 2);
  for (int step = 0; step < 9; ++step) {  // only the second and the last step are measured
    splitter.begin(0);
    ASSERT_TRUE(maker.fill(std::span(all).first(step % 8 == 1 || step == 8 ? 8 : 1), 0, true, out, splitter.input()));
    splitter.end(1, 0, step + 1);
  }
  const auto found = splitter.take(true);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 1) << "one step in eight, not the first";
  EXPECT_EQ(found->last, 2);
  EXPECT_GE(found->decode_s, 8 * 0.002);
  EXPECT_GT(found->decode_s, 10 * (found->copy_s + found->augment_s));
  EXPECT_NEAR(found->decode_s + found->augment_s + found->copy_s + found->compute_s + found->reduce_s + found->wait_s,
              found->seconds, 1e-9)
      << "the parts add up to the step";
  EXPECT_EQ(diagnose_step(*found).bound, Bound::input);
  EXPECT_FALSE(splitter.take(true)) << "it was taken";
}

TEST(StepSplitter, AGpuThatComputesMeanwhileHidesImagesUntilTheyTakeAllTheTime) {
  for (const bool waits : {false, true}) {
    StepSplitter splitter({.threads = 1, .own_memory = true});
    for (int step = 0; step < 2; ++step) {
      splitter.begin(0);
      if (step == 1) {
        InputLaps laps(splitter.input());
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        laps.decoded();
      }
      if (!waits) std::this_thread::sleep_for(std::chrono::milliseconds(90));  // the device is still computing
      splitter.end(1, 0, step + 1);
    }
    const auto found = splitter.take(true);
    ASSERT_TRUE(found);
    EXPECT_EQ(diagnose_step(*found).bound, waits ? Bound::input : Bound::compute);
    EXPECT_EQ(found->hidden_s > 0, !waits);
  }
}

StepDiagnosis verdict_after(Trial& trial) {
  const auto done = trial.run();
  EXPECT_TRUE(done) << done.error().str();
  StepSplit sum;
  for (const StepSplit& s : trial.sink.all<StepSplit>()) sum = joined(sum, s);
  EXPECT_GT(sum.count, 0);
  EXPECT_LE(sum.count, done->steps / 8 + 1) << "most steps are not measured";
  return diagnose_step(sum);
}

TEST(StepSplitter, ManyTransformsForASmallNetworkAreInputBound) {
  const auto tried = [] {
    Trial trial([](TrainSettings& s, DataChoice&) {
      s.threads = 1;  // a single thread never waits long for a processor
      for (int i = 0; i < 4; ++i) {
        s.transforms.push_back(default_transform(*find_transform("RandomRotation")));
        s.transforms.push_back(default_transform(*find_transform("GaussianBlur")));
      }
    });
    return verdict_after(trial);
  };
  StepDiagnosis verdict = tried();
  // Bound::processor: other programs used the processor during the run
  for (int again = 0; again < 5 && verdict.bound == Bound::processor; ++again) verdict = tried();
  EXPECT_EQ(verdict.bound, Bound::input) << verdict.sentence.str();
  EXPECT_THAT(verdict.sentence.str(), HasSubstr("their transforms"));
}

TEST(StepSplitter, ALargeNetworkOnImagesInMemoryIsComputeBound) {
  Trial trial(
      [](TrainSettings& s, DataChoice& d) {
        d.synthetic_train = 160;
        d.validation_fraction = 0;
        s.epochs = 1;
        s.batch = 16;
        s.threads = 1;  // a single thread never waits long for a processor
      },
      "lenet5", "reference");
  const StepDiagnosis verdict = verdict_after(trial);
  EXPECT_NE(verdict.bound, Bound::input) << verdict.sentence.str();
  EXPECT_NE(verdict.bound, Bound::reduce) << verdict.sentence.str();
}

TEST(StepSplitter, AllReduceTimeIsRecordedForTwoDevices) {
  Trial trial([](TrainSettings& s, DataChoice&) { s.devices = {"cpu:0", "cpu:1"}; });
  const auto done = trial.run();
  ASSERT_TRUE(done) << done.error().str();
  double reduce = 0;
  for (const StepSplit& s : trial.sink.all<StepSplit>()) reduce += s.reduce_s;
  EXPECT_GT(reduce, 0);
}

}  // namespace
}  // namespace nw

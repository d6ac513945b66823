// SPDX-License-Identifier: Apache-2.0
#include "engine/train/recorder.hpp"

#include <gtest/gtest.h>

namespace nw {
namespace {

struct Kept final : EventSink {
  std::vector<Event> events;
  void post(const Event& e) override { events.push_back(e); }
};

/// A record may be written during a step, as at the end of an epoch. The step's time belongs to the next record;
/// otherwise that record would report too high a throughput.
TEST(Recorder, StepTimeIsAttributedToTheRecordOfTheStep) {
  Kept kept;
  const auto pass = [](double seconds) {
    for (const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
         std::chrono::steady_clock::now() < end;) {}
  };
  {
    Recorder recorder(kept, nullptr);
    recorder.set_training(true);
    for (int step = 0; step < 3; ++step) {
      pass(0.02);
      recorder.post(Paused{step});  // writes the pending record during a step
      recorder.add({.step = step, .samples = 64});
    }
  }
  std::int64_t steps = 0;
  for (const Event& e : kept.events)
    if (const auto* s = std::get_if<Steps>(&e.what)) {
      EXPECT_LE(s->images_per_s, 64 / 0.02);
      EXPECT_GT(s->images_per_s, 0);
      steps += s->count;
    }
  EXPECT_EQ(steps, 3);
}

/// One image would weigh as much as the 63 others.
TEST(Recorder, AStepIsWeightedByItsImages) {
  Kept kept;
  {
    Recorder recorder(kept, nullptr);
    recorder.add({.step = 1, .samples = 1024});
    recorder.post(Paused{1});  // less than half of 1024 images wait from now on
    recorder.add({.step = 2, .loss = 1, .accuracy = 1, .samples = 63});
    recorder.add({.step = 3, .loss = 65, .accuracy = 0, .samples = 1});
  }
  const auto* record = std::get_if<Steps>(&kept.events.back().what);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->count, 2);
  EXPECT_DOUBLE_EQ(record->loss.mean, 2) << "(63 * 1 + 65) / 64";
  EXPECT_DOUBLE_EQ(record->loss.max, 65);
  EXPECT_DOUBLE_EQ(record->accuracy.mean, 63.0 / 64);
}

TEST(Recorder, AFewImagesAreReportedWithTheNextStep) {
  Kept kept;
  {
    Recorder recorder(kept, nullptr);
    const auto add = [&](std::int64_t step, std::int64_t samples) {
      recorder.add({.step = step, .loss = 1, .samples = samples});
      recorder.post(Paused{step});
    };
    add(1, 64);
    add(2, 1);
    add(3, 64);
    add(4, 3);
  }
  std::vector<std::int64_t> last, count;
  for (const Event& e : kept.events)
    if (const auto* s = std::get_if<Steps>(&e.what)) last.push_back(s->last), count.push_back(s->count);
  EXPECT_EQ(last, (std::vector<std::int64_t>{1, 3, 4})) << "nothing is lost at the end";
  EXPECT_EQ(count, (std::vector<std::int64_t>{1, 2, 1}));
}

}  // namespace
}  // namespace nw

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

}  // namespace
}  // namespace nw

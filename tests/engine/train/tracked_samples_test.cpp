// SPDX-License-Identifier: Apache-2.0
// Tracked samples: predictions equal those of the checkpoint, do not influence training, survive a stop; a damaged
// file is reported.
#include "engine/train/tracked_samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "engine/predict/predictor.hpp"
#include "engine/train/training.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {
namespace {

TrackedSampleHistory two_images() {
  TrackedSampleHistory h{.classes = 3, .channels = 1, .height = 2, .width = 2, .every = 25, .split = "test"};
  h.probes = {{4, 0}, {9, 2}};
  h.pixels = {1, 2, 3, 4, 5, 6, 7, 8};
  return h;
}
const std::vector<TrackedPrediction> right_wrong{{0, 0.5F, 0.5F}, {1, 0.75F, 0.125F}},
    wrong_right{{2, 0.5F, 0.25F}, {2, 1, 1}};

/// A file of three records, for the steps 0, 25 and 50.
void write_three(const fs::path& run) {
  auto file = TrackedSampleFile::open(run, two_images(), 0);
  ASSERT_TRUE(file) << file.error().str();
  ASSERT_TRUE(file->append(0, wrong_right));
  ASSERT_TRUE(file->append(25, right_wrong));
  ASSERT_TRUE(file->append(50, wrong_right));
}
std::string bytes_of(const fs::path& run) { return *read_file(run / "probes.bin", 1 << 20); }
void put_bytes(const fs::path& run, const std::string& bytes) {
  std::ofstream(run / "probes.bin", std::ios::binary) << bytes;
}

TEST(TrackedSampleHistory, IsReadAsItWasWritten) {
  Folder run;
  write_three(run.path);
  const auto h = read_tracked_samples(run.path);
  ASSERT_TRUE(h) << h.error().str();
  EXPECT_EQ(h->probes, two_images().probes);
  EXPECT_EQ(h->pixels, two_images().pixels);
  EXPECT_EQ(h->every, 25);
  EXPECT_EQ(h->split, "test");
  EXPECT_EQ(h->steps, (std::vector<std::int64_t>{0, 25, 50}));
  EXPECT_EQ(h->at(1, 1), right_wrong[1]);
  EXPECT_EQ(turns_of(*h, 0).learnt, std::vector<std::size_t>{1});
  EXPECT_EQ(turns_of(*h, 0).forgotten, std::vector<std::size_t>{2});
  EXPECT_EQ(turns_of(*h, 1).learnt, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(turns_of(*h, 1).forgotten, std::vector<std::size_t>{1});
}

TEST(TrackedSampleHistory, CountsCorrectPredictionsOfARecord) {
  TrackedSampleHistory h = two_images();
  h.steps = {0, 25, 50};
  h.answers = {right_wrong[0], wrong_right[1], right_wrong[0], right_wrong[1], wrong_right[0], right_wrong[1]};
  EXPECT_EQ(correct_at(h, 0), 2U);
  EXPECT_EQ(correct_at(h, 1), 1U);
  EXPECT_EQ(correct_at(h, 2), 0U);
}

TEST(TrackedSampleHistory, DistinguishesForgottenSamplesFromThoseNotYetLearned) {
  TrackedSampleHistory h = two_images();
  h.steps = {0, 25, 50};
  h.answers = {wrong_right[0], wrong_right[1], right_wrong[0], right_wrong[1], wrong_right[0], wrong_right[1]};
  EXPECT_EQ(state_at(h, 0, 0), TrackedSampleState::not_yet);
  EXPECT_EQ(state_at(h, 1, 0), TrackedSampleState::right);
  EXPECT_EQ(state_at(h, 2, 0), TrackedSampleState::forgotten);
  EXPECT_EQ(state_at(h, 1, 1), TrackedSampleState::forgotten) << "the first record was right";
  EXPECT_EQ(state_at(h, 2, 1), TrackedSampleState::right);
}

TEST(TrackedSampleHistory, AnIncompleteLastRecordIsIgnored) {
  Folder run;
  write_three(run.path);
  const std::string whole = bytes_of(run.path);
  put_bytes(run.path, whole.substr(0, whole.size() - 1));
  EXPECT_EQ(read_tracked_samples(run.path)->steps, (std::vector<std::int64_t>{0, 25}));
}

TEST(TrackedSampleHistory, AnyChangedByteIsReportedAsDamage) {
  Folder run;
  write_three(run.path);
  const std::string whole = bytes_of(run.path);
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const int bit : {0, 7}) {
      std::string bad = whole;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      put_bytes(run.path, bad);
      const auto h = read_tracked_samples(run.path);
      ASSERT_FALSE(h) << "byte " << at;
      EXPECT_EQ(h.error().code, Errc::bad_input);
      EXPECT_NE(h.error().str().find("probes.bin is damaged"), std::string::npos) << h.error().str();
    }
  for (const std::size_t length : {0, 5, 39, 60}) {
    put_bytes(run.path, whole.substr(0, length));
    EXPECT_EQ(read_tracked_samples(run.path).error().code, Errc::bad_input) << length;
  }
}

TEST(TrackedSampleHistory, ALinkIsAnErrorAndAMissingFileIsNot) {
  Folder run, other;
  EXPECT_EQ(read_tracked_samples(run.path).error().code, Errc::not_recorded);
  write_three(other.path);
  fs::create_symlink(other.path / "probes.bin", run.path / "probes.bin");
  EXPECT_EQ(read_tracked_samples(run.path).error().code, Errc::bad_input);
}

TEST(TrackedSampleHistory, ContinuesAfterTheResumedStep) {
  Folder run;
  write_three(run.path);
  {
    auto file = TrackedSampleFile::open(run.path, two_images(), 30);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->last_step(), 25);
    ASSERT_TRUE(file->append(50, right_wrong));
  }
  EXPECT_EQ(read_tracked_samples(run.path)->steps, (std::vector<std::int64_t>{0, 25, 50}));
  EXPECT_EQ(read_tracked_samples(run.path)->at(2, 0), right_wrong[0]);
  TrackedSampleHistory others = two_images();
  others.probes[0].sample = 5;
  ASSERT_TRUE(TrackedSampleFile::open(run.path, others, 30));
  EXPECT_TRUE(read_tracked_samples(run.path)->steps.empty()) << "of other images";
}

TEST(TrackedSamples, AreRecordedAboutThreeHundredTimesAndSpreadOverTheirSplit) {
  EXPECT_EQ(tracking_interval(100), 25);
  EXPECT_EQ(tracking_interval(30'000), 100);
  EXPECT_EQ(tracking_interval(30'001), 101);
  EXPECT_EQ(spread_over({3, 5, 7, 9, 11}, 2), (std::vector<std::int64_t>{3, 7}));
  EXPECT_EQ(spread_over({3, 5}, 9), (std::vector<std::int64_t>{3, 5}));
}

Trial::Change some_epochs(std::int64_t epochs, std::int64_t batch = 32) {
  return [=](TrainSettings& s, DataChoice&) {
    s.epochs = epochs;
    s.batch = batch;
    s.horizontal_flip = true;
  };
}

TEST(TrackedSamples, EqualThePredictionsOfTheCheckpoint) {
  for (const std::int64_t batch : {std::int64_t{32}, std::int64_t{20}}) {  // 20: two batches for 32 images
    Trial t(some_epochs(8, batch));
    ASSERT_TRUE(t.run());
    const auto h = read_tracked_samples(t.request.run);
    ASSERT_TRUE(h) << h.error().str();
    ASSERT_EQ(h->probes.size(), 32U);
    EXPECT_EQ(h->split, "validation");
    EXPECT_EQ(h->steps.front(), 0);
    EXPECT_EQ(h->steps.back(), t.sink.all<Ended>().front().step);
    for (std::size_t r = 1; r + 1 < h->steps.size(); ++r) EXPECT_EQ(h->steps[r] % 25, 0);
    auto p = *Predictor::open(t.request.run, "latest");
    const auto e = p->evaluate("validation");
    ASSERT_TRUE(e) << e.error().str();
    for (std::size_t i = 0; i < h->probes.size(); ++i) {
      const auto at = static_cast<std::size_t>(std::find(e->sample.begin(), e->sample.end(), h->probes[i].sample) -
                                               e->sample.begin());
      ASSERT_LT(at, e->sample.size());
      const TrackedPrediction& last = h->at(h->steps.size() - 1, i);
      EXPECT_EQ(h->probes[i].label, e->label[at]);
      EXPECT_EQ(last.predicted, e->predicted[at]);
      EXPECT_NEAR(last.confidence, e->confidence[at], 1e-5);
      EXPECT_NEAR(last.truth, e->probability[at * 10 + static_cast<std::size_t>(e->label[at])], 1e-5);
    }
    EXPECT_NE(h->at(0, 0), h->at(h->steps.size() - 1, 0)) << "it has learnt something";
  }
}

TEST(TrackedSamples, DoNotChangeTheRun) {
  Trial with(some_epochs(6)), without(some_epochs(6));
  without.request.probes = 0;
  ASSERT_TRUE(with.run());
  ASSERT_TRUE(without.run());
  EXPECT_GT(read_tracked_samples(with.request.run)->steps.size(), 2U);
  EXPECT_FALSE(fs::exists(without.request.run / "probes.bin"));
  EXPECT_EQ(with.final_weights(), without.final_weights());
}

TEST(TrackedSamples, OfAStoppedAndResumedRunAreThoseOfAnUninterruptedOne) {
  Trial whole(some_epochs(10)), parts(some_epochs(10));
  ASSERT_TRUE(whole.run());
  parts.sink.then = [&](const Event& e) {
    if (const auto* s = std::get_if<Steps>(&e.what); s && s->last >= 30) parts.control.stop(false);
  };
  ASSERT_TRUE(parts.run());
  Recording events;
  ASSERT_TRUE(parts.resume(events));
  EXPECT_EQ(bytes_of(parts.request.run), bytes_of(whole.request.run));
}

}  // namespace
}  // namespace nw

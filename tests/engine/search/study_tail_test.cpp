// SPDX-License-Identifier: Apache-2.0
// A study followed while it is written, when its trials trained, and the best trial's repeats.
#include "engine/search/study_tail.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/engine/runs/folder.hpp"

namespace nw::search {
namespace {

constexpr const char* begin_line =
    R"({"schema":1,"type":"study","name":"net","project":"1",)"
    R"("space":{"parameters":[{"name":"x","type":"real","low":0,"high":1}]},"objectives":["accuracy:max"],)"
    R"("sampler":"random","pruner":"asha","seed":0,"epochs":9,"first_rung":1,"reduction":3,"time":100})";

class Followed : public testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(folder.path / journal_file, std::ios::app) << text; }
  void lines(std::initializer_list<const char*> all) {
    for (const char* line : all) write(std::string(line) + "\n");
  }
  Folder folder;
  StudyTail tail{folder.path};
};

TEST_F(Followed, TakesLinesOnceTheyAreWholeAndSaysWhichOneCannotBe) {
  EXPECT_FALSE(tail.poll()) << "there is no journal";
  write(begin_line);
  ASSERT_TRUE(tail.poll());
  EXPECT_FALSE(tail.study().began()) << "half a line does not count";
  lines({"", R"({"schema":1,"type":"process","trials":4,"time":100})",
         R"({"schema":1,"type":"trial","trial":0,"parameters":{"x":0.5},"run":"trial-0000","to_epoch":1,"time":101})"});
  ASSERT_TRUE(tail.poll());
  EXPECT_EQ(tail.study().wanted(), 4);
  EXPECT_EQ(tail.study().trials().size(), 1U);
  const auto version = tail.version();
  ASSERT_TRUE(tail.poll());
  EXPECT_EQ(tail.version(), version) << "nothing is new";
  lines({R"({"schema":1,"type":"paused","trial":3,"time":1})"});
  const auto broken = tail.poll();
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().str().find("line 4"), std::string::npos) << broken.error().str();
  EXPECT_EQ(tail.poll().error().str(), broken.error().str());
  std::string longer = std::string(begin_line) + "\n";  // another file, and not a shorter one
  for (int i = 0; i < 40; ++i)
    longer += R"({"schema":1,"type":"process","trials":9,"time":100})"
              "\n";
  std::ofstream(folder.path / "new") << longer;
  fs::rename(folder.path / "new", folder.path / journal_file);
  ASSERT_TRUE(tail.poll());
  EXPECT_EQ(tail.study().trials().size(), 0U) << "read anew";
  EXPECT_EQ(tail.study().wanted(), 9);
}

TEST_F(Followed, ReadsInPieces) {
  write(std::string(begin_line) + "\n");
  for (int i = 0; i < 200; ++i)
    write(R"({"schema":1,"type":"trial","trial":)" + std::to_string(i) +
          R"(,"parameters":{"x":0.5},"run":"r","to_epoch":1,"time":101})" + "\n");
  int polls = 1;
  for (auto more = tail.poll(1000); more && *more; more = tail.poll(1000)) ++polls;
  EXPECT_GT(polls, 10);
  EXPECT_EQ(tail.study().trials().size(), 200U);
}

TEST_F(Followed, ALinkIsNotFollowed) {
  Folder elsewhere;
  std::ofstream(elsewhere.path / "j") << begin_line << "\n";
  fs::create_symlink(elsewhere.path / "j", folder.path / journal_file);
  EXPECT_FALSE(tail.poll());
  EXPECT_FALSE(tail.study().began());
}

Proposed trial(std::int64_t number, double time) {
  return {.trial = number, .point = {0.5}, .to_epoch = 1, .time = time};
}

TEST(Timeline, LeavesOutTheTimeBetweenProcessesAndReusesLanes) {
  Timeline t;
  const std::vector<Record> story = {
      WentOn{9, 100}, trial(0, 110),   trial(1, 110),        Paused{0, 130},
      trial(2, 131),  WentOn{9, 5000}, Promoted{0, 3, 5010}, Closed{2, TrialState::pruned, {}, "", 5020}};
  for (const Record& r : story) t.take(r);
  EXPECT_DOUBLE_EQ(t.seconds(), 31 + 20);
  EXPECT_EQ(t.lanes(), 3U);
  ASSERT_EQ(t.stretches().size(), 4U);
  EXPECT_EQ(t.stretches()[2].lane, 0U) << "trial 2 trains where trial 0 did";
  EXPECT_FALSE(t.stretches()[0].open);
  EXPECT_TRUE(t.stretches()[3].open);
  EXPECT_DOUBLE_EQ(t.stretches()[3].from_s, 41);
  EXPECT_DOUBLE_EQ(t.seconds_of(0, 60), 20 + 19);
}

TEST(Timeline, NeverRunsBackwardsAndHasNoInfiniteTime) {
  Timeline t;
  for (const double time : {100.0, 50.0, 1e300, 20.0}) t.take(Record(Stopped{"stopped", time}));
  t.take(Record(trial(0, 10)));
  EXPECT_GE(t.seconds(), 0);
  EXPECT_LE(t.seconds(), 1e9);
}

TEST_F(Followed, RepeatsOfTheBestTrialGiveTheirSpreadAndComeOnce) {
  write(std::string(begin_line) + "\n");
  lines({R"({"schema":1,"type":"trial","trial":0,"parameters":{"x":0.5},"run":"r","to_epoch":9,"time":1})"});
  ASSERT_TRUE(tail.poll());
  Study study = tail.study();
  for (const double value : {0.5, 0.7, 0.6}) {
    const Repeated one{0, static_cast<std::uint64_t>(value * 10), {value}, "", 2};
    const auto read = record_from_line(record_line(one, study.definition().space), study.definition().space);
    ASSERT_TRUE(read && *read);
    ASSERT_TRUE(study.take(**read));
    EXPECT_FALSE(study.take(**read)) << "the same seed twice";
  }
  EXPECT_TRUE(study.take(Record(Repeated{0, 99, {}, "out of memory", 2}))) << "one that failed has no value";
  EXPECT_FALSE(study.take(Record(Repeated{1, 4, {0.5}, "", 2}))) << "of a trial that does not exist";
  const Spread s = spread_of(study.repeats(), 0);
  EXPECT_EQ(s.runs, 3U);
  EXPECT_DOUBLE_EQ(s.mean, 0.6);
  EXPECT_NEAR(s.deviation, 0.1, 1e-12);
  EXPECT_EQ(s.low, 0.5);
  EXPECT_EQ(s.high, 0.7);
}

}  // namespace
}  // namespace nw::search

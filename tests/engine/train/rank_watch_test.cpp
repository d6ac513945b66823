// SPDX-License-Identifier: Apache-2.0
// What a training reports of its devices.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/engine/train/ranks.hpp"
#include "tests/engine/train/training_seam.hpp"

namespace nw {
namespace {

std::vector<RankTimes> epochs_of(const Trial& t) {
  std::vector<RankTimes> all = t.sink.all<RankTimes>();
  std::erase_if(all, [](const RankTimes& r) { return !r.whole_epoch; });
  return all;
}

TEST(RankWatch, ReportsTheTimesOfEveryDeviceAfterEachEpoch) {
  Trial t([](TrainSettings& s, DataChoice&) { s.devices = {"cpu:0", "cpu:1"}; });
  ASSERT_TRUE(t.run());
  const auto epochs = epochs_of(t);
  const auto ends = t.sink.all<EpochEnd>();
  ASSERT_EQ(epochs.size(), ends.size());
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    EXPECT_EQ(epochs[i].epoch, ends[i].epoch);
    EXPECT_EQ(epochs[i].step, ends[i].step);
    ASSERT_EQ(epochs[i].ranks.size(), 2U);
    for (const int rank : {0, 1}) {
      const RankUse& r = epochs[i].ranks[static_cast<std::size_t>(rank)];
      EXPECT_EQ(r.rank, rank);
      EXPECT_EQ(r.device, "cpu:" + std::to_string(rank));
      EXPECT_FALSE(r.host.empty());
      EXPECT_EQ(r.steps, ends[0].step);
      ASSERT_TRUE(r.compute_s && r.communication_s && r.wait_s && r.input_s && r.busy && r.memory_bytes);
      EXPECT_GT(*r.compute_s, 0);
      EXPECT_GT(*r.communication_s + *r.wait_s, 0) << "they exchange gradients";
      EXPECT_NEAR(*r.compute_s + *r.communication_s + *r.wait_s + *r.input_s, r.seconds, 1e-9);
      EXPECT_GT(*r.memory_bytes, 0);
    }
  }
}

TEST(RankWatch, ReportsAStepOfEveryDeviceAfterEachEpoch) {
  Trial t([](TrainSettings& s, DataChoice&) { s.devices = {"cpu:0", "cpu:1"}; });
  ASSERT_TRUE(t.run());
  for (const RankTimes& e : t.sink.all<RankTimes>())
    for (const RankUse& r : e.ranks) {
      EXPECT_EQ(r.spans.empty(), !e.whole_epoch);
      if (!e.whole_epoch) continue;
      EXPECT_EQ(r.spans[0].part, StepPart::forward);
      EXPECT_TRUE(hidden_share(r.spans)) << "gradients are exchanged";
    }
}

TEST(RankWatch, RanksOfSeveralProcessesTellTheirSteps) {
  Trial t;
  TrainControl control;
  ASSERT_TRUE(test::train_on_ranks(3, t.request, control, t.sink));
  const auto epochs = epochs_of(t);
  ASSERT_FALSE(epochs.empty());
  ASSERT_EQ(epochs.back().ranks.size(), 3U);
  std::set<double> ends;
  for (const RankUse& r : epochs.back().ranks) {
    ASSERT_GE(r.spans.size(), 5U) << r.rank;
    EXPECT_EQ(r.spans[3].part, StepPart::update);
    EXPECT_EQ(r.spans[4].part, StepPart::bucket);
    EXPECT_EQ(r.spans[4].bucket, 1);
    ends.insert(r.spans[3].end_s);
  }
  EXPECT_EQ(ends.size(), 3U) << "each its own";
}

TEST(RankWatch, ReportsASingleDeviceToo) {
  Trial t;
  ASSERT_TRUE(t.run());
  const auto epochs = epochs_of(t);
  ASSERT_EQ(epochs.size(), 2U);
  ASSERT_EQ(epochs[0].ranks.size(), 1U);
  EXPECT_EQ(epochs[0].ranks[0].communication_s, 0);
  EXPECT_EQ(epochs[0].ranks[0].wait_s, 0);
  EXPECT_EQ(epochs[0].slowest, -1);
  ASSERT_TRUE(scaling_efficiency(epochs[0]));
  EXPECT_DOUBLE_EQ(*scaling_efficiency(epochs[0]), 1) << "but for the rounding of a step's seconds";
}

/// A folder of counters as the kernel has it: one of a package of processors, and one of a part of it.
struct Counters {
  Counters() {
    for (const char* name : {"intel-rapl:0", "intel-rapl:0:0"}) fs::create_directories(folder.path / name);
    add(0);
  }
  void add(int joules) {
    used_j += joules;
    for (const char* name : {"intel-rapl:0", "intel-rapl:0:0"})
      EXPECT_TRUE(save_file(folder.path / name / "energy_uj", std::to_string(used_j) + "000000\n"));
  }
  Folder folder;
  int used_j = 700;
};

std::vector<RankTimes> written_epochs_of(const fs::path& run) {
  std::vector<RankTimes> all;
  std::istringstream lines(*read_file(run / "events.jsonl", std::uint64_t{1} << 30));
  for (std::string line; std::getline(lines, line);)
    if (const auto e = parse_event(line))
      if (const auto* r = std::get_if<RankTimes>(&e->what); r && r->whole_epoch) all.push_back(*r);
  return all;
}

class RankEnergy : public testing::TestWithParam<Parallelism> {};

/// Counted from the beginning of the training; the first device of a host has what all of its processors used.
TEST_P(RankEnergy, AndPowerOfTheProcessorsAreReportedInEachEpoch) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.devices = {"cpu:0", "cpu:1"};
    s.parallel = GetParam();
    if (s.parallel == Parallelism::model) s.micro_batches = 2;
  });
  Counters counters;
  Training training(t.request, t.control, t.sink);
  TrainingSeam::state(training).energy_counters = counters.folder.path;
  t.sink.then = [&](const Event& e) {
    if (const auto* end = std::get_if<EpochEnd>(&e.what)) counters.add(end->epoch == 1 ? 5 : 7);
  };
  const auto done = training.run();
  ASSERT_TRUE(done) << done.error().str();
  const auto epochs = written_epochs_of(t.request.run);
  ASSERT_EQ(epochs.size(), 2U);
  double passed_s = 0;
  for (const RankTimes& e : epochs) {
    const RankUse& first = e.ranks[0];
    ASSERT_TRUE(first.energy_j && first.power_w);
    EXPECT_NEAR(*first.energy_j, e.epoch == 1 ? 5 : 7, 1e-6);
    EXPECT_GT(*first.energy_j / *first.power_w, first.seconds + 1e-6) << "the evaluation takes energy too";
    passed_s += *first.energy_j / *first.power_w;
    EXPECT_FALSE(e.ranks[1].energy_j || e.ranks[1].power_w);
  }
  EXPECT_LE(passed_s, done->ended.wall_s * 1.001);
}

INSTANTIATE_TEST_SUITE_P(Ranks, RankEnergy, testing::Values(Parallelism::data, Parallelism::model),
                         [](const auto& of) { return std::string(name_of(of.param)); });

TEST(RankWatch, DoesNotKnowEnergyWithoutCounters) {
  Trial t;
  const Folder empty;
  Training training(t.request, t.control, t.sink);
  TrainingSeam::state(training).energy_counters = empty.path;
  ASSERT_TRUE(training.run());
  for (const RankTimes& r : t.sink.all<RankTimes>()) EXPECT_FALSE(r.ranks[0].energy_j || r.ranks[0].power_w);
}

}  // namespace
}  // namespace nw

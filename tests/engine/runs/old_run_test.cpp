// SPDX-License-Identifier: Apache-2.0
// A run folder that version 0.1 wrote is opened and listed, and all of its events are read.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "engine/runs/run_folder.hpp"
#include "tests/engine/runs/folder.hpp"
#include "tests/support/old_run.hpp"

namespace nw {
namespace {

struct OldRun : testing::Test {
  Folder runs;
  const fs::path run = runs.path / "moons";

  void SetUp() override { test::copy_old_run(run); }

  std::vector<Event> events(const char* file = events_file) const {
    EventTail tail(run, file);
    std::vector<Event> all;
    const auto more = tail.poll(all);
    EXPECT_TRUE(more) << more.error().str();
    EXPECT_EQ(tail.damaged_lines(), 0);
    return all;
  }
  template <class T>
  std::vector<T> all() const {
    std::vector<T> out;
    for (const Event& e : events())
      if (const T* what = std::get_if<T>(&e.what)) out.push_back(*what);
    return out;
  }
};

TEST_F(OldRun, IsOpened) {
  const auto definition = read_run_definition(run);
  ASSERT_TRUE(definition) << definition.error().str();
  EXPECT_EQ(definition->name, "two-moons");
  EXPECT_EQ(definition->version, "0.1.0");
  const auto latest = latest_checkpoint(run);
  ASSERT_TRUE(latest) << latest.error().str();
  EXPECT_TRUE(verify_checkpoint(run, latest->name));
}

TEST_F(OldRun, IsListed) {
  const std::vector<RunSummary> listed = list_runs(runs.path);
  ASSERT_EQ(listed.size(), 1U);
  const RunSummary& s = listed.front();
  EXPECT_EQ(s.name, "two-moons");
  EXPECT_EQ(s.status, RunStatus::stopped);
  EXPECT_EQ(s.metric, Metric::accuracy);
  EXPECT_EQ(s.steps, 87);
  EXPECT_EQ(s.epochs_done, 3);
  EXPECT_EQ(s.images, 5400) << "of both processes";
  EXPECT_GT(s.best_accuracy, 0.8);
  EXPECT_TRUE(s.can_resume);
}

TEST_F(OldRun, HasEventsOfEveryTypeOfItsTimeAndAllAreRead) {
  constexpr std::size_t types_of_its_time = 13;  // all but those of pipelines
  std::vector<Event> read = events(), statistics = events(statistics_file);
  std::ifstream file(run / events_file);
  const auto lines = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  EXPECT_EQ(static_cast<std::ptrdiff_t>(read.size()), lines);
  read.insert(read.end(), statistics.begin(), statistics.end());
  std::set<std::size_t> types;
  for (const Event& e : read) types.insert(e.what.index());
  EXPECT_EQ(types.size(), types_of_its_time);
}

TEST_F(OldRun, ReadsFieldsThatWereRenamed) {
  EXPECT_EQ(all<Ended>().front().reason, EndReason::stopped);
  EXPECT_EQ(all<Ended>().front().message.str(), "training was stopped");
  EXPECT_EQ(all<Health>().front().message.str(), "the disk is slow");
  EXPECT_EQ(all<Health>().front().level, HealthLevel::warning);
  const DeviceSample d = all<DeviceSample>().front();
  EXPECT_GT(d.process_memory_bytes, 1e6);
  ASSERT_EQ(d.gpus.size(), 1U);
  EXPECT_EQ(d.gpus[0].process_utilization, 90);
  EXPECT_EQ(d.gpus[0].process_memory_bytes, 9e9);
}

}  // namespace
}  // namespace nw

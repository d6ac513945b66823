// SPDX-License-Identifier: Apache-2.0
// A full disk at every point where the program writes: one message, the exit code for disk errors, no data loss.
#include <algorithm>

#include "tests/app/cli_fixture.hpp"
#include "tests/torture/small_disk.hpp"

namespace nw {
namespace {

class FullDisk : public Cli {
 protected:
  void SetUp() override {
    if (!disk_.ready()) GTEST_SKIP() << "no disk can be mounted here";
  }
  std::string on_disk(const char* name) const { return (disk_.path() / name).string(); }
  /// Checks that stderr is one message with the reason.
  static void expect_disk_error(const CommandOutput& result) {
    EXPECT_EQ(result.code, 7) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.err.find("netwright-cli: "), 0U) << result.err;
    EXPECT_NE(result.err.find("No space left on device"), std::string::npos) << result.err;
  }
  std::string undisturbed(const std::string& file) {
    EXPECT_EQ(run({"train", file, "--run-dir", at("undisturbed"), "--quiet"}).code, 0);
    return latest_bytes(at("undisturbed"));
  }
  void expect_checkpoints_whole() const {
    for (const CheckpointName& c : list_checkpoints(on_disk("run")))
      EXPECT_TRUE(verify_checkpoint(on_disk("run"), c.name)) << c.name;
    for (const auto& entry : fs::directory_iterator(on_disk("run/checkpoints")))
      EXPECT_TRUE(checkpoint_step(entry.path().filename().string())) << entry.path();
  }
  // One checkpoint of the small project takes 1.3 MB.
  static constexpr std::uint64_t room_for_one = 2'000'000;
  const SmallDisk disk_{place_.path / "disk", "12m"};
};

TEST_F(FullDisk, AProjectKeepsItsOldContent) {
  const std::string file = on_disk("work.netwright");
  ASSERT_EQ(run({"new", "-t", "mlp", "-o", file}).code, 0);
  const GraphDoc before = new_project(*find_template("mlp"));
  for (const std::uint64_t left : {0, 4096, 8192}) {
    disk_.fill(left);
    const CommandOutput result = run({"new", "-t", "resnet18-cifar", "--force", "-o", file});
    expect_disk_error(result);
    EXPECT_NE(result.err.find("work.netwright"), std::string::npos);
    const auto kept = ProjectFile::load(file);
    ASSERT_TRUE(kept);
    EXPECT_TRUE(*kept == before);
    disk_.make_room();
    EXPECT_EQ(std::distance(fs::directory_iterator(disk_.path()), {}), 1) << "a temporary file was left";
  }
  EXPECT_EQ(run({"new", "-t", "resnet18-cifar", "--force", "-o", file}).code, 0);
}

TEST_F(FullDisk, ARunDoesNotBegin) {
  const std::string file = project();
  disk_.fill(0);
  expect_disk_error(run({"train", file, "--run-dir", on_disk("run")}));
}

TEST_F(FullDisk, ARunEndsWithItsLastCheckpointAndResumesOnceSpaceIsFree) {
  const std::string file = project(8), expected = undisturbed(file);
  disk_.fill(room_for_one);
  const CommandOutput result = run({"train", file, "--run-dir", on_disk("run"), "--disk-wait", "0", "--quiet"});
  expect_disk_error(result);
  ASSERT_EQ(list_checkpoints(on_disk("run")).size(), 1U);
  expect_checkpoints_whole();
  EXPECT_TRUE(summarize_run(on_disk("run"))->can_resume);
  expect_disk_error(run({"resume", on_disk("run"), "--disk-wait", "0", "--quiet"}));
  expect_checkpoints_whole();
  disk_.make_room();
  const CommandOutput resumed = run({"resume", on_disk("run"), "--quiet"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_TRUE(latest_bytes(on_disk("run")) == expected);
}

TEST_F(FullDisk, ARunWaitsForFreeSpaceAndThenContinues) {
  const std::string file = project(8), expected = undisturbed(file);
  disk_.fill(room_for_one);
  Command training(place_, {"train", file, "--run-dir", on_disk("run"), "--disk-wait", "3600", "--quiet"});
  ASSERT_TRUE(
      wait_for([&] { return training.err().find("Training is paused until this is mended") != std::string::npos; }));
  expect_checkpoints_whole();
  disk_.make_room();
  const CommandOutput result = training.wait();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(latest_bytes(on_disk("run")) == expected);
}

TEST_F(FullDisk, TheEventLogKeepsCompleteLinesAndLosesNoEvent) {
  Command training(place_, {"train", project(1'000'000), "--run-dir", on_disk("run"), "--quiet"});
  ASSERT_TRUE(wait_for([&] { return !list_checkpoints(on_disk("run")).empty(); }));
  disk_.fill(0);
  ASSERT_TRUE(
      wait_for([&] { return training.err().find("Training is paused until this is mended") != std::string::npos; }));
  expect_checkpoints_whole();
  disk_.make_room();
  ASSERT_TRUE(control_run(on_disk("run"), "stop", 60));
  EXPECT_EQ(training.wait().code, 8);
  EventTail tail(on_disk("run"));
  std::vector<Event> events;
  for (auto more = tail.poll(events); more && *more;) more = tail.poll(events);
  EXPECT_EQ(tail.damaged_lines(), 0);
  std::vector<std::int64_t> epochs;
  for (const Event& e : events)
    if (const auto* epoch = std::get_if<EpochEnd>(&e.what)) epochs.push_back(epoch->epoch);
  for (std::size_t i = 0; i < epochs.size(); ++i)
    ASSERT_EQ(epochs[i], static_cast<std::int64_t>(i) + 1) << "an epoch is missing from the log";
  EXPECT_TRUE(
      std::any_of(events.begin(), events.end(), [](const Event& e) { return std::holds_alternative<Ended>(e.what); }));
}

TEST_F(Cli, OutputThatCannotBeWrittenIsReported) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const Launch full{.words = {}, .first = [] { ::dup2(::open("/dev/full", O_WRONLY), 1); }};
  const CommandOutput listed = run({"new", "--list"}, full);
  EXPECT_EQ(listed.code, 7);
  EXPECT_EQ(listed.err, "netwright-cli: the output cannot be written: No space left on device\n");
  const CommandOutput trained = run({"train", project(), "--json", "--quiet", "--run-dir", at("run")}, full);
  EXPECT_EQ(trained.code, 7) << trained.err;
  EXPECT_NE(trained.err.find("its folder has all results"), std::string::npos) << trained.err;
  EXPECT_EQ(summarize_run(at("run"))->status, RunStatus::finished) << "what was learnt is not thrown away";
}

}  // namespace
}  // namespace nw

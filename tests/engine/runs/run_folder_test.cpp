// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include <set>

#include "engine/design/project_file.hpp"
#include "engine/runs/contained.hpp"
#include "tests/engine/runs/folder.hpp"
#include "tests/support/memory_limit.hpp"

namespace nw {
namespace {

RunDefinition definition() {
  RunDefinition d;
  d.name = "lenet5";
  d.doc = find_template("lenet5")->make();
  d.data_hash = 0xFEDCBA9876543210u;
  d.mean = {0.1307F};
  d.deviation = {0.3081F};
  d.classes = {"zero", "one"};
  d.channels = 1;
  d.height = d.width = 28;
  d.choices = {"conv1: plain"};
  d.version = "0.1.0";
  d.created = 1.7e9;
  return d;
}

TEST(RunFolder, HoldsTheWholeDefinition) {
  const Folder runs;
  RunDefinition d = definition();
  const auto run = create_run_folder(runs.path, d);
  ASSERT_TRUE(run) << run.error().str();
  struct stat info {};
  ASSERT_EQ(::stat(run->c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
  EXPECT_NE(run->filename().string().find("-lenet5-"), std::string::npos);
  const auto back = read_run_definition(*run);
  ASSERT_TRUE(back) << back.error().str();
  EXPECT_EQ(to_json(*back), to_json(d));
  EXPECT_TRUE(back->doc == d.doc);
  EXPECT_EQ(back->data_hash, d.data_hash);
}

TEST(RunFolder, TwoRunsOfOneProjectGetTwoFolders) {
  const Folder runs;
  RunDefinition d = definition();
  std::set<std::string> names;
  for (int i = 0; i < 60; ++i) names.insert(create_run_folder(runs.path, d)->string());
  EXPECT_EQ(names.size(), 60U);
}

TEST(RunFolder, AProjectsNameCannotEscapeTheRunsFolder) {
  const Folder runs;
  for (const char* name : {"../../evil", "/etc/passwd", "..", ".hidden", "a/b", "", "a\nb", "\xff"}) {
    const auto run = reserve_run_folder(runs.path, name);
    ASSERT_TRUE(run) << name;
    EXPECT_EQ(run->parent_path(), runs.path) << name;
    EXPECT_FALSE(run->filename().string().starts_with('.')) << name;
  }
}

TEST(RunFolder, DamagedDefinitionsAreRejectedWithOneSentence) {
  const Folder run;
  const std::string good = canonical(to_json(definition()));
  const auto refused = [&](const std::string& bytes) {
    (void)save_file(run.path / "run.json", bytes);
    const auto d = read_run_definition(run.path);
    return !d && d.error().code == Errc::bad_input && !d.error().str().empty();
  };
  EXPECT_TRUE(refused(""));
  EXPECT_TRUE(refused("[]"));
  EXPECT_TRUE(refused("{}"));
  EXPECT_TRUE(refused(good.substr(0, good.size() / 2)));
  EXPECT_TRUE(refused(good + "x"));
  const auto changed = [&](const char* key, Json value) {
    Json j = Json::parse(good);
    j[key] = std::move(value);
    return j.dump();
  };
  EXPECT_TRUE(refused(changed("schema", 2))) << "a newer format";
  EXPECT_TRUE(refused(changed("project", Json::array())));
  EXPECT_TRUE(refused(changed("deviation", Json::array({0.0}))));
  EXPECT_TRUE(refused(changed("deviation", Json::array())));
  EXPECT_TRUE(refused(changed("mean", Json::array({"x"}))));
  EXPECT_TRUE(refused(changed("data_hash", "nonsense")));
  EXPECT_TRUE(refused(changed("channels", -1)));
  EXPECT_TRUE(refused(changed("width", 1e300)));
  EXPECT_FALSE(refused(good));
}

TEST(RunFolder, NothingIsReadThroughALink) {
  const Folder run, outside;
  ASSERT_TRUE(save_file(outside.path / "secret", canonical(to_json(definition()))));
  fs::create_symlink(outside.path / "secret", run.path / "run.json");
  EXPECT_FALSE(read_run_definition(run.path));
  fs::create_directory_symlink(outside.path, run.path / "checkpoints");
  EXPECT_FALSE(read_inside(run.path, "checkpoints/secret", 1 << 20));
  EXPECT_FALSE(read_inside(run.path, "../" + outside.path.filename().string() + "/secret", 1 << 20));
  EXPECT_FALSE(read_inside(run.path, "", 1 << 20));
  EXPECT_FALSE(read_inside(run.path, "/etc/hostname", 1 << 20));
}

TEST(RunFolder, PipesAndFoldersInPlaceOfFilesDoNotHang) {
  const Folder run;
  ASSERT_EQ(::mkfifo((run.path / "run.json").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((run.path / "lock").c_str(), 0600), 0);
  fs::create_directory(run.path / "events.jsonl");
  fs::create_directory(run.path / "latest");
  EXPECT_FALSE(read_run_definition(run.path));
  EXPECT_FALSE(summarize_run(run.path));
  EXPECT_FALSE(is_running(run.path));
  std::vector<Event> events;
  EXPECT_FALSE(EventTail(run.path).poll(events));
  EXPECT_FALSE(latest_checkpoint(run.path));
}

TEST(RunFolder, FilesBeyondTheLimitAreNotRead) {
  const Folder run;
  ASSERT_TRUE(save_file(run.path / "run.json", "{"));
  fs::resize_file(run.path / "run.json", std::uintmax_t{1} << 40);  // sparse: occupies no disk space
  const auto d = read_run_definition(run.path);
  ASSERT_FALSE(d);
  EXPECT_EQ(d.error().code, Errc::bad_input);
}

struct EventSequence {
  Folder run;
  std::string lines;
  EventSequence() { EXPECT_TRUE(write_run_definition(run.path, definition())); }
  EventSequence& tell(double t, decltype(Event::what) what) {
    lines += event_line({t, std::move(what)}) + "\n";
    EXPECT_TRUE(save_file(run.path / "events.jsonl", lines));
    return *this;
  }
  EventSequence& epoch(std::int64_t n, double accuracy) {
    return tell(static_cast<double>(n), EpochEnd{n, n * 100, 0.5, 0.8, true, 0.4, accuracy, 1, 1, false});
  }
  RunSummary summary() const { return *summarize_run(run.path); }
};

TEST(RunSummary, ARunWithoutAnEndedEventIsInterrupted) {
  EventSequence s;
  s.tell(0, Started{1.7e9, "digits", "cpu", 10, 100, 64, 61706, 1, 1, 1, 1, 1})
      .tell(1, Steps{50, 1, 0.5, {1, 2, 3}, {}, 0.1, 1, 0})
      .epoch(1, 0.9);
  const RunSummary r = s.summary();
  EXPECT_EQ(r.status, RunStatus::interrupted);
  EXPECT_EQ(r.name, "digits");
  EXPECT_EQ(r.parameters, 61706);
  EXPECT_EQ(r.epochs_done, 1);
  EXPECT_DOUBLE_EQ(r.best_accuracy, 0.9);
  EXPECT_FALSE(r.can_resume) << "there is no checkpoint";
}

TEST(RunSummary, AnEndedRunReportsItsEndReason) {
  EventSequence s;
  s.epoch(1, 0.9).epoch(2, 0.8).tell(5, Ended{EndReason::finished, {}, 200, 5, 0.1, 0.85, 1000, 0});
  const RunSummary r = s.summary();
  EXPECT_EQ(r.status, RunStatus::finished);
  EXPECT_DOUBLE_EQ(r.test_accuracy, 0.85);
  EXPECT_DOUBLE_EQ(r.best_accuracy, 0.9);
  EXPECT_EQ(r.curve.size(), 2U);
  EXPECT_EQ(r.steps, 200);
}

TEST(RunSummary, AddsUpTheEnergyOfItsProcesses) {
  EventSequence s;
  Ended first{EndReason::stopped, {}, 100, 3, -1, -1, 1, 8};
  first.gpu_energy_j = 500;
  first.images = 6400;
  Ended second{EndReason::finished, {}, 200, 3, -1, -1, 1, 0};
  second.gpu_energy_j = 250;
  second.cpu_energy_j = 60;
  second.images = 6400;
  s.tell(3, first).tell(0.1, Resumed{100, 1, 1.7e9}).tell(3, second);
  EXPECT_DOUBLE_EQ(s.summary().gpu_energy_j, 750);
  EXPECT_DOUBLE_EQ(s.summary().cpu_energy_j, 60);
  EXPECT_EQ(s.summary().images, 12800);
}

TEST(RunSummary, ARunTrainedFurtherHasTheNewNumberOfEpochs) {
  EventSequence s;
  s.epoch(1, 0.7).tell(3, Ended{EndReason::finished, {}, 100, 3, -1, -1, 1, 0}).tell(0.1, Resumed{100, 1, 1.7e9});
  s.tell(0.1, Knob{epochs_knob, 25, 100}).epoch(2, 0.8).tell(0.1, Resumed{200, 1, 1.7e9});
  const RunSummary r = s.summary();
  EXPECT_EQ(r.epochs, 25) << "a later resume keeps to it";
  EXPECT_EQ(r.extended_from_step, 100);
  ASSERT_EQ(r.history.size(), 2U);
  EXPECT_EQ(r.history[1].epoch, 2);
  EXPECT_DOUBLE_EQ(r.history[1].validation_accuracy, 0.8);
}

TEST(RunSummary, EventsAfterTheResumedStepAreIgnored) {
  EventSequence s;
  s.epoch(1, 0.7)
      .epoch(2, 0.99)
      .tell(3, Ended{EndReason::stopped, {}, 250, 3, -1, -1, 1, 8})
      .tell(0.1, Resumed{100, 1, 1.7e9})
      .epoch(2, 0.8);
  const RunSummary r = s.summary();
  EXPECT_EQ(r.status, RunStatus::interrupted);
  EXPECT_EQ(r.curve.size(), 2U);
  EXPECT_DOUBLE_EQ(r.best_accuracy, 0.8) << "0.99 was taken back";
  EXPECT_NEAR(r.wall_s, 5, 1e-9) << "3 s of the first process, 2 of the second";
}

/// The last record may hold a few images of the next epoch only.
TEST(RunSummary, TheLastLossIsThatOfTheLastWholeEpoch) {
  EventSequence s;
  s.tell(1, Steps{50, 1, 0.5, {1, 2, 3}, {}, 0.1, 1, 0});
  EXPECT_DOUBLE_EQ(s.summary().last_loss, 2) << "no epoch has ended";
  s.epoch(1, 0.9).tell(3, Steps{120, 1, 1.1, {7, 8, 9}, {}, 0.1, 1, 0});
  EXPECT_DOUBLE_EQ(s.summary().last_loss, 0.5);
}

/// The events of weeks of training with several GPUs.
TEST(RunSummary, OfAHugeLogIsThatOfASmallOne) {
  EventSequence s;
  s.tell(0, Started{1.7e9, "digits", "cpu", 10, 100, 64, 61706, 1, 1, 1, 1, 1}).epoch(1, 0.9);
  const std::string first = s.lines;
  s.lines.clear();
  s.epoch(2, 0.95).tell(9, Ended{EndReason::finished, {}, 200, 5, 0.1, 0.85, 1000, 0});
  const std::string last = s.lines;
  const std::string steps = event_line({1, Steps{50, 1, 0.5, {1, 2, 3}, {}, 0.1, 1, 0}}) + "\n";
  std::string many;
  while (many.size() < (1 << 20)) many += steps;
  {
    std::ofstream log(s.run.path / "events.jsonl");
    log << first;
    for (int i = 0; i < 300; ++i) log << many;
    log << std::string(3 << 20, 'x') << "\n" << last;
  }
  const test::MemoryLimit limit(64);
  const auto r = summarize_run(s.run.path);
  ASSERT_TRUE(r) << r.error().str();
  EXPECT_EQ(r->status, RunStatus::finished);
  EXPECT_EQ(r->epochs_done, 2);
  EXPECT_DOUBLE_EQ(r->best_accuracy, 0.95);
  EXPECT_EQ(r->steps, 200);
}

TEST(RunSummary, EventsBehindALinkAreAnError) {
  EventSequence s, other;
  other.epoch(1, 0.9);
  fs::create_symlink(other.run.path / "events.jsonl", s.run.path / "events.jsonl");
  EXPECT_FALSE(summarize_run(s.run.path));
}

TEST(RunSummary, GarbageBetweenEventsIsSkipped) {
  EventSequence s;
  s.epoch(1, 0.9);
  s.lines += std::string(1, '\0') + "\x01garbage\n{\"type\":\"steps\"}\n" + std::string(1000, '{') + "\n";
  s.epoch(2, 0.95);
  EXPECT_EQ(s.summary().curve.size(), 2U);
}

TEST(RunSummary, DamagedFoldersAreListedAsFailed) {
  const Folder runs;
  RunDefinition d = definition();
  ASSERT_TRUE(create_run_folder(runs.path, d));
  fs::create_directory(runs.path / "damaged");
  fs::create_directory(runs.path / ".hidden");
  fs::create_directory_symlink("/etc", runs.path / "link");
  const auto all = list_runs(runs.path);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "lenet5");
  EXPECT_EQ(all[1].name, "damaged");
  EXPECT_EQ(all[1].status, RunStatus::failed);
  EXPECT_TRUE(list_runs(runs.path / "absent").empty());
}

TEST(RunSummary, AHeldLockMeansRunning) {
  EventSequence s;
  s.epoch(1, 0.9);
  const auto lock = FileLock::take(s.run.path / "lock");
  ASSERT_TRUE(lock);
  EXPECT_EQ(s.summary().status, RunStatus::running);
  EXPECT_FALSE(s.summary().can_resume);
}

}  // namespace
}  // namespace nw

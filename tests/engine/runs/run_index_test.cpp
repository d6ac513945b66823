// SPDX-License-Identifier: Apache-2.0
// The index of a folder of runs gives what the folders hold, whatever has become of it.
#include "engine/runs/index/run_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "engine/design/project_file.hpp"
#include "engine/runs/index/record_store.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw {
namespace {

class RunIndexTest : public testing::Test {
 protected:
  void SetUp() override { ::setenv("XDG_CACHE_HOME", (cache_.path).c_str(), 1); }
  void TearDown() override { ::unsetenv("XDG_CACHE_HOME"); }

  fs::path add(double learning_rate = 0.01, double created = 1.7e9) {
    RunDefinition d;
    d.name = "lenet5";
    d.doc = find_template("lenet5")->make();
    TrainSettings settings = d.doc.settings();
    settings.learning_rate = learning_rate;
    EXPECT_TRUE(d.doc.apply({PutSettings{settings}}));
    d.created = created;
    d.data_hash = 0xFEDCBA9876543210U;
    d.parent = "before";
    const auto run = create_run_folder(runs_.path, d);
    EXPECT_TRUE(run);
    return run ? *run : fs::path();
  }
  static void event(const fs::path& run, const Event& e) {
    std::ofstream(run / events_file, std::ios::app) << event_line(e) << '\n';
  }
  static EpochEnd epoch(int number, double accuracy) {
    return {.epoch = number,
            .step = 100 * number,
            .train_loss = 0.5,
            .train_accuracy = accuracy,
            .has_validation = true,
            .validation_loss = 0.25,
            .validation_accuracy = accuracy};
  }
  std::vector<RunRecord> index() { return indexed_runs(runs_.path); }
  fs::path store() const { return run_index_file(runs_.path); }
  static std::string all_bytes(const std::vector<RunRecord>& records) {
    std::string bytes;
    for (const RunRecord& r : records) bytes += to_bytes(r);
    return bytes;
  }
  std::string read_anew() {
    std::vector<RunRecord> records;
    for (const RunSummary& s : list_runs(runs_.path)) records.push_back(read_run_record(s.folder));
    return all_bytes(records);
  }
  /// What the store holds of a run is replaced, so that it shows whether a record comes from there.
  void mark_stored(const fs::path& run, const std::string& device) {
    StoredRecords stored = load_records(store());
    StoredRecord& record = stored.at(run.filename().string());
    RunRecord marked = *run_record_from_bytes(record.bytes);
    marked.summary.device = device;
    record.bytes = to_bytes(marked);
    save_records(store(), {{run.filename().string(), record}}, {});
  }
  Folder cache_, runs_;
};

TEST_F(RunIndexTest, HoldsWhatTheFoldersHold) {
  const fs::path run = add(0.05);
  event(run, {0, Started{.name = "lenet5", .device = "cpu", .epochs = 3}});
  event(run, {1, epoch(1, 0.5)});
  ASSERT_TRUE(save_run_notes(run, {"first", "two\nlines", {"baseline", "宽"}}));
  add(0.01, 1.8e9);
  const auto first = index();
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].summary.created, 1.8e9) << "newest first";
  EXPECT_EQ(first[1].title(), "first");
  EXPECT_EQ(first[1].notes.tags, (std::vector<std::string>{"baseline", "宽"}));
  EXPECT_EQ(first[1].parent, "before");
  EXPECT_EQ(first[1].data_hash, 0xFEDCBA9876543210U);
  ASSERT_EQ(first[1].summary.history.size(), 1U);
  EXPECT_EQ(all_bytes(first), read_anew());
  EXPECT_EQ(all_bytes(index()), read_anew()) << "from the index";
}

TEST_F(RunIndexTest, ReadsOnlyRunsThatHaveChanged) {
  const fs::path run = add(), other = add();
  index();
  mark_stored(run, "from the index");
  mark_stored(other, "from the index");
  for (const RunRecord& r : index()) EXPECT_EQ(r.summary.device, "from the index");
  event(run, {0, Started{.name = "lenet5", .device = "cpu:0", .epochs = 3}});
  for (const RunRecord& r : index()) EXPECT_EQ(r.summary.device, r.summary.folder == run ? "cpu:0" : "from the index");
  ASSERT_TRUE(save_run_notes(other, {.name = "renamed", .notes = {}, .tags = {}}));
  for (const RunRecord& r : index()) EXPECT_NE(r.summary.device, "from the index");
}

TEST_F(RunIndexTest, SeesThatAProcessBeginsAndEnds) {
  const fs::path run = add();
  EXPECT_EQ(index()[0].summary.status, RunStatus::interrupted);
  {
    const auto lock = FileLock::take(run / "lock");
    ASSERT_TRUE(lock);
    EXPECT_EQ(index()[0].summary.status, RunStatus::running);
  }
  EXPECT_EQ(index()[0].summary.status, RunStatus::interrupted);
}

TEST_F(RunIndexTest, KnowsThatARunWaitsAndWhyAlsoFromTheIndex) {
  const fs::path run = add();
  event(run, {0, Started{.name = "lenet5", .device = "cpu", .epochs = 3}});
  const auto waits = [&](const Text& reason) {
    for (const char* from : {"the folder", "the index"}) {
      const auto records = index();
      EXPECT_TRUE(records[0].paused) << from;
      EXPECT_EQ(records[0].pause_reason.str(), reason.str()) << from;
    }
  };
  const Text full = text(NW_TR("{0} is full"), std::string("/disk"));
  {
    const auto lock = FileLock::take(run / "lock");
    ASSERT_TRUE(lock);
    EXPECT_FALSE(index()[0].paused);
    event(run, {1, Health{HealthLevel::error, full, 7}});
    event(run, {1, Paused{7}});
    waits(full);
    event(run, {2, Continued{7}});
    EXPECT_FALSE(index()[0].paused);
    event(run, {3, Paused{8}});
    waits({});
  }
  EXPECT_FALSE(index()[0].paused) << "nothing runs";
}

TEST_F(RunIndexTest, ForgetsRunsThatAreGone) {
  const fs::path run = add();
  add();
  index();
  fs::remove_all(run);
  EXPECT_EQ(index().size(), 1U);
  EXPECT_EQ(load_records(store()).size(), 1U);
}

TEST_F(RunIndexTest, AStudyIsNoRunAndItsTrialsAreRunsWhereTheyAreAskedFor) {
  const fs::path plain = add(), study = runs_.path / "wide-or-deep";
  fs::create_directories(study / "notes");
  std::ofstream(study / "journal.jsonl") << "{}\n";
  fs::rename(add(0.02), study / "trial-0000");
  RunIndex runs(runs_.path);
  ASSERT_EQ(runs.refresh().size(), 1U);
  EXPECT_EQ(runs.refresh().front()->summary.folder, plain);
  const auto all = runs.refresh(true);
  ASSERT_EQ(all.size(), 2U) << "another folder of a study is no run";
  const auto trial = std::find_if(all.begin(), all.end(), [&](const auto& r) { return r->summary.folder != plain; });
  EXPECT_EQ((*trial)->summary.folder, study / "trial-0000");
  ASSERT_EQ(runs.refresh().size(), 1U);
  const auto again = runs.refresh(true);
  EXPECT_TRUE(std::find(again.begin(), again.end(), *trial) != again.end()) << "it was not read again";
  EXPECT_EQ(RunIndex(runs_.path).refresh(true).size(), 2U) << "from the index, too";
  fs::remove_all(study / "trial-0000");
  EXPECT_EQ(runs.refresh(true).size(), 1U);
}

TEST_F(RunIndexTest, AFlippedByteAnywhereIsNoticed) {
  for (int i = 0; i < 20; ++i) add(0.001 * (i + 1), 1.7e9 + i);
  const std::string right = all_bytes(index());
  const std::string bytes = *read_file(store(), 64 << 20);
  const std::size_t played = std::getenv("NETWRIGHT_LONG") ? 1000 : 150;
  for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / played) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    ASSERT_TRUE(save_file(store(), damaged));
    EXPECT_EQ(all_bytes(index()), right) << "byte " << at;
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{10}, bytes.size() / 2}) {
    ASSERT_TRUE(save_file(store(), bytes.substr(0, length)));
    EXPECT_EQ(all_bytes(index()), right) << length << " bytes are left";
  }
}

TEST_F(RunIndexTest, WorksWithoutAFolderForIt) {
  add();
  ASSERT_TRUE(save_file(cache_.path / "netwright", "a file where a folder should be"));
  EXPECT_EQ(index().size(), 1U);
  EXPECT_EQ(index().size(), 1U);
}

/// SQLite's locks need those of the file system, which other computers may not give.
TEST_F(RunIndexTest, HasNoFileOnANetworkFileSystemAndKeepsItsRecordsInMemory) {
  const fs::path run = add();
  index();
  mark_stored(run, "from the index");
  const std::string before = *read_file(store(), 64 << 20);
  for (const std::uint32_t type : {0x6969U, 0x517BU, 0xFF534D42U, 0xFE534D42U}) {
    static std::uint32_t mounted;
    mounted = type;
    RunIndex runs(runs_.path, [](const fs::path&) { return mounted; });
    const auto first = runs.refresh();
    ASSERT_EQ(first.size(), 1U);
    EXPECT_NE(first[0]->summary.device, "from the index") << "a file from before is not read";
    EXPECT_EQ(runs.refresh()[0], first[0]) << "from memory";
    const fs::path other = add();
    EXPECT_EQ(runs.refresh().size(), 2U);
    fs::remove_all(other);
    EXPECT_EQ(*read_file(store(), 64 << 20), before) << "nor written";
  }
  fs::remove(store());
  RunIndex(runs_.path, [](const fs::path&) { return 0x6969U; }).refresh();
  EXPECT_FALSE(fs::exists(store()));
  RunIndex(runs_.path, [](const fs::path&) { return 0xEF53U; }).refresh();
  EXPECT_TRUE(fs::exists(store())) << "ext4 lies on this computer";
}

TEST_F(RunIndexTest, DamagedFoldersAreFailedRunsWithTheirProblem) {
  fs::create_directories(runs_.path / "broken");
  ASSERT_TRUE(save_file(runs_.path / "broken" / "run.json", "{"));
  for (int i = 0; i < 2; ++i) {
    const auto runs = index();
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].summary.status, RunStatus::failed);
    EXPECT_NE(runs[0].problem.str().find("run.json"), std::string::npos) << runs[0].problem.str();
  }
}

TEST(RunRecordBytes, AreRefusedWhereTheyAreCutOrLonger) {
  RunRecord record;
  record.summary.name = "lenet5";
  record.summary.history = {{1, 0.5, 0.6, 0.7, 0.8, 0.01}};
  record.summary.curve = {0.5F};
  record.settings = {{"batch", "64"}};
  record.notes.tags = {"a", "b"};
  const std::string bytes = to_bytes(record);
  const auto back = run_record_from_bytes(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(to_bytes(*back), bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(run_record_from_bytes(bytes.substr(0, length))) << length;
  EXPECT_FALSE(run_record_from_bytes(bytes + '\0'));
}

}  // namespace
}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/reclaim.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw {
namespace {

class Reclaim : public testing::Test {
 protected:
  void write(const fs::path& file, const std::string& bytes) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
  }
  fs::path run() {
    RunDefinition d;
    d.name = "lenet5";
    d.doc = find_template("lenet5")->make();
    return *create_run_folder(runs_.path, d);
  }
  void checkpoint(const fs::path& run, std::int64_t step, bool complete = true) {
    const fs::path folder = run / "checkpoints" / checkpoint_name(step);
    Json files = Json::object();
    for (const char* name : {"model.safetensors", "optimizer.safetensors", "state.json"}) {
      write(folder / name, std::string(1000, 'x'));
      files[name] = {{"bytes", complete ? 1000 : 999}, {"xxh3", hex(xxh3(std::string(1000, 'x')))}};
    }
    write(folder / "manifest.json", Json{{"schema", 1}, {"files", files}}.dump());
  }
  std::set<std::string> found(bool old_checkpoints, double age_s = -1) {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(runs_.path)) folders.push_back(entry.path());
    std::set<std::string> names;
    for (const Reclaimable& r : find_reclaimable(folders, old_checkpoints, age_s))
      names.insert(r.checkpoint.empty() ? r.run.filename().string() : r.checkpoint);
    return names;
  }
  Folder runs_;
};

using Names = std::set<std::string>;

TEST_F(Reclaim, KeepsTheBestAndTheLatestCheckpoint) {
  const fs::path r = run();
  for (const int step : {100, 200, 300, 400}) checkpoint(r, step);
  checkpoint(r, 350, false);
  write(r / "best", checkpoint_name(200) + "\n");
  write(r / "latest", checkpoint_name(400) + "\n");
  EXPECT_EQ(found(false), Names{checkpoint_name(350)});
  EXPECT_EQ(found(true), (Names{checkpoint_name(100), checkpoint_name(300), checkpoint_name(350)}));
  EXPECT_EQ(found(true, 3600), Names()) << "they are too young";
  for (const Reclaimable& old : find_reclaimable({r}, true, -1)) {
    EXPECT_GE(old.bytes, 3000U);
    EXPECT_TRUE(reclaim(old));
  }
  EXPECT_EQ(list_checkpoints(r).size(), 2U);
  EXPECT_EQ(best_checkpoint(r)->step, 200);
  EXPECT_EQ(latest_checkpoint(r)->step, 400);
}

TEST_F(Reclaim, NamesFoldersInWhichNoRunBeganAndNoOthers) {
  write(runs_.path / "began-nothing" / "lock", "");
  write(runs_.path / "mine" / "thesis.txt", "not a run");
  run();
  EXPECT_EQ(found(false), Names{"began-nothing"});
}

TEST_F(Reclaim, LeavesARunAloneWhoseProcessIsAlive) {
  const fs::path r = run();
  checkpoint(r, 350, false);
  const auto all = find_reclaimable({r}, true, -1);
  ASSERT_EQ(all.size(), 1U);
  const auto lock = FileLock::take(r / "lock");
  ASSERT_TRUE(lock);
  EXPECT_EQ(found(true), Names());
  EXPECT_EQ(reclaim(all[0]).error().code, Errc::in_use);
  EXPECT_TRUE(fs::exists(r / "checkpoints" / checkpoint_name(350)));
}

TEST_F(Reclaim, DoesNotFollowLinks) {
  const Folder elsewhere;
  write(elsewhere.path / checkpoint_name(100) / "mine.txt", "precious");
  const fs::path r = run();
  fs::create_directory_symlink(elsewhere.path, r / "checkpoints");
  fs::create_directory_symlink(r, runs_.path / "linked-run");
  EXPECT_EQ(found(true), Names());
  fs::remove(r / "checkpoints");
  fs::create_directories(r / "checkpoints");
  fs::create_directory_symlink(elsewhere.path / checkpoint_name(100), r / "checkpoints" / checkpoint_name(100));
  EXPECT_EQ(found(true), Names());
  EXPECT_TRUE(fs::exists(elsewhere.path / checkpoint_name(100) / "mine.txt"));
}

}  // namespace
}  // namespace nw

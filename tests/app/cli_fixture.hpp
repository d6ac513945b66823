// SPDX-License-Identifier: Apache-2.0
// Runs netwright-cli with separate folders for runs, data and sockets, so that tests never touch the user's files.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/app/command.hpp"

namespace nw {

class Cli : public testing::Test {
 protected:
  Cli() {
    if (const char* data = std::getenv("NETWRIGHT_DATA")) data_ = data;
    ::setenv("XDG_RUNTIME_DIR", (place_.path / "rt").c_str(), 1);
    ::setenv("XDG_DATA_HOME", (place_.path / "data").c_str(), 1);
    ::setenv("NETWRIGHT_RUNS", (place_.path / "runs").c_str(), 1);
    ::unsetenv("NETWRIGHT_DATA");
    fs::create_directory(place_.path / "rt");
  }
  ~Cli() override {
    if (!data_.empty()) ::setenv("NETWRIGHT_DATA", data_.c_str(), 1);
  }
  CommandOutput run(const std::vector<std::string>& arguments, const Launch& launch = {}) {
    return Command(place_, arguments, launch).wait();
  }
  std::string at(const std::string& name) const { return (place_.path / name).string(); }
  /// A small project, so that a run of it is short.
  std::string project(std::int64_t epochs = 1) {
    GraphDoc doc = find_template("mlp")->make();
    TrainSettings s = doc.settings();
    s.epochs = epochs;
    DataChoice d = doc.data();
    d.kind = SourceKind::synthetic;
    d.synthetic_train = 320;
    d.synthetic_test = 64;
    EXPECT_TRUE(doc.apply({PutSettings{s}, PutData{d}}));
    EXPECT_TRUE(ProjectFile::save(doc, at("small.netwright")));
    return at("small.netwright");
  }
  /// Content of a file of the newest complete checkpoint; empty if there is no checkpoint.
  std::string latest_bytes(const std::string& run_dir, const char* file = "model.safetensors") const {
    const auto latest = latest_checkpoint(run_dir);
    return latest ? *read_file(fs::path(run_dir) / "checkpoints" / latest->name / file, std::uint64_t{1} << 30) : "";
  }
  /// The last step that a run has reported; 0: none.
  static std::int64_t last_step(const std::string& run_dir) {
    EventTail tail(run_dir);
    std::vector<Event> events;
    for (auto more = tail.poll(events); more && *more;) more = tail.poll(events);
    EXPECT_EQ(tail.damaged_lines(), 0);
    std::int64_t last = 0;
    for (const Event& e : events)
      if (const auto* steps = std::get_if<Steps>(&e.what)) last = std::max(last, steps->last);
    return last;
  }
  Folder place_;
  std::string data_;  // real data sets; empty if none are installed
};

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Lists, comparisons and exports of runs on the command line.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using Words = std::vector<std::string>;

class RunTables : public Cli {
 protected:
  void SetUp() override {
    ::setenv("XDG_CACHE_HOME", at("cache").c_str(), 1);
    ASSERT_EQ(run({"train", project(1), "--run-dir", at("runs/first"), "--quiet", "--lr", "0.01"}).code, 0);
    ASSERT_EQ(run({"train", project(2), "--run-dir", at("runs/second"), "--quiet", "--lr", "0.05"}).code, 0);
  }
  void TearDown() override { ::unsetenv("XDG_CACHE_HOME"); }
  Json listed(const Words& options) {
    Words words = {"runs", "list", at("runs"), "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const auto answer = run(words);
    EXPECT_EQ(answer.code, 0) << answer.err;
    Json lines = Json::array();
    std::istringstream text(answer.out);
    for (std::string line; std::getline(text, line);) lines.push_back(Json::parse(line));
    return lines;
  }
  static std::string names(const Json& lines) {
    std::string all;
    for (const Json& line : lines) all += fs::path(line.at("folder").get<std::string>()).filename().string() + " ";
    return all;
  }
};

TEST_F(RunTables, ListsAreFilteredSortedAndCut) {
  EXPECT_EQ(names(listed({})), "second first ") << "newest first";
  EXPECT_EQ(names(listed({"--where", "learning_rate < 0.02 and status = finished"})), "first ");
  EXPECT_EQ(names(listed({"--where", "second"})), "second ");
  EXPECT_EQ(names(listed({"--sort", "learning_rate"})), "first second ");
  EXPECT_EQ(names(listed({"--sort", "learning_rate:desc", "--limit", "1"})), "second ");
  EXPECT_EQ(names(listed({"--sort", "created:asc"})), "first second ");
  const Json row = listed({"--columns", "epochs,optimizer,gpu_energy", "--where", "first"}).at(0);
  EXPECT_EQ(row.at("epochs"), 1);
  EXPECT_EQ(row.at("optimizer"), "adam");
  EXPECT_TRUE(row.at("gpu_energy").is_null());
  const auto table = run({"runs", "list", at("runs"), "--columns", "run,epochs,learning_rate"});
  EXPECT_NE(table.out.find("learning_rate"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("0.05"), std::string::npos) << table.out;
}

TEST_F(RunTables, WrongConditionsAndFieldsAreRefused) {
  for (const Words& options : {Words{"--where", "(lenet"}, Words{"--where", "acuracy > 1"}, Words{"--sort", "acuracy"},
                               Words{"--columns", "run,acuracy"}}) {
    Words words = {"runs", "list", at("runs")};
    words.insert(words.end(), options.begin(), options.end());
    const auto answer = run(words);
    EXPECT_EQ(answer.code, 3) << options[1];
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    EXPECT_EQ(answer.out, "");
  }
  EXPECT_EQ(run({"runs", "list", at("runs"), "--sort", "epochs:up"}).code, 2);
  EXPECT_EQ(run({"runs", "list", at("nowhere")}).code, 3);
}

TEST_F(RunTables, ARunIsShownWithItsSettingsAndEpochs) {
  const auto answer = run({"runs", "show", at("runs/second"), "--json"});
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json shown = Json::parse(answer.out);
  EXPECT_EQ(shown.at("fields").at("run"), "second");
  EXPECT_EQ(shown.at("fields").at("epochs_done"), 2);
  EXPECT_EQ(shown.at("settings").at("learning_rate"), 0.05);
  ASSERT_EQ(shown.at("epochs").size(), 2U);
  EXPECT_EQ(shown.at("epochs").at(1).at("epoch"), 2);
  EXPECT_FALSE(shown.at("checkpoints").empty());
  const auto text = run({"runs", "show", at("runs/second")});
  EXPECT_NE(text.out.find("optimizer"), std::string::npos);
  EXPECT_NE(text.out.find("validation loss"), std::string::npos);
  EXPECT_EQ(run({"runs", "show", at("runs")}).code, 3) << "no run";
}

TEST_F(RunTables, AComparisonShowsWhatDiffersAndNothingElse) {
  const auto answer = run({"runs", "compare", at("runs/first"), at("runs/second"), "--json"});
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json values = Json::parse(answer.out).at("values");
  EXPECT_EQ(values.at("learning_rate"), Json({0.01, 0.05}));
  EXPECT_EQ(values.at("epochs"), Json({1, 2}));
  EXPECT_FALSE(values.contains("optimizer"));
  EXPECT_FALSE(values.contains("data_hash"));
  EXPECT_FALSE(values.contains("network_hash"));
  const auto all = run({"runs", "compare", at("runs/first"), at("runs/second"), "--json", "--all"});
  EXPECT_EQ(Json::parse(all.out).at("values").at("optimizer"), Json({"adam", "adam"}));
  const auto same = run({"runs", "compare", at("runs/first"), at("runs/first")});
  EXPECT_NE(same.out.find("no difference"), std::string::npos) << same.out;
  EXPECT_EQ(run({"runs", "compare", at("runs/first")}).code, 2);
}

TEST_F(RunTables, OtherNetworksAreComparedLayerByLayer) {
  const std::string other = at("other.netwright");
  ASSERT_EQ(run({"new", "--template", "lenet5", "--output", other}).code, 0);
  Json drawing = Json::parse(*read_file(other, 1 << 20));
  drawing["data"].update(Json{{"kind", "synthetic"}, {"synthetic_train", 320}, {"synthetic_test", 64}});
  ASSERT_TRUE(save_file(other, drawing.dump()));
  ASSERT_EQ(run({"train", other, "--epochs", "1", "--run-dir", at("runs/third"), "--quiet"}).code, 0);
  const auto answer = run({"runs", "compare", at("runs/first"), at("runs/third")});
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("+ Conv2d"), std::string::npos) << answer.out;
}

TEST_F(RunTables, ExportsAreReadByOthersAndReplaceNothingUnasked) {
  ASSERT_TRUE(
      save_file(at("runs/first/notes.json"),
                Json{{"schema", 1}, {"name", "=cmd|' /C calc'!A0"}, {"notes", ""}, {"tags", Json::array()}}.dump()));
  const Words words = {"runs",     "export",    at("runs"),     "--csv",     at("runs.csv"),
                       "--epochs", at("e.csv"), "--prometheus", at("p.prom")};
  ASSERT_EQ(run(words).code, 0);
  const std::string csv = *read_file(at("runs.csv"), 1 << 20), epochs = *read_file(at("e.csv"), 1 << 20),
                    prometheus = *read_file(at("p.prom"), 1 << 20);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_EQ(csv.substr(0, 11), "run,folder,");
  EXPECT_EQ(csv.find("\n=cmd"), std::string::npos) << "no formula";
  EXPECT_NE(csv.find("'=cmd"), std::string::npos) << csv;
  EXPECT_EQ(std::count(epochs.begin(), epochs.end(), '\n'), 4) << "a heading and 1 + 2 epochs";
  EXPECT_NE(prometheus.find("# TYPE netwright_run_best_accuracy gauge\n"), std::string::npos) << prometheus;
  EXPECT_NE(prometheus.find("netwright_run_epochs_done{run=\"second\",project="), std::string::npos) << prometheus;
  EXPECT_EQ(run(words).code, 3) << "they exist";
  EXPECT_EQ(run({"runs", "export", at("runs")}).code, 2);
}

TEST_F(RunTables, TidyingShowsBeforeItRemoves) {
  const fs::path empty = at("runs/empty"), partial = at("runs/first/checkpoints/step-00000001");
  fs::create_directories(empty);
  fs::create_directories(partial);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(2);
  fs::last_write_time(empty, long_ago);
  fs::last_write_time(partial, long_ago);
  const auto shown = run({"runs", "gc", at("runs")});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find(empty.string()), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find(partial.string()), std::string::npos) << shown.out;
  EXPECT_TRUE(fs::exists(empty) && fs::exists(partial));
  EXPECT_EQ(run({"runs", "gc", at("runs"), "--yes"}).code, 0);
  EXPECT_FALSE(fs::exists(empty) || fs::exists(partial));
  EXPECT_EQ(summarize_run(at("runs/first"))->status, RunStatus::finished);
  EXPECT_EQ(run({"runs", "gc", at("runs"), "--yes"}).out, "");
}

}  // namespace
}  // namespace nw

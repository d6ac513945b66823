// SPDX-License-Identifier: Apache-2.0
// Runs from the command line: their lists, signals, the control socket, resuming, and what is evaluated afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <tuple>

#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using Words = std::vector<std::string>;

TEST_F(Cli, LayersOfARunAreListedAsTableAndAsLines) {
  ASSERT_EQ(run({"train", project(2), "--run-dir", at("run"), "--quiet", "--statistics", "3"}).code, 0);
  const auto table = run({"runs", "layers", at("run")});
  EXPECT_EQ(table.code, 0);
  EXPECT_NE(table.out.find("update ratio"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("fc1"), std::string::npos) << table.out;
  const auto lines = run({"runs", "layers", at("run"), "--json"});
  EXPECT_EQ(std::count(lines.out.begin(), lines.out.end(), '\n'),
            static_cast<std::ptrdiff_t>(read_statistics(at("run")).records.size()));
  EXPECT_TRUE(Json::accept(lines.out.substr(0, lines.out.find('\n'))));
  ASSERT_EQ(run({"train", project(1), "--run-dir", at("other"), "--quiet", "--statistics", "0"}).code, 0);
  EXPECT_EQ(run({"runs", "layers", at("other")}).code, 3);
  EXPECT_EQ(run({"runs", "layers", at("nowhere")}).code, 3);
}

TEST_F(Cli, SignalsEndARunWithACheckpointAndTheirOwnCode) {
  for (const auto& [signal, code] : {std::pair{SIGTERM, 143}, std::pair{SIGINT, 130}}) {
    const std::string run_dir = at("run" + std::to_string(signal));
    Command training(place_, {"train", project(1'000'000), "--run-dir", run_dir, "--quiet"});
    ASSERT_TRUE(wait_for([&] { return !list_checkpoints(run_dir).empty(); }));
    ::kill(training.pid(), signal);
    EXPECT_EQ(training.wait().code, code);
    const auto summary = summarize_run(run_dir);
    EXPECT_EQ(summary->status, RunStatus::stopped);
    EXPECT_TRUE(summary->can_resume);
  }
}

/// A project whose data take a minute to open.
std::string with_many_digits(const std::string& file) {
  Json project = Json::parse(*read_file(file, 1 << 20));
  project["data"]["synthetic_train"] = 1'000'000;
  const std::string slow = file + ".slow.netwright";
  EXPECT_TRUE(save_file(slow, project.dump()));
  return slow;
}

// A training is asked through a socket of the file system alone; no port is opened, not even for this computer.
TEST_F(Cli, ATrainingOpensNoPortOfTheNetwork) {
  Command training(place_, {"train", project(1'000'000), "--run-dir", at("run"), "--quiet"});
  ASSERT_TRUE(wait_for([&] { return control_run(at("run"), "status").operator bool(); }));
  std::set<std::string> sockets;
  for (const auto& descriptor : fs::directory_iterator("/proc/" + std::to_string(training.pid()) + "/fd")) {
    std::error_code closed;
    const std::string target = fs::read_symlink(descriptor.path(), closed).string();
    if (target.starts_with("socket:[")) sockets.insert(target.substr(8, target.size() - 9));
  }
  EXPECT_FALSE(sockets.empty()) << "its control socket is one";
  for (const char* kind : {"tcp", "tcp6", "udp", "udp6"}) {
    std::ifstream table(std::string("/proc/net/") + kind);
    for (std::string line; std::getline(table, line);) {
      std::istringstream words(line);
      const std::vector<std::string> fields{std::istream_iterator<std::string>(words), {}};
      EXPECT_TRUE(fields.size() < 10 || !sockets.contains(fields[9])) << kind << ": " << line;
    }
  }
}

class WhileDataOpen : public Cli {
 protected:
  /// Starts a command, ends it by `how` once its control socket answers, and checks the exit code and the time.
  void stopped(const Words& arguments, const std::string& run_dir, int code, const std::function<void(pid_t)>& how) {
    Command training(place_, arguments);
    ASSERT_TRUE(wait_for([&] { return control_run(run_dir, "status").operator bool() || training.ended(); }));
    const auto begin = std::chrono::steady_clock::now();
    how(training.pid());
    const CommandOutput result = training.wait();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2)) << arguments.front();
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_EQ(result.err, "netwright-cli: stopped before training began; nothing was trained\n");
    EXPECT_EQ(summarize_run(run_dir)->status, RunStatus::stopped);
  }
};

TEST_F(WhileDataOpen, ASignalOrAStopEndsTheProcessWithinTwoSeconds) {
  const std::string small = project(1'000'000), slow = with_many_digits(small), dir = at("resumed");
  Command training(place_, {"train", small, "--run-dir", dir, "--quiet"});
  ASSERT_TRUE(wait_for([&] { return !list_checkpoints(dir).empty(); }));
  ::kill(training.pid(), SIGTERM);
  ASSERT_EQ(training.wait().code, 143);
  const std::string weights = latest_bytes(dir);
  Json definition = Json::parse(*read_file(dir + "/run.json", 1 << 20));
  definition["project"]["data"]["synthetic_train"] = 1'000'000;
  ASSERT_TRUE(save_file(dir + "/run.json", definition.dump()));

  const auto kill_with = [](int signal) { return [signal](pid_t pid) { ::kill(pid, signal); }; };
  for (const auto& [name, code, signal] : {std::tuple{"term", 143, SIGTERM}, {"int", 130, SIGINT}}) {
    stopped({"train", slow, "--run-dir", at(name), "--quiet"}, at(name), code, kill_with(signal));
    stopped({"resume", dir, "--quiet"}, dir, code, kill_with(signal));
  }
  const auto asked = [](const std::string& run) { return [run](pid_t) { EXPECT_TRUE(control_run(run, "stop")); }; };
  stopped({"train", slow, "--run-dir", at("asked"), "--quiet"}, at("asked"), 8, asked(at("asked")));
  stopped({"resume", dir, "--quiet"}, dir, 8, asked(dir));
  EXPECT_EQ(latest_bytes(dir), weights);
  EXPECT_TRUE(summarize_run(dir)->can_resume);
  EXPECT_FALSE(latest_checkpoint(at("asked")));
}

TEST_F(Cli, ARunCanBePausedAdjustedSavedAndStoppedFromOutside) {
  Command training(place_, {"train", project(1'000'000), "--run-dir", at("run"), "--quiet"});
  ASSERT_TRUE(wait_for([&] { return control_run(at("run"), "status").operator bool(); }));
  const auto events = [&] {
    std::vector<Event> all;
    EventTail tail(at("run"));
    while (true) {
      const auto more = tail.poll(all);
      if (!more || !*more) return all;
    }
  };
  const auto has = [&]<class T>(const T*) {
    for (const Event& e : events())
      if (std::holds_alternative<T>(e.what)) return true;
    return false;
  };
  EXPECT_EQ(run({"control", at("run"), "pause"}).out, "ok\n");
  ASSERT_TRUE(wait_for([&] { return has(static_cast<Paused*>(nullptr)); }));
  EXPECT_EQ(run({"control", at("run"), "set", "learning_rate", "0.0005"}).code, 0);
  ASSERT_TRUE(wait_for([&] { return has(static_cast<Knob*>(nullptr)); }));
  EXPECT_EQ(run({"control", at("run"), "set", "learning_rate", "fast"}).code, 2);
  const CommandOutput beyond = run({"control", at("run"), "set", "learning_rate", "1e31"});
  EXPECT_EQ(beyond.code, 2);
  EXPECT_EQ(beyond.err, "netwright-cli: The command has learning_rate outside of 0 to 1e+30\n");
  EXPECT_EQ(run({"control", at("run"), "set", "batch", "7"}).code, 2);
  EXPECT_EQ(run({"control", at("run"), "explode"}).code, 2);
  EXPECT_EQ(run({"resume", at("run")}).code, 1) << "somebody is training there";
  EXPECT_EQ(run({"control", at("run"), "continue"}).code, 0);
  ASSERT_TRUE(wait_for([&] { return has(static_cast<Continued*>(nullptr)); }));
  EXPECT_EQ(run({"control", at("run"), "checkpoint"}).code, 0);
  EXPECT_EQ(run({"control", at("run"), "stop"}).code, 0);
  EXPECT_EQ(training.wait().code, 8);
  EXPECT_EQ(run({"resume", at("run"), "--verify"}).code, 0);
}

TEST_F(Cli, KilledRunIsReportedAsInterruptedAndResumes) {
  Command training(place_, {"train", project(1'000'000), "--run-dir", at("run"), "--quiet"});
  ASSERT_TRUE(wait_for([&] { return !list_checkpoints(at("run")).empty(); }));
  ::kill(training.pid(), SIGKILL);
  EXPECT_EQ(training.wait().code, 128 + SIGKILL);
  const CommandOutput watched = run({"watch", at("run"), "--json"});
  EXPECT_EQ(watched.code, 1);
  EXPECT_NE(watched.err.find("resume"), std::string::npos);
  Command resumed(place_, {"resume", at("run"), "--json"});
  ASSERT_TRUE(wait_for([&] { return resumed.out().find("\"resumed\"") != std::string::npos; }));
  EXPECT_EQ(run({"resume", at("run")}).code, 1) << "a second resume is refused";
  ASSERT_TRUE(wait_for([&] { return control_run(at("run"), "stop").operator bool(); }));
  EXPECT_EQ(resumed.wait().code, 8);
}

TEST_F(Cli, EvaluateReproducesTheTestAccuracyOfTraining) {
  const CommandOutput trained = run({"train", project(2), "--json", "--run-dir", at("run")});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const CommandOutput evaluated = run({"evaluate", at("run"), "--json"});
  ASSERT_EQ(evaluated.code, 0) << evaluated.err;
  const Json result = evaluated.lines().at(0);
  EXPECT_DOUBLE_EQ(result["accuracy"].get<double>(), trained.lines().back()["test_accuracy"].get<double>());
  EXPECT_NEAR(result["loss"].get<double>(), trained.lines().back()["test_loss"].get<double>(), 1e-5);
  EXPECT_EQ(run({"evaluate", at("run"), "--split", "validation"}).code, 0);
  EXPECT_EQ(run({"evaluate", at("run"), "--checkpoint", "../../etc"}).code, 3);
}

TEST_F(Cli, EvaluateReportsTheLossOfTrainingAndTheOneWithoutLabelSmoothing) {
  GraphDoc doc = *ProjectFile::load(project());
  Edit edit;
  for (auto [id, node] : doc.graph("").nodes)
    if (node.type == "CrossEntropy") {
      node.attrs["label_smoothing"] = 0.1;
      edit.push_back(PutNode{"", id, node});
    }
  ASSERT_TRUE(doc.apply(edit) && ProjectFile::save(doc, at("smooth.netwright")));
  const CommandOutput trained = run({"train", at("smooth.netwright"), "--json", "--run-dir", at("run")});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Json result = run({"evaluate", at("run"), "--json"}).lines().at(0);
  EXPECT_NEAR(result["loss"].get<double>(), trained.lines().back()["test_loss"].get<double>(), 1e-6);
  EXPECT_LT(result["cross_entropy"].get<double>(), result["loss"].get<double>() - 0.01);
  EXPECT_NE(run({"evaluate", at("run")}).out.find("with label smoothing 0.1, cross-entropy "), std::string::npos);
}

TEST_F(Cli, NumbersThatAreNotFiniteAreSaidWithExitCodeSix) {
  const CommandOutput trained =
      run({"train", project(), "--lr", "1e30", "--batch", "1000", "--json", "--run-dir", at("run")});
  const auto definition = read_run_definition(at("run"));
  ASSERT_TRUE(definition) << definition.error().str();
  EXPECT_EQ(definition->doc.settings().learning_rate, 1e30) << "what the command line accepts can be read again";
  EXPECT_EQ(trained.code, 6) << trained.err;
  EXPECT_EQ(trained.lines().back()["reason"], "failed");
  EXPECT_EQ(trained.lines().back()["exit_code"], 6);
  const CommandOutput evaluated = run({"evaluate", at("run"), "--json"});
  EXPECT_EQ(evaluated.code, 6) << evaluated.err;
  EXPECT_NE(evaluated.err.find("not finite for 64 of 64 images"), std::string::npos) << evaluated.err;
  const Json result = evaluated.lines().at(0);
  EXPECT_EQ(result["not_finite"], 64);
  EXPECT_EQ(result["accuracy"], 0.0);
  EXPECT_TRUE(result["loss"].is_null());
  EXPECT_EQ(run({"evaluate", at("run"), "--report", at("report.html")}).code, 6);
  EXPECT_TRUE(fs::exists(at("report.html")));
  EXPECT_EQ(run({"data", "suspects", at("run")}).code, 6);
}

TEST_F(Cli, EvaluateWritesASelfContainedReport) {
  ASSERT_EQ(run({"train", project(), "--run-dir", at("r")}).code, 0);
  const CommandOutput result = run({"evaluate", at("r"), "--report", at("report.html")});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string page = *read_file(at("report.html"), std::uint64_t{1} << 26);
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  EXPECT_NE(page.find("混淆矩阵"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(run({"evaluate", at("r"), "--report", at("nowhere/report.html")}).code, 0);
}

TEST_F(Cli, RunsAreListedNewestFirst) {
  ASSERT_EQ(run({"train", project(), "--quiet"}).code, 0);
  ASSERT_EQ(run({"train", project(), "--quiet"}).code, 0);
  const auto lines = run({"runs", "list", "--json"}).lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_GE(lines[0]["created"].get<double>(), lines[1]["created"].get<double>());
  EXPECT_EQ(lines[0]["status"], "finished");
  EXPECT_EQ(lines[0]["metric"], "accuracy");
  EXPECT_EQ(lines[0]["measure"], "accuracy") << "scripts written for version 0.1";
}

}  // namespace
}  // namespace nw

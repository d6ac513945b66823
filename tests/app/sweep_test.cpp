// SPDX-License-Identifier: Apache-2.0
// netwright-cli sweep: studies from start to end, continued, stopped, with trials that fail; and that a promoted trial
// has the bytes of one that was never interrupted.
#include <algorithm>

#include "engine/runs/epochs.hpp"
#include "engine/search/journal.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

class Sweep : public Cli {
 protected:
  static constexpr const char* two_fields =
      R"({"name":"learning_rate","type":"real","low":0.001,"high":0.3,"log":true},
         {"name":"fc1.out_features","type":"int","low":8,"high":32,"step":8})";
  std::string space(const std::string& parameters = two_fields) {
    EXPECT_TRUE(save_file(at("space.json"), R"({"parameters":[)" + parameters + "]}"));
    return at("space.json");
  }
  std::vector<std::string> command(const std::vector<std::string>& more = {}, const std::string& study = "study") {
    std::vector<std::string> words = {"sweep", project(), "--space", at("space.json"), "--dir", at(study), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// As the journal has it now.
  const search::Study& study() {
    auto read = search::read_study(at("study"));
    EXPECT_TRUE(read) << (read ? "" : read.error().str());
    study_ = read ? *std::move(read) : search::Study();
    return study_;
  }
  /// Shortens the file to the lines before the first one that holds the words.
  void cut(const std::string& file, const std::string& words) {
    const std::string text = *read_file(at(file), 1 << 20);
    const auto begin = text.find(words);
    ASSERT_NE(begin, text.npos) << words << " in\n" << text;
    ASSERT_TRUE(save_file(at(file), text.substr(0, text.rfind('\n', begin) + 1)));
  }
  search::Study study_;
};

TEST_F(Sweep, TrainsItsTrialsAsRunsAndNamesTheBest) {
  space();
  const CommandOutput output = run(command({"--trials", "4", "--epochs", "2"}));
  ASSERT_EQ(output.code, 0) << output.err;
  const Json last = output.lines().back();
  EXPECT_EQ(last.at("type"), "ended");
  EXPECT_EQ(last.at("how"), "finished");
  EXPECT_EQ(last.at("trials"), 4);
  EXPECT_EQ(last.at("complete"), 4);
  const auto summary = summarize_run(last.at("best").at("run").get<std::string>());
  ASSERT_TRUE(summary) << summary.error().str();
  EXPECT_EQ(summary->best_accuracy, last.at("best").at("value").get<double>());
  const auto definition = read_run_definition(summary->folder);
  EXPECT_EQ(definition->doc.settings().learning_rate,
            last.at("best").at("parameters").at("learning_rate").get<double>());
  EXPECT_EQ(definition->doc.settings().epochs, 2);
  for (const RunSummary& r : list_runs(at("study"))) EXPECT_LE(r.best_accuracy, summary->best_accuracy);
  EXPECT_EQ(list_runs(at("study")).size(), 4U);
}

TEST_F(Sweep, AStudyThatWasKilledWhileItBeganBeginsAgain) {
  space();
  ASSERT_TRUE(make_folder(at("study")));
  ASSERT_TRUE(save_file(at("study/.space.json.saving-H0Kl5i"), "{"));
  const CommandOutput output = run(command({"--trials", "1"}));
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_FALSE(fs::exists(at("study/.space.json.saving-H0Kl5i")));
}

TEST_F(Sweep, TheSameCommandAgainGoesOnAndRepeatsNothing) {
  space();
  ASSERT_EQ(run(command({"--trials", "2"})).code, 0);
  const std::string before = *read_file(at("study/journal.jsonl"), 1 << 20);
  ASSERT_EQ(run(command({"--trials", "2"})).code, 0);
  EXPECT_EQ(study().trials().size(), 2U);
  const CommandOutput more = run(command({"--trials", "5", "--jobs", "2"}));
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(study().trials().size(), 5U);
  EXPECT_TRUE(read_file(at("study/journal.jsonl"), 1 << 20)->starts_with(before)) << "a journal only grows";
  for (const search::Trial& t : study().trials()) EXPECT_EQ(t.state, search::TrialState::complete) << t.number;
  const CommandOutput other = run(command({"--trials", "5", "--seed", "3"}));
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("another seed"), std::string::npos) << other.err;
}

TEST_F(Sweep, APromotedTrialHasTheBytesOfOneThatWasNeverInterrupted) {
  // Everything that could differ after a break: a cosine over all epochs, momentum, dropout, augmentation.
  GraphDoc doc = *ProjectFile::load(project());
  TrainSettings s = doc.settings();
  s.schedule = ScheduleKind::cosine;
  s.horizontal_flip = s.random_crop = true;
  s.optimizer.set("momentum", 0.9);
  NodeId relu = 0;
  for (const auto& [id, node] : doc.graph().nodes)
    if (node.name == "relu2") relu = id;
  Node dropout = doc.graph().nodes.at(relu);
  dropout.type = "Dropout";
  ASSERT_TRUE(doc.apply({PutSettings{s}, PutNode{"", relu, dropout}}));
  ASSERT_TRUE(ProjectFile::save(doc, at("cosine.netwright")));
  space();
  const CommandOutput output = run({"sweep", at("cosine.netwright"), "--space", at("space.json"), "--dir", at("study"),
                                    "--trials", "6", "--epochs", "9", "--pruner", "asha", "--json"});
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_NE(output.out.find("\"promoted\""), std::string::npos);
  int compared = 0;
  for (const search::Trial& t : study().trials()) {
    EXPECT_TRUE(t.state == search::TrialState::complete || t.state == search::TrialState::paused);
    if (t.state != search::TrialState::complete) continue;
    const std::string whole = at("whole" + std::to_string(t.number));
    ASSERT_EQ(run({"train", at("study/" + t.run + ".netwright"), "--run-dir", whole, "--quiet"}).code, 0);
    for (const char* file : {"model.safetensors", "optimizer.safetensors"})
      EXPECT_TRUE(latest_bytes(whole, file) == latest_bytes(at("study/" + t.run), file)) << file;
    ++compared;
  }
  EXPECT_GE(compared, 1);
  EXPECT_GE(study().best()->reports.size(), 9U);
}

TEST_F(Sweep, WithoutASpaceTheFieldsThatTheProjectNamesAreSearched) {
  auto doc = ProjectFile::load(project());
  ASSERT_TRUE(doc);
  const std::vector<std::string> command = {"sweep", at("own.netwright"), "--dir", at("study"), "--trials",
                                            "2",     "--epochs",          "1",     "--quiet"};
  ASSERT_TRUE(ProjectFile::save(*doc, at("own.netwright")));
  EXPECT_EQ(run(command).code, 2) << "it names none";
  const Json own = Json::parse(R"({"parameters":[{"name":"learning_rate","type":"choice","values":[0.01,0.02]}]})");
  ASSERT_TRUE(doc->apply({PutExtra{"search", own}}));
  ASSERT_TRUE(ProjectFile::save(*doc, at("own.netwright")));
  const CommandOutput output = run(command);
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(study().definition().space.parameters.at(0).name, "learning_rate");
  EXPECT_EQ(study().trials().size(), 2U);
  ASSERT_TRUE(doc->apply({PutExtra{"search", {}}}));
  EXPECT_TRUE(ProjectFile::load(at("study/project.netwright"))->extra("search").is_null()) << "the space stands beside";
}

TEST_F(Sweep, TwoObjectivesGiveAFront) {
  space();
  const CommandOutput output =
      run(command({"--trials", "6", "--objective", "accuracy", "--objective", "parameters:min", "--sampler", "nsga2"}));
  ASSERT_EQ(output.code, 0) << output.err;
  const Json last = output.lines().back();
  EXPECT_TRUE(last.at("best").is_null());
  ASSERT_FALSE(last.at("front").empty());
  double before = 2;
  for (const Json& t : last.at("front")) {
    EXPECT_LT(t.at("values")[0].get<double>(), before) << "the best first";
    before = t.at("values")[0].get<double>();
    EXPECT_EQ(t.at("values")[1].get<double>(),
              static_cast<double>(summarize_run(t.at("run").get<std::string>())->parameters));
  }
}

TEST_F(Sweep, ATrialThatCannotBeTrainedEndsAlone) {
  space(R"({"name":"fc3.out_features","type":"choice","values":[3,10]})");
  const CommandOutput output = run(command({"--trials", "2"}));
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(output.lines().back().at("failed"), 1);
  EXPECT_EQ(output.lines().back().at("complete"), 1);
  for (const search::Trial& t : study().trials())
    if (t.state == search::TrialState::failed) EXPECT_FALSE(t.message.empty());
  space(R"({"name":"fc3.out_features","type":"choice","values":[3]})");
  const CommandOutput none = run(command({"--trials", "1"}, "none"));
  EXPECT_EQ(none.code, 3);
  EXPECT_EQ(none.lines().back().at("how"), "failed");
}

// A diverging trial ends with the sentence of its own process.
TEST_F(Sweep, ADivergedTrialSaysWhy) {
  space(R"({"name":"learning_rate","type":"choice","values":[1e20,0.01]})");
  const CommandOutput output = run(command({"--trials", "2", "--epochs", "3"}));
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_NE(output.out.find("finite"), std::string::npos) << output.out;
  EXPECT_EQ(output.lines().back().at("best").at("parameters").at("learning_rate"), 0.01);
}

TEST_F(Sweep, MedianPruningStopsTrials) {
  space(R"({"name":"learning_rate","type":"choice","values":[0.1,0.11,0.12,0.13,0.14,0.15,1e-9,2e-9,3e-9,4e-9]})");
  const CommandOutput output =
      run(command({"--trials", "10", "--epochs", "10", "--pruner", "median", "--sampler", "grid"}));
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_GE(output.lines().back().at("pruned").get<int>(), 1) << output.out;
  EXPECT_EQ(output.lines().back().at("running"), 0);
}

TEST_F(Sweep, ASignalKeepsEverythingAndTheSameCommandGoesOn) {
  space();
  const auto words = command({"--trials", "2", "--epochs", "400"});
  for (const int signal : {SIGTERM, SIGINT}) {
    Command sweep(place_, words);
    const std::string before = latest_bytes(at("study/trial-0000"));
    ASSERT_TRUE(wait_for([&] { return latest_bytes(at("study/trial-0000")) != before || sweep.ended(); }));
    ::kill(sweep.pid(), signal);
    const CommandOutput output = sweep.wait();
    EXPECT_EQ(output.code, 128 + signal) << output.err;
    EXPECT_EQ(output.lines().back().at("how"), "stopped");
    EXPECT_FALSE(is_running(at("study/trial-0000"))) << "no process is left behind";
  }
  const auto summary = summarize_run(at("study/trial-0000"));
  EXPECT_EQ(summary->status, RunStatus::stopped);
  EXPECT_GE(summary->epochs_done, 1);
}

/// A count once it has stood still for half a second.
std::size_t at_rest(const std::function<std::size_t()>& count) {
  std::size_t last = count();
  for (int same = 0; same < 50;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const std::size_t now = count();
    same = now == last ? same + 1 : 0;
    last = now;
  }
  return last;
}

TEST_F(Sweep, APausedStudyWaitsInPlaceAndGoesOnWithTheSameNumbers) {
  space();
  const std::vector<std::string> more = {"--trials", "3", "--epochs", "150", "--jobs", "2", "--seed", "4"};
  ASSERT_EQ(run(command(more, "whole")).code, 0);
  Command sweep(place_, command(more));
  const auto held = [&](bool on) { return wait_for([&] { return study().held() == on; }); };
  const auto epochs = [&] {
    std::size_t all = 0;
    for (int n = 0; n < 3; ++n) all += recorded_epochs(at("study/" + search::run_of(n))).size();
    return all;
  };
  ASSERT_TRUE(wait_for([&] { return epochs() >= 1; }));
  ASSERT_EQ(run({"control", at("study"), "pause"}).code, 0);
  ASSERT_TRUE(held(true));
  const std::size_t waiting = at_rest(epochs);  // what was under way has been told
  EXPECT_EQ(at_rest(epochs), waiting) << "nothing is trained";
  EXPECT_LT(waiting, 300U) << "two trials have begun, and both wait";
  EXPECT_FALSE(sweep.ended());
  EXPECT_EQ(run({"control", at("study"), "checkpoint"}).code, 2);
  ASSERT_EQ(run({"control", at("study"), "continue"}).code, 0);
  EXPECT_EQ(sweep.wait().code, 0);
  EXPECT_FALSE(study().held());
  const auto whole = search::read_study(at("whole"));
  ASSERT_TRUE(whole);
  ASSERT_EQ(study().trials().size(), 3U);
  for (const search::Trial& t : whole->trials())
    EXPECT_EQ(latest_bytes(at("study/" + t.run)), latest_bytes(at("whole/" + t.run))) << t.run;
  EXPECT_EQ(run({"control", at("study"), "pause"}).code, 1) << "no process works on it";
}

TEST_F(Sweep, APausedStudyCanBeStoppedAndGoesOnUnpaused) {
  space();
  const auto words = command({"--trials", "1", "--epochs", "400"});
  Command sweep(place_, words);
  ASSERT_TRUE(wait_for([&] { return !latest_bytes(at("study/trial-0000")).empty(); }));
  ASSERT_EQ(run({"control", at("study"), "pause"}).code, 0);
  ASSERT_TRUE(wait_for([&] { return study().held(); }));
  ::kill(sweep.pid(), SIGTERM);
  EXPECT_EQ(sweep.wait().code, 128 + SIGTERM);
  EXPECT_FALSE(is_running(at("study/trial-0000"))) << "a trial that waits stops too";
  EXPECT_FALSE(study().held());
}

// As after a kill between the last epoch of a trial and its end.
TEST_F(Sweep, ATrialWithAllItsEpochsButWithoutAnEndIsEnded) {
  space();
  for (const std::string pruner : {"asha", "none"}) {
    const auto words = command({"--trials", "1", "--epochs", "3", "--pruner", pruner}, pruner);
    ASSERT_EQ(run(words).code, 0);
    const auto before = search::read_study(at(pruner));
    cut(pruner + "/journal.jsonl", "\"trial_ended\"");
    cut(pruner + "/trial-0000/events.jsonl", "\"finished\"");
    ASSERT_NE(summarize_run(at(pruner + "/trial-0000"))->status, RunStatus::finished);
    ASSERT_EQ(run(words).code, 0);
    const auto after = search::read_study(at(pruner));
    ASSERT_TRUE(before && after);
    EXPECT_EQ(after->trials().front().state, search::TrialState::complete) << pruner;
    EXPECT_EQ(after->trials().front().values, before->trials().front().values) << pruner;
  }
}

// As after a kill between the last event of a rung and its checkpoint.
TEST_F(Sweep, APausedTrialHasTheCheckpointOfItsRung) {
  space();
  const auto words = command({"--trials", "2", "--epochs", "9", "--pruner", "asha", "--first-rung", "3"});
  ASSERT_EQ(run(words).code, 0);
  const auto is_paused = [](const search::Trial& t) { return t.state == search::TrialState::paused; };
  const auto& trials = study().trials();
  const auto paused = std::find_if(trials.begin(), trials.end(), is_paused);
  ASSERT_NE(paused, trials.end());
  const std::string name = paused->run, folder = at("study/" + name), bytes = latest_bytes(folder);
  cut("study/journal.jsonl", fmt::format(R"("trial":{},"type":"paused")", paused->number));
  const std::string events = *read_file(folder + "/events.jsonl", 1 << 20);
  fs::remove_all(folder);
  const CommandOutput two =
      run({"train", at("study/" + name + ".netwright"), "--run-dir", folder, "--stop-after", "2"});
  ASSERT_EQ(two.code, static_cast<int>(Errc::stopped)) << two.err;
  ASSERT_TRUE(save_file(folder + "/events.jsonl", events));
  ASSERT_NE(latest_bytes(folder), bytes);
  ASSERT_EQ(run(words).code, 0);
  EXPECT_EQ(latest_bytes(folder), bytes);
}

TEST_F(Sweep, TrainsTheBestTrialAgainWithOtherSeedsAndSaysTheSpread) {
  space();
  ASSERT_EQ(run(command({"--trials", "2"})).code, 0);
  const CommandOutput output = run(command({"--trials", "2", "--repeat-best", "2", "--jobs", "2"}));
  ASSERT_EQ(output.code, 0) << output.err;
  const search::Study s = study();
  ASSERT_EQ(s.repeats().size(), 2U);
  EXPECT_EQ(s.trials().size(), 2U);
  for (const search::Repeated& r : s.repeats()) {
    const auto definition = read_run_definition(at("study/" + search::run_of(r.trial, r.seed)));
    ASSERT_TRUE(definition);
    EXPECT_EQ(definition->doc.settings().seed, r.seed);
    const auto best = read_run_definition(at("study/" + s.best()->run));
    TrainSettings settings = definition->doc.settings();
    settings.seed = best->doc.settings().seed;
    settings.threads = best->doc.settings().threads;  // two trained at the same time
    EXPECT_EQ(settings, best->doc.settings()) << "only the seed differs";
    EXPECT_EQ(r.values.front(), summarize_run(at("study/" + search::run_of(r.trial, r.seed)))->best_accuracy);
  }
  EXPECT_EQ(output.lines().back().at("repeats").at("runs"), 2);
  EXPECT_EQ(output.lines().back().at("repeats").at("mean"), search::spread_of(s.repeats(), s.best()->number).mean);
  ASSERT_EQ(run(command({"--trials", "2", "--repeat-best", "3"})).code, 0);
  EXPECT_EQ(study().repeats().size(), 3U) << "only the third seed was left";
}

TEST_F(Sweep, AStudyGoesOnWithTheCopiesInItsFolder) {
  space();
  ASSERT_EQ(run(command({"--trials", "1", "--epochs", "2"})).code, 0);
  const CommandOutput more = run({"sweep", at("study/project.netwright"), "--space", at("study/space.json"), "--dir",
                                  at("study"), "--trials", "2", "--json"});
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(study().trials().size(), 2U);
}

TEST_F(Sweep, EndsByTime) {
  space();
  const CommandOutput output = run(command({"--trials", "50", "--epochs", "600", "--minutes", "0.02"}));
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(output.lines().back().at("how"), "time");
  EXPECT_EQ(summarize_run(at("study/trial-0000"))->status, RunStatus::stopped) << "not trained to its end";
}

TEST_F(Sweep, RejectsWhatCannotBeInOneSentence) {
  space();
  const auto says = [&](const std::vector<std::string>& more, int code, const std::string& words) {
    const CommandOutput output = run(command(more));
    EXPECT_EQ(output.code, code) << words;
    EXPECT_NE(output.err.find(words), std::string::npos) << output.err;
  };
  says({"--trials", "1", "--objective", "speed"}, 2, "\"speed\" is no objective");
  says({"--trials", "1", "--objective", "parameters", "--pruner", "asha"}, 2, "known after each epoch");
  says({"--trials", "1", "--sampler", "grid"}, 3, "a grid needs steps");
  says({"--trials", "1", "--validation", "0"}, 3, "--validation 0.1");
  says({"--trials", "1", "--data", at("nowhere")}, 3, "nowhere");
  says({"--trials", "0"}, 2, "trials");
  space(R"({"name":"fc9.out_features","type":"int","low":1,"high":2})");
  says({"--trials", "1"}, 3, "no field \"fc9.out_features\"");
  EXPECT_FALSE(fs::exists(at("study"))) << "nothing was begun";
  space();
  ASSERT_TRUE(fs::create_directories(at("study/trial-0000")));
  ASSERT_TRUE(save_file(at("study/trial-0000/mine.txt"), "mine"));
  says({"--trials", "1"}, 2, "needs an empty folder");
  EXPECT_TRUE(fs::exists(at("study/trial-0000/mine.txt")));
}

}  // namespace
}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// SIGKILL of a study, of its trials, or of both, at random moments: nothing is lost, nothing is repeated, no trial
// stays running, and the results are those of an undisturbed study. 6 kills in a normal run, 50 with NETWRIGHT_LONG=1.
#include <random>
#include <set>

#include "engine/search/journal.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

class StudyKilled : public Cli {
 protected:
  const bool long_ = std::getenv("NETWRIGHT_LONG") != nullptr;

  std::vector<std::string> command(const std::string& study) {
    EXPECT_TRUE(save_file(at("space.json"), R"({"parameters":[
        {"name":"learning_rate","type":"real","low":0.001,"high":0.3,"log":true},
        {"name":"fc1.out_features","type":"int","low":8,"high":64,"step":8}]})"));
    return {"sweep",    project(), "--space",  at("space.json"), "--dir",  at(study), "--trials", long_ ? "27" : "9",
            "--epochs", "27",      "--pruner", "asha",           "--quiet"};
  }
  /// What must not depend on the kills: points, states, values, and the weights of complete trials.
  std::string results(const std::string& name) const {
    const auto study = search::read_study(at(name));
    if (!study) return study.error().str();
    std::string text;
    for (const search::Trial& t : study->trials()) {
      text += fmt::format("{} {} {} {}", t.number, name_of(t.state), t.reports.size(),
                          search::point_to_json(study->definition().space, t.point).dump());
      for (const double v : t.values) text += fmt::format(" {}", v);
      text += fmt::format(" {:x}\n", xxh3(latest_bytes(at(name) + "/" + t.run)));
    }
    return text;
  }
  /// The process of a trial that runs now; 0: none is seen.
  pid_t trial_process(const std::string& name) const {
    const auto study = search::read_study(at(name));
    for (const search::Trial& t : study ? study->trials() : std::vector<search::Trial>{}) {
      if (t.state != search::TrialState::running || !is_running(at(name) + "/" + t.run)) continue;
      EventTail tail(at(name) + "/" + t.run);
      std::vector<Event> events;
      for (auto more = tail.poll(events); more && *more;) more = tail.poll(events);
      pid_t pid = 0;
      for (const Event& e : events) {
        if (const auto* started = std::get_if<Started>(&e.what)) pid = static_cast<pid_t>(started->pid);
        if (const auto* resumed = std::get_if<Resumed>(&e.what)) pid = static_cast<pid_t>(resumed->pid);
        if (std::holds_alternative<Ended>(e.what)) pid = 0;
      }
      if (pid > 0) return pid;
    }
    return 0;
  }
};

TEST_F(StudyKilled, AtRandomMomentsLosesAndRepeatsNothing) {
  ASSERT_EQ(run(command("undisturbed")).code, 0);
  const std::string expected = results("undisturbed");
  ASSERT_NE(expected.find("complete"), std::string::npos) << expected;
  const int kills = long_ ? 50 : 6;
  std::mt19937 random(41);
  int studies = 0, trials = 0, round = 0;  // studies, trials: processes that ran when they were killed
  std::string name = "killed0";
  while (studies + trials < kills || studies == 0 || trials == 0) {
    Command study(place_, command(name));
    // Long enough for some progress, most of the time.
    std::this_thread::sleep_for(std::chrono::milliseconds(100 + random() % 900));
    const auto what = random() % 3;  // 0: the study, 1: a trial and then the study, 2: both at once
    if (what != 0)
      if (const pid_t pid = trial_process(name); pid > 0) trials += ::kill(pid, SIGKILL) == 0;
    if (what == 1) std::this_thread::sleep_for(std::chrono::milliseconds(random() % 500));
    if (!study.ended()) studies += ::kill(study.pid(), SIGKILL) == 0;
    const CommandOutput output = study.wait();
    ASSERT_TRUE(output.code == 128 + SIGKILL || output.code == 0) << output.code << ": " << output.err;
    if (output.code != 0) continue;
    EXPECT_EQ(results(name), expected) << "a study that was killed in between";
    name = "killed" + std::to_string(++round);
  }
  const CommandOutput rest = run(command(name));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(results(name), expected);
  const auto study = search::read_study(at(name));
  ASSERT_TRUE(study);
  for (const search::Trial& t : study->trials()) EXPECT_NE(t.state, search::TrialState::running) << t.number;
}

}  // namespace
}  // namespace nw

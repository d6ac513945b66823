// SPDX-License-Identifier: Apache-2.0
// SIGTERM, SIGINT and the command "stop" at random moments of a run, from opening its data to its last checkpoint:
// it ends with its code and a checkpoint of its last step, and goes on to the bytes of a run that was not stopped. 8
// stops in a normal run, more until one meets a training, 150 with NETWRIGHT_LONG=1; and one stop in each phase, 50
// in the long run, where 99 of 100 have ended after 2 s.
#include <random>

#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

class StoppedTraining : public Cli {
 protected:
  using Clock = std::chrono::steady_clock;
  struct Stop {
    int code = 0;  // that the process must have; 0: it did not hear the command
    Clock::time_point at;
  };

  void sleep_up_to(unsigned microseconds) {
    std::this_thread::sleep_for(std::chrono::microseconds(random_() % microseconds));
  }
  /// Stops the process by one of three ways.
  Stop stop(const Command& training, const std::string& dir) {
    const int how = std::vector{SIGTERM, SIGINT, 0}[random_() % 3];
    Stop done{.code = how == 0 ? 8 : 128 + how, .at = Clock::now()};
    if (how != 0) ::kill(training.pid(), how);
    if (how == 0 && !control_run(dir, "stop")) done.code = 0;  // it did not listen yet, or had ended
    return done;
  }
  /// What a stopped process leaves is as promised. Returns false if it was stopped before its first step.
  bool has_kept(const std::string& dir, const std::string& when) {
    if (list_checkpoints(dir).empty()) {
      EXPECT_EQ(fs::exists(dir) ? last_step(dir) : 0, 0) << when << ": steps are lost";
      return false;
    }
    EXPECT_EQ(latest_checkpoint(dir)->step, last_step(dir)) << when << ": steps after the checkpoint are lost";
    EXPECT_TRUE(verify_checkpoint(dir, latest_checkpoint(dir)->name)) << when;
    const auto summary = summarize_run(dir);
    EXPECT_TRUE(summary && summary->can_resume) << when;
    return true;
  }
  std::mt19937 random_{23};
};

TEST_F(StoppedTraining, EndsAtAnyMomentWithACheckpointOfItsLastStep) {
  const int stops = std::getenv("NETWRIGHT_LONG") ? 150 : 8;
  const std::string file = project(100);
  const Clock::time_point start = Clock::now();
  ASSERT_EQ(run({"train", file, "--run-dir", at("undisturbed"), "--quiet"}).code, 0);
  const auto length = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start).count();
  const std::string expected = latest_bytes(at("undisturbed"));
  int stopped = 0, runs = 0, before_training = 0;
  std::string dir;
  bool finished = true;
  const auto are_enough = [&] { return stopped >= 20 * stops || (stopped >= stops && stopped > before_training); };
  while (!are_enough() || !finished) {
    std::vector<std::string> words = {"resume", dir, "--quiet"};
    if (finished) {
      dir = at(fmt::format("run{}", ++runs));
      words = {"train", file, "--run-dir", dir, "--quiet"};
    }
    Command training(place_, words, {.words = {}, .first = [] { ::alarm(120); }});
    int wanted = 0;
    if (!are_enough()) {
      sleep_up_to(static_cast<unsigned>(length));
      wanted = stop(training, dir).code;
    }
    const CommandOutput output = training.wait();
    const std::string when = fmt::format("stop {} ({}): {}", stopped, wanted, output.err);
    finished = output.code == 0;
    // a signal before main() has prepared for it ends the process like any other
    ASSERT_TRUE(finished || output.code == wanted) << output.code << ", " << when;
    if (finished) {
      EXPECT_TRUE(latest_bytes(dir) == expected) << when << ": other weights";
      continue;
    }
    ++stopped;
    if (!has_kept(dir, when)) {
      ++before_training;
      fs::remove_all(dir);
      finished = true;
    }
  }
  EXPECT_GT(stopped, before_training) << "no stop met a training";
}

/// A table of pixels that takes a moment to read, to cache and to evaluate, and a run that is asked where it is.
class StoppedInAPhase : public StoppedTraining {
 protected:
  struct Phase {
    const char* name;
    bool reads;           // the table is not in the cache yet
    unsigned longest_us;  // that a stop waits for within it
    std::function<bool()> now;
  };

  StoppedInAPhase() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME")) cache_before_ = cache;
    ::setenv("XDG_CACHE_HOME", at("cache").c_str(), 1);
  }
  ~StoppedInAPhase() override {
    if (cache_before_.empty())
      ::unsetenv("XDG_CACHE_HOME");
    else
      ::setenv("XDG_CACHE_HOME", cache_before_.c_str(), 1);
  }
  std::string table() {
    std::string ten, text;
    for (int digit = 0; digit < 10; ++digit) {
      ten += std::to_string(digit);
      for (int i = 0; i < 28 * 28; ++i) ten += fmt::format(",{}", (digit == i % 10) * 200 + (digit * i) % 50);
      ten += '\n';
    }
    for (int i = 0; i < images; i += 10) text += ten;
    EXPECT_TRUE(save_file(at("digits.csv"), text));
    GraphDoc doc = find_template("mlp")->make();
    TrainSettings s = doc.settings();
    s.epochs = 3;
    DataChoice d = doc.data();
    d.kind = SourceKind::csv;
    d.path = at("digits.csv");
    d.channels = 1;
    d.height = d.width = 28;
    d.validation_fraction = 0.7;
    EXPECT_TRUE(doc.apply({PutSettings{s}, PutData{d}}));
    EXPECT_TRUE(ProjectFile::save(doc, at("table.netwright")));
    return at("table.netwright");
  }
  bool listens() const { return control_run(dir, "status", 1).operator bool(); }
  static bool holds(const fs::path& folder, const std::function<bool(const std::string& name)>& such) {
    std::error_code gone;
    for (fs::directory_iterator it(folder, gone), end; !gone && it != end; it.increment(gone))
      if (such(it->path().filename().string())) return true;
    return false;
  }
  bool is_caching() const {
    return holds(at("cache/netwright/data"), [](const std::string& name) { return !name.ends_with(".pack"); });
  }
  bool is_saving() const {
    return holds(dir + "/checkpoints", [](const std::string& name) { return name.starts_with(".saving-"); });
  }
  /// Steps of this epoch that are done, all of them while it is validated; nothing before the first step.
  std::optional<std::int64_t> steps_of_epoch() const {
    const auto said = control_run(dir, "status", 1);
    if (!said) return {};
    const Json status = Json::parse(*said, nullptr, false);
    if (!status.is_object() || status.at("step") == 0) return {};
    return status.at("step").get<std::int64_t>() - status.at("epoch").get<std::int64_t>() * epoch_steps;
  }
  std::vector<Phase> phases() const {
    const auto is_opening = [this] { return listens() && !is_caching() && !began(); };
    return {{"opening data", true, 60'000, is_opening},
            {"caching data", true, 5'000, [this] { return is_caching(); }},
            {"training", false, 20'000,
             [this] {
               const auto steps = steps_of_epoch();
               return steps && *steps > 0 && *steps < epoch_steps;
             }},
            {"validating", false, 5'000, [this] { return steps_of_epoch() == epoch_steps; }},
            {"saving", false, 2'000, [this] { return is_saving(); }}};
  }
  bool began() const { return fs::exists(dir + "/checkpoints") || steps_of_epoch().has_value(); }
  /// Waits for the phase and a random time. Returns false if the run ended meanwhile.
  bool reach(const Phase& p, const Command& training) {
    while (!p.now()) {
      if (training.ended()) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    sleep_up_to(p.longest_us);
    return true;
  }
  /// Stops a run in this phase. Returns whether it was still there, and adds the seconds that its end took.
  bool stop_in(const Phase& p, const std::string& file, const std::string& expected) {
    fs::remove_all(dir);
    if (p.reads) fs::remove_all(at("cache"));
    Command training(place_, {"train", file, "--run-dir", dir, "--quiet"},
                     {.words = {}, .first = [] { ::alarm(120); }});
    if (!reach(p, training)) return false;
    const bool met = p.now();
    const Stop stopped = stop(training, dir);
    const CommandOutput output = training.wait();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - stopped.at).count());
    const std::string when = fmt::format("{} ({}): {}", p.name, stopped.code, output.err);
    EXPECT_TRUE(output.code == 0 || output.code == stopped.code) << output.code << ", " << when;
    const bool can_resume = has_kept(dir, when);
    if (!can_resume) fs::remove_all(dir);
    const CommandOutput again =
        can_resume ? run({"resume", dir, "--quiet"}) : run({"train", file, "--run-dir", dir, "--quiet"});
    EXPECT_TRUE(again.code == 0 || output.code == 0) << when << ": " << again.err;
    EXPECT_TRUE(latest_bytes(dir) == expected) << when << ": other weights";
    return met && output.code != 0;
  }

  static constexpr int images = 6000;
  std::int64_t epoch_steps = 0;
  std::string dir = at("run"), cache_before_;
  std::vector<double> seconds;
};

TEST_F(StoppedInAPhase, EndsThereAndGoesOn) {
  const bool all = std::getenv("NETWRIGHT_LONG") != nullptr;
  const int wanted = all ? 50 : 1;
  const std::string file = table();
  ASSERT_EQ(run({"train", file, "--run-dir", at("undisturbed"), "--quiet"}).code, 0);
  const std::string expected = latest_bytes(at("undisturbed"));
  epoch_steps = last_step(at("undisturbed")) / 3;
  for (const Phase& p : phases()) {
    seconds.clear();
    int met = 0, tried = 0;
    for (; met < wanted && tried < 20 * wanted && !HasFailure(); ++tried) met += stop_in(p, file, expected);
    EXPECT_EQ(met, wanted) << "of " << tried << " runs that were stopped while " << p.name;
    std::sort(seconds.begin(), seconds.end());
    const double slow = seconds.empty() ? 0 : seconds[seconds.size() * 99 / 100];
    std::printf("%s: %d of %d stops met it, ended within %.2f s (99 of 100), %.2f s (all)\n", p.name, met, tried, slow,
                seconds.empty() ? 0 : seconds.back());
    if (all) EXPECT_LT(slow, 2.0) << p.name;
  }
}

}  // namespace
}  // namespace nw

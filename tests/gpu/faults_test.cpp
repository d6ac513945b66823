// SPDX-License-Identifier: Apache-2.0
// For every driver call of three steps and every kind of failure: the process exits with the right code and one
// message, its checkpoint remains, and nothing hangs.
#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "tests/gpu/gpu_fixture.hpp"

namespace nw {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

struct Fault {
  int code;
  Errc ends_with;
  const char* sentence;
};
constexpr Fault faults[] = {
    {2, Errc::out_of_memory, "out of memory"},                      // CUDA_ERROR_OUT_OF_MEMORY
    {214, Errc::no_device, "memory error that it cannot correct"},  // CUDA_ERROR_ECC_UNCORRECTABLE
    {46, Errc::no_device, "is no longer accessible"},               // CUDA_ERROR_DEVICE_UNAVAILABLE
    {700, Errc::other, "stopped working"},                          // CUDA_ERROR_ILLEGAL_ADDRESS, sticky
    {100, Errc::no_device, "is no longer accessible"},              // CUDA_ERROR_NO_DEVICE
    {719, Errc::other, "stopped working"},                          // CUDA_ERROR_LAUNCH_FAILED, sticky
    {999, Errc::other, "stopped working"},                          // CUDA_ERROR_UNKNOWN
};

class Faults : public OnFakeGpus {
 protected:
  class Trial;
  /// The number of calls that a command makes.
  std::int64_t calls_of(const std::vector<std::string>& arguments) {
    ::setenv("NETWRIGHT_FAKE_GPU_CALLS", at("calls").c_str(), 1);
    EXPECT_EQ(gpu_run(arguments).code, 0);
    ::unsetenv("NETWRIGHT_FAKE_GPU_CALLS");
    std::int64_t calls = 0;
    std::ifstream(at("calls")) >> calls;
    return calls;
  }
  /// A run on the named devices with one finished and saved epoch and one remaining epoch.
  fs::path half_done(const std::string& devices) {
    EXPECT_EQ(gpu_run({"train", small_project(1), "--device", devices, "--run-dir", at("base"), "--quiet"}).code, 0);
    interrupt(at("base"), 2);
    return at("base");
  }
  void fail_each_call(const fs::path& base, std::size_t first);
  fs::path fresh_copy(const fs::path& base) {
    fs::remove_all(at("run"));
    fs::copy(base, at("run"), fs::copy_options::recursive);
    return at("run");
  }
  void expect_reported(const CommandOutput& output, const Fault& f, const fs::path& run_dir) {
    EXPECT_EQ(output.code, static_cast<int>(f.ends_with)) << output.err;
    EXPECT_THAT(output.err, HasSubstr(f.sentence));
    EXPECT_EQ(std::count(output.err.begin(), output.err.end(), '\n'), 1) << "one sentence: " << output.err;
    EXPECT_EQ(summarize_run(run_dir)->status, RunStatus::failed);
    EXPECT_TRUE(summarize_run(run_dir)->can_resume);
  }
  void expect_whole(const fs::path& run_dir) {
    EXPECT_EQ(summarize_run(run_dir)->status, RunStatus::finished);
    EXPECT_EQ(latest_checkpoint(run_dir)->step, 6);
  }
  void expect_kept(const fs::path& base, const fs::path& run_dir) {
    const auto before = latest_checkpoint(base), after = latest_checkpoint(run_dir);
    ASSERT_TRUE(static_cast<bool>(after));
    EXPECT_GE(after->step, before->step);
    EXPECT_TRUE(static_cast<bool>(verify_checkpoint(run_dir, after->name)));
    EXPECT_EQ(*read_file(run_dir / "checkpoints" / before->name / "model.safetensors", 1 << 30),
              latest_bytes(base.string()));
  }
};

// Why a run may end as if nothing had failed:
enum class Reason {
  no_room,     // out of memory while a set is stored: its images are copied in every step instead
  statistics,  // only a measurement of the layers failed, and a warning says that there will be no more
  closing      // the run has ended, or a chunk is not needed any more: its memory stays until the process ends
};
/// A call, by its name in the driver's interface, and how many of them a run makes for that reason.
struct Survivor {
  Reason reason;
  const char* call;
  int at_most;
};
constexpr Survivor survivors[] = {
    // each of two sets: pixels, labels and two chunks
    {Reason::no_room, "memory_info", 2},
    {Reason::no_room, "memory_acquire", 4},
    {Reason::no_room, "fill", 4},
    {Reason::no_room, "pinned_acquire", 4},
    {Reason::no_room, "event_make", 4},
    // an executable of its own is prepared once, and runs twice
    {Reason::statistics, "context_set", 14},
    {Reason::statistics, "stream_make", 2},
    {Reason::statistics, "event_make", 2},
    {Reason::statistics, "memory_acquire", 12},
    {Reason::statistics, "fill", 12},
    {Reason::statistics, "pinned_acquire", 10},
    {Reason::statistics, "module_function", 1},
    {Reason::statistics, "capture_begin", 2},
    {Reason::statistics, "capture_end", 2},
    {Reason::statistics, "graph_make", 2},
    {Reason::statistics, "launch", 12},
    {Reason::statistics, "copy_in", 9},
    {Reason::statistics, "copy_out", 11},
    {Reason::statistics, "stream_wait", 19},
    {Reason::statistics, "stream_wait_event", 4},
    {Reason::statistics, "event_record", 4},
    {Reason::statistics, "graph_launch", 4},
    // whatever releases memory makes its GPU current first
    {Reason::closing, "context_set", 83},
};

/// The runs that ended with exit code 0 although a call failed.
class Survived {
 public:
  void add(const Fault& f, const std::string& call, const fs::path& run_dir) {
    const std::string events = *read_file(run_dir / "events.jsonl", 1 << 20);
    const bool warned = events.find("The layer statistics could not be recorded") != std::string::npos;
    const Reason reason = warned ? Reason::statistics : call == "context_set" ? Reason::closing : Reason::no_room;
    EXPECT_TRUE(reason != Reason::no_room || f.ends_with == Errc::out_of_memory) << call << " failed unnoticed";
    ++count_[{reason, call}];
  }
  void expect_listed() const {
    for (const auto& [what, count] : count_) {
      const auto listed = std::find_if(std::begin(survivors), std::end(survivors), [&](const Survivor& s) {
        return s.reason == what.first && s.call == what.second;
      });
      const int most = listed == std::end(survivors) ? 0 : listed->at_most;
      EXPECT_LE(count, most) << what.second << ", reason " << static_cast<int>(what.first);
    }
  }

 private:
  std::map<std::pair<Reason, std::string>, int> count_;
};

// Of a run's hundred milliseconds the processor works for half: some run side by side.
constexpr std::int64_t at_once = 6;

/// A run of its own that goes on from `base` and in which one call fails.
class Faults::Trial {
 public:
  Trial(const Folder& place, const fs::path& base, std::int64_t at_call, const Fault& fault)
      : at_call(at_call), fault(fault) {
    const std::string number = std::to_string(at_call % at_once);
    run_dir = place.path / ("run" + number);
    told_ = place.path / ("calls" + number);
    fs::remove(told_);
    fs::remove_all(run_dir);
    fs::copy(base, run_dir, fs::copy_options::recursive);
    const auto first = [this] {
      ::alarm(longest_s);
      fail_at(this->at_call, this->fault.code);
      ::setenv("NETWRIGHT_FAKE_GPU_CALLS", told_.c_str(), 1);
    };
    // a lack of memory ends the run at once, instead of after a second's pause and another try
    const std::vector<std::string> words{"resume", run_dir.string(), "--quiet", "--disk-wait", "0"};
    command_.emplace(place, words, Launch{{}, first});
  }
  /// The output, and the name of the call that was made to fail; empty: none was.
  std::pair<CommandOutput, std::string> end() {
    CommandOutput output = command_->wait();
    std::int64_t calls = 0;
    std::string call;
    std::ifstream(told_) >> calls >> call;
    return {std::move(output), call};
  }
  const std::int64_t at_call;
  const Fault& fault;
  fs::path run_dir;

 private:
  fs::path told_;
  std::optional<Command> command_;
};

/// Lets each call of a resumed run fail, each in a run of its own: with all faults in turn, the first call with the
/// `first` of them.
void Faults::fail_each_call(const fs::path& base, std::size_t first) {
  const std::int64_t calls = calls_of({"resume", fresh_copy(base).string(), "--quiet"});
  const std::string undisturbed = latest_bytes(at("run"));
  Survived survived;
  ASSERT_GT(calls, 60);
  std::deque<Trial> trials;
  for (std::int64_t next = 0; (next < calls || !trials.empty()) && !HasFailure(); trials.pop_front()) {
    for (; next < calls && std::ssize(trials) < at_once; ++next)
      trials.emplace_back(place_, base, next, faults[(first + static_cast<std::size_t>(next)) % std::size(faults)]);
    Trial& t = trials.front();
    SCOPED_TRACE("call " + std::to_string(t.at_call) + " of " + std::to_string(calls) + ", code " +
                 std::to_string(t.fault.code));
    const auto [output, call] = t.end();
    if (call.empty()) continue;  // how many steps are run at once depends on the machine's load, and so do the calls
    expect_kept(base, t.run_dir);
    if (output.code != 0) {
      expect_reported(output, t.fault, t.run_dir);
      continue;
    }
    expect_whole(t.run_dir);
    EXPECT_EQ(latest_bytes(t.run_dir.string()), undisturbed);
    survived.add(t.fault, call, t.run_dir);
  }
  survived.expect_listed();
}

TEST_F(Faults, AFailureAtAnyCallIsReportedAndKeepsTheCheckpoint) {
  const fs::path base = half_done("cuda:0");
  const std::size_t rounds = std::getenv("NETWRIGHT_LONG") ? std::size(faults) : 1;
  for (std::size_t round = 0; round < rounds && !HasFatalFailure(); ++round) fail_each_call(base, round);
}

TEST_F(Faults, AFailureOfOneOfTwoGpusEndsTheRunWithItsError) {
  const fs::path base = half_done("cuda:0,cuda:1");
  const std::int64_t calls = calls_of({"resume", fresh_copy(base).string(), "--quiet"});
  int felt = 0;
  for (std::int64_t at_call = 3; at_call < calls && !HasFailure(); at_call += 17) {
    const Fault& f = faults[1 + static_cast<std::size_t>(at_call) % 3];
    SCOPED_TRACE("call " + std::to_string(at_call) + " of cuda:1, code " + std::to_string(f.code));
    const fs::path run_dir = fresh_copy(base);
    fail_at(at_call, f.code, 1);
    const CommandOutput output = gpu_run({"resume", run_dir.string(), "--quiet"});
    expect_kept(base, run_dir);
    if (output.code == 0) {
      expect_whole(run_dir);
      break;  // one device makes fewer calls than both together
    }
    ++felt;
    EXPECT_THAT(output.code, AnyOf(static_cast<int>(f.ends_with), static_cast<int>(Errc::no_device))) << output.err;
    EXPECT_THAT(output.err, AnyOf(HasSubstr(f.sentence), HasSubstr("exchange of gradients failed")));
    EXPECT_THAT(output.err, HasSubstr("cuda:1"));
  }
  EXPECT_GE(felt, 3) << "the run was over before a fault was felt";
}

constexpr int hangs = -1;

TEST_F(Faults, AFailedKernelIsReportedWithTheNameOfItsLayer) {
  const fs::path base = half_done("cuda:0");
  std::set<std::string> layers;
  for (std::int64_t kernel = 5; kernel < 45; kernel += 5) {
    fail_in_kernel(kernel, 700);
    const fs::path run_dir = fresh_copy(base);
    const CommandOutput output = gpu_run({"resume", run_dir.string(), "--quiet"});
    expect_reported(output, faults[3], run_dir);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(output.err, found, std::regex("step [456], ((\\w+), )?CUDA_ERROR"))) << output.err;
    layers.insert(found[2]);
  }
  EXPECT_GE(layers.size(), 4u) << "and one more, the start and end of a step, which belong to none";
}

// A device that hangs ends only the run's process, and within the watchdog timeout.
TEST_F(Faults, ACallThatNeverReturnsEndsTheProcessWithAnError) {
  const fs::path base = half_done("cuda:0");
  const std::int64_t calls = calls_of({"resume", fresh_copy(base).string(), "--quiet"});
  ::setenv("NETWRIGHT_GPU_PATIENCE_S", "0.15", 1);  // the work before the first step may take longer
  for (std::int64_t at_call : {calls / 3, calls * 3 / 4, calls - 40, calls - 2}) {
    SCOPED_TRACE("call " + std::to_string(at_call) + " of " + std::to_string(calls));
    fs::path run_dir;
    CommandOutput output;
    const auto play = [&] {
      fail_at(at_call, hangs);
      run_dir = fresh_copy(base);
      output = gpu_run({"resume", run_dir.string(), "--quiet"});
      return output.code != 0;
    };
    // How often a run asks whether the device is ready depends on the machine's load: the call may not be reached.
    while (!play() && at_call > calls / 2) at_call -= 20;
    const bool trained = summarize_run(run_dir)->status == RunStatus::finished;  // the device hung when it was closed
    if (!trained) expect_reported(output, {hangs, Errc::no_device, "cuda:0 does not respond"}, run_dir);
    EXPECT_EQ(output.code, static_cast<int>(Errc::no_device));
    EXPECT_THAT(output.err, HasSubstr("cuda:0 does not respond"));
    EXPECT_TRUE(!trained || at_call > calls / 2);
    expect_kept(base, run_dir);
  }
}
TEST_F(Faults, AKernelThatNeverEndsEndsTheProcessWithAnError) {
  const fs::path base = half_done("cuda:0");
  ::setenv("NETWRIGHT_GPU_PATIENCE_S", "0.5", 1);
  fail_in_kernel(20, hangs);
  const CommandOutput output = gpu_run({"resume", base.string(), "--quiet"});
  expect_reported(output, {hangs, Errc::no_device, "does not respond (step 4"}, base);
  EXPECT_THAT(output.err, testing::ContainsRegex("step 4[^)]*, [a-z0-9]+\\)"));
}
TEST_F(Faults, AGpuOfTwoThatHangsEndsTheRun) {
  const fs::path base = half_done("cuda:0,cuda:1");
  ::setenv("NETWRIGHT_GPU_PATIENCE_S", "0.5", 1);
  ::setenv("NETWRIGHT_FAKE_GPU", "-1 -1 1 20", 1);
  const CommandOutput output = gpu_run({"resume", base.string(), "--quiet"});
  expect_reported(output, {hangs, Errc::no_device, "cuda:1 does not respond"}, base);
}

TEST_F(Faults, ARunWithAFailedGpuResumesOnTheCpu) {
  const fs::path base = half_done("cuda:0");
  fail_at(0, 46);
  ASSERT_EQ(gpu_run({"resume", base.string(), "--quiet"}).code, static_cast<int>(Errc::no_device));
  const std::string definition = *read_file(base / "run.json", 1 << 20);
  const CommandOutput output = gpu_run({"resume", base.string(), "--device", "cpu"});
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(summarize_run(base)->status, RunStatus::finished);
  EXPECT_EQ(summarize_run(base)->steps, 6);
  EXPECT_EQ(*read_file(base / "run.json", 1 << 20), definition);
}

}  // namespace
}  // namespace nw

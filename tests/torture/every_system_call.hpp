// SPDX-License-Identifier: Apache-2.0
// Plays a command again and again, each time with another of its system calls failing or ending it.
#pragma once
#include <sys/resource.h>

#include <chrono>
#include <map>
#include <sstream>

#include "tests/app/cli_fixture.hpp"

namespace nw {

struct CallFault {
  std::string call, what;  // fsync, error=EIO
  int at = 0;              // of a thread's calls, from 1
  std::string str() const { return fmt::format("{} {} {}", call, at, what); }
};

class EverySystemCall : public Cli {
 protected:
  struct Work {
    std::vector<std::string> words;
    std::function<void()> begin;                                              // what is there before
    std::function<void(const CommandOutput&, const std::string& when)> look;  // what is left is as promised
  };

  void SetUp() override {
    if (std::system("strace -qq -o /dev/null true 2>/dev/null") != 0) GTEST_SKIP() << "strace cannot trace here";
  }
  CommandOutput under_strace(const std::vector<std::string>& words, const std::string& what) {
    std::vector<std::string> strace = {
        "strace", "-f",        "-qq", "-E", "ASAN_OPTIONS=detect_leaks=0:symbolize=0", "-E", "TSAN_OPTIONS=symbolize=0",
        "-o",     at("calls"), "-e",  what};
    if (!of_programs_it_starts) strace.insert(strace.end(), {"-b", "execve"});
    const auto begin = std::chrono::steady_clock::now();
    const CommandOutput output = run(words, {.words = strace, .first = end_what_hangs});
    took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return output;
  }
  /// A command that waits is ended by SIGALRM, one that computes without end by SIGXCPU.
  static void end_what_hangs() {
    ::alarm(120);
    const rlimit processor{most_processor_s, most_processor_s + 1};
    ::setrlimit(RLIMIT_CPU, &processor);
  }
  /// Every fault of the command's calls. strace counts the calls of each thread.
  std::vector<CallFault> faults_of(const Work& work) {
    work.begin();
    const CommandOutput output = under_strace(work.words, "trace=" + calls);
    EXPECT_EQ(output.code, 0) << output.err;
    undisturbed_s = took_s;
    work.look(output, "undisturbed");
    std::map<std::string, std::map<std::string, int>> made;  // by call and thread
    std::istringstream log(*read_file(at("calls"), 1 << 28));
    for (std::string thread, call; log >> thread && std::getline(log >> std::ws, call);)
      if (const auto name = call.substr(0, call.find('(')); ("," + calls + ",").find("," + name + ",") != calls.npos)
        ++made[name][thread];
    std::vector<CallFault> all;
    for (const auto& [call, threads] : made) {
      int most = 0;
      for (const auto& [thread, count] : threads) most = std::max(most, count);
      for (int n = 1; n <= most; ++n)
        for (const char* what : faults) all.push_back({call, what, n});
    }
    return all;
  }
  void play(const Work& work, std::size_t some = 7) {
    const std::vector<CallFault> all = faults_of(work);
    ASSERT_GE(all.size(), 9U);
    const std::size_t played = std::getenv("NETWRIGHT_LONG") ? all.size() : std::min(some, all.size());
    std::size_t felt = 0;
    for (std::size_t i = 0; i < played && !HasFatalFailure(); ++i) {
      const CallFault& f = all[i * all.size() / played];
      work.begin();
      const CommandOutput output = under_strace(work.words, fmt::format("inject={}:{}:when={}", f.call, f.what, f.at));
      expect_ended_well(output, f);
      if (std::getenv("NETWRIGHT_LONG")) EXPECT_LT(took_s, most_wait_s + 3 * undisturbed_s) << f.str();
      felt += output.code != 0;
      work.look(output, f.str());
    }
    EXPECT_GE(felt, played / 4) << "few faults were felt";
    std::printf("%zu of %zu faults, %zu felt\n", played, all.size(), felt);
  }
  static void expect_ended_well(const CommandOutput& output, const CallFault& f) {
    const std::string when = f.str() + ": " + output.err;
    const int by_signal = f.what == "signal=KILL" ? 128 + SIGKILL : f.what == "signal=TERM" ? 128 + SIGTERM : 0;
    EXPECT_TRUE(output.code <= 8 || output.code == by_signal) << output.code << ", " << when;
    if (output.code == 0 || by_signal != 0) return;
    const char* why = f.what == "error=EIO" ? "Input/output error" : "No space left on device";
    const auto first = output.err.find(why);
    // what cannot be written to stderr is not said there
    if (f.call != "write") EXPECT_NE(first, std::string::npos) << when;
    if (first != std::string::npos) EXPECT_EQ(output.err.find(why, first + 1), std::string::npos) << "twice: " << when;
  }
  /// A run that was disturbed goes on to the bytes of one that was not; one without a checkpoint is told.
  void expect_goes_on(const std::string& dir, const std::string& expected, const std::string& when) {
    for (const CheckpointName& c : list_checkpoints(dir)) EXPECT_TRUE(verify_checkpoint(dir, c.name)) << when;
    const auto summary = summarize_run(dir);
    if (!summary || summary->status != RunStatus::finished) {
      const CommandOutput resumed = run({"resume", dir, "--quiet"});
      // a branch gets its run.json after its checkpoint
      const bool began = !list_checkpoints(dir).empty() && fs::exists(dir + "/run.json");
      EXPECT_EQ(resumed.code, began ? 0 : 3) << when << ": " << resumed.err;
      if (resumed.code != 0) return;
    }
    EXPECT_TRUE(latest_bytes(dir) == expected) << when << ": other weights";
  }

#ifdef NW_SANITIZED
  static constexpr rlim_t most_processor_s = 60;
#else
  static constexpr rlim_t most_processor_s = 5;  // a process; undisturbed ones use less than one
#endif
  static constexpr double most_wait_s = 5;  // where every fault is played, beside what the other programs take
  double took_s = 0, undisturbed_s = 0;
  bool of_programs_it_starts = true;
  std::vector<const char*> faults = {"signal=KILL", "error=EIO", "error=ENOSPC"};
#ifdef NW_SANITIZED  // a sanitizer writes too, to find out whether an address can be read, and ends at any other error
  std::string calls = "pwrite64,fsync,fdatasync,rename,renameat,renameat2,mkdir,unlink,ftruncate";
#else
  std::string calls = "write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,mkdir,unlink,ftruncate";
#endif
};

}  // namespace nw

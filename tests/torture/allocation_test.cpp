// SPDX-License-Identifier: Apache-2.0
// The real program with one allocation that fails, of 4 KiB or more: smaller ones are served from memory that a process
// has already. It ends with the code of a lack of memory and a sentence, or goes on; it does not crash.
#include <algorithm>

#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

class FailingAllocation : public Cli {
 protected:
  static constexpr int least_bytes = 1;
  const std::string library_ = test::programs_folder() + "/libnw_failing_new.so";

  void SetUp() override {
    if (!fs::exists(library_)) GTEST_SKIP() << "with a sanitizer no allocation is made to fail";
  }
  /// `at`: which one; 0: none.
  CommandOutput run_with(std::size_t at, const std::vector<std::string>& words) {
    return run(words, {.words = {"env", "LD_PRELOAD=" + library_, fmt::format("FAIL_NEW_AT={}", at),
                                 fmt::format("FAIL_NEW_BYTES={}", least_bytes), "FAIL_NEW_COUNT=" + this->at("count")},
                       .first = {}});
  }
  std::size_t allocations() const { return std::stoul(*read_file(at("count"), 100)); }
  /// Plays the command with each of its allocations failing; in CI with the first ones up to `dense`, in which threads
  /// begin, and with `some` of all. `begin` prepares one call, `end` looks at what it has left.
  void play(std::size_t dense, std::size_t some, const std::vector<std::string>& words,
            const std::function<void()>& begin,
            const std::function<void(const CommandOutput&, const std::string& when)>& end) {
    begin();
    ASSERT_EQ(run_with(0, words).code, 0);
    const std::size_t all = allocations(), most = std::getenv("NETWRIGHT_LONG") ? all : some;
    ASSERT_GT(all, 10U);
    std::size_t felt = 0;
    for (std::size_t at = 1; at <= all; at += at < dense ? 1 : std::max<std::size_t>(1, all / most)) {
      begin();
      const CommandOutput output = run_with(at, words);
      const std::string when = fmt::format("allocation {} of {}: {}", at, all, output.err);
      EXPECT_TRUE(output.code == 0 || output.code == 5) << output.code << ", " << when;
      if (output.code == 5) EXPECT_NE(output.err.find("memory"), std::string::npos) << when;
      if (output.code == 5) ++felt;
      end(output, when);
    }
    EXPECT_GT(felt, 0U) << "no fault was felt";
  }
};

TEST_F(FailingAllocation, EndsATrainingWithASentenceOrIsGotOver) {
  const std::string file = project(2), dir = at("run");
  ASSERT_EQ(run({"train", file, "--run-dir", at("undisturbed"), "--quiet", "--threads", "2"}).code, 0);
  play(
      32, 8, {"train", file, "--run-dir", dir, "--quiet", "--threads", "2", "--disk-wait", "0"},
      [&] { fs::remove_all(dir); },
      [&](const CommandOutput& output, const std::string& when) {
        for (const CheckpointName& c : list_checkpoints(dir)) EXPECT_TRUE(verify_checkpoint(dir, c.name)) << when;
        if (output.code == 0) EXPECT_TRUE(latest_bytes(dir) == latest_bytes(at("undisturbed"))) << when;
      });
}

TEST_F(FailingAllocation, KeepsTheRunThatIsResumed) {
  const std::string file = project(2), dir = at("run");
  ASSERT_EQ(run({"train", file, "--run-dir", at("undisturbed"), "--quiet", "--threads", "2"}).code, 0);
  ASSERT_EQ(run({"train", file, "--run-dir", at("half"), "--quiet", "--threads", "2", "--stop-after", "1"}).code, 8);
  play(
      0, 8, {"resume", dir, "--quiet", "--disk-wait", "0"},
      [&] {
        fs::remove_all(dir);
        fs::copy(at("half"), dir, fs::copy_options::recursive);
      },
      [&](const CommandOutput& output, const std::string& when) {
        const int again = output.code == 0 ? 0 : run({"resume", dir, "--quiet"}).code;
        // of a run that had ended before: there is nothing to resume
        EXPECT_TRUE(again == 0 || (again == 2 && summarize_run(dir)->status == RunStatus::finished)) << again << when;
        EXPECT_TRUE(latest_bytes(dir) == latest_bytes(at("undisturbed"))) << when;
      });
}

}  // namespace
}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// What commands ask the system for: opening a project, whatever it holds, starts no program, reaches no network and
// writes no file; trainings, studies, queues, branches and exports open no port.
#include <algorithm>
#include <set>
#include <sstream>

#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

class Traced : public Cli {
 protected:
  void SetUp() override {
    if (std::system("strace -qq -o /dev/null true 2>/dev/null") != 0) GTEST_SKIP() << "strace cannot trace here";
  }
  /// The calls of a command and its children, one a line.
  std::vector<std::string> calls_of(const std::vector<std::string>& words, const std::set<int>& codes = {0}) {
    const CommandOutput output =
        run(words, {.words = {"strace", "-f", "-qq", "-s", "200", "-E", "ASAN_OPTIONS=detect_leaks=0:symbolize=0", "-o",
                              at("calls"), "-e", "trace=%network,execve,openat,creat,rename,mkdir,unlink"},
                    .first = {}});
    EXPECT_TRUE(codes.contains(output.code)) << fmt::format("{}", fmt::join(words, " ")) << ": " << output.err;
    std::istringstream log(*read_file(at("calls"), 1 << 28));
    std::vector<std::string> all;
    for (std::string line; std::getline(log, line);) all.push_back(line);
    return all;
  }
  static bool has(const std::string& line, const char* text) { return line.find(text) != line.npos; }
  static bool opens_a_port(const std::string& line) {
    return has(line, "AF_INET") || has(line, "AF_PACKET") || has(line, "AF_VSOCK");
  }
  static bool writes(const std::string& line) {
    const bool opens = has(line, "openat(") && (has(line, "O_WRONLY") || has(line, "O_RDWR") || has(line, "O_CREAT"));
    const bool changes = has(line, " creat(") || has(line, " rename(") || has(line, " mkdir(") || has(line, " unlink(");
    return (opens || changes) && !has(line, "\"/dev/") && !has(line, "\"/proc/self/");
  }
};

#ifdef NW_FUZZ_CORPUS
/// The fuzzer's corpus, each file whole and cut three times, and every template: what opens, and what is damaged.
std::vector<std::pair<std::string, std::string>> projects() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& entry : fs::directory_iterator(fs::path(NW_FUZZ_CORPUS) / "project")) {
    const std::string whole = *read_file(entry.path(), 1 << 26), name = entry.path().filename().string();
    for (std::size_t quarters = 1; quarters <= 4; ++quarters)
      all.emplace_back(fmt::format("{} to {}/4", name, quarters), whole.substr(0, whole.size() * quarters / 4));
  }
  for (const Template& t : all_templates())
    all.emplace_back(fmt::format("template {}", t.name), ProjectFile::text(t.make()));
  std::sort(all.begin(), all.end());
  return all;
}

TEST_F(Traced, OpeningAProjectRunsFetchesAndWritesNothing) {
  const auto all = projects();
  ASSERT_GE(all.size(), 100U);
  const std::size_t step = std::getenv("NETWRIGHT_LONG") ? 1 : all.size() / 24;
  for (std::size_t i = 0; i < all.size(); i += step) {
    const auto& [name, bytes] = all[i];
    const std::string file = at("opened.netwright");
    ASSERT_TRUE(save_file(file, bytes));
    int programs = 0;
    for (const std::string& line : calls_of({"check", file}, {0, 1, 3})) {
      programs += has(line, "execve(");
      EXPECT_FALSE(has(line, "connect(") || opens_a_port(line)) << name << ": " << line;
      EXPECT_FALSE(writes(line)) << name << ": " << line;
    }
    EXPECT_EQ(programs, 1) << name << ": it starts a program";
    EXPECT_EQ(*read_file(file, 1 << 26), bytes) << name << " is changed";
  }
}
#endif

TEST_F(Traced, TrainingsStudiesQueuesBranchesAndExportsOpenNoPort) {
  ASSERT_TRUE(save_file(at("space.json"), R"({"parameters":[
      {"name":"learning_rate","type":"real","low":0.001,"high":0.3,"log":true}]})"));
  const std::string file = project(1), run_dir = at("run");
  ::setenv("NETWRIGHT_QUEUE", at("queue").c_str(), 1);
  ::setenv("NETWRIGHT_PYTHON", "/nonexistent", 1);
  const std::vector<std::vector<std::string>> commands = {
      {"train", file, "--run-dir", run_dir, "--quiet"},
      {"branch", run_dir, "--from", "latest", "--set", "epochs=2", "--run-dir", at("branch"), "--quiet"},
      {"sweep", file, "--space", at("space.json"), "--dir", at("study"), "--trials", "2", "--quiet"},
      {"queue", "add", "--hold", "train", file},
      {"queue", "start"},
      {"evaluate", run_dir},
      {"export", run_dir, "--onnx", at("net.onnx"), "--images", "2"}};
  for (const auto& words : commands)
    for (const std::string& line : calls_of(words)) EXPECT_FALSE(opens_a_port(line)) << words[0] << ": " << line;
  ::unsetenv("NETWRIGHT_QUEUE");
  ::unsetenv("NETWRIGHT_PYTHON");
}

}  // namespace
}  // namespace nw

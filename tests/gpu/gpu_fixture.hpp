// SPDX-License-Identifier: Apache-2.0
// netwright-cli with fake GPUs, which compute on the CPU.
#pragma once
#include <unistd.h>

#include <fstream>

#include "tests/app/cli_fixture.hpp"

namespace nw {

class OnFakeGpus : public Cli {
 protected:
  static constexpr unsigned longest_s = 60;  // a command that runs longer is considered hung

  OnFakeGpus() { ::setenv("LD_LIBRARY_PATH", NW_FAKE_GPU, 1); }
  ~OnFakeGpus() override {
    ::unsetenv("LD_LIBRARY_PATH");
    ::unsetenv("NETWRIGHT_FAKE_GPU");
    ::unsetenv("NETWRIGHT_FAKE_GPU_CALLS");
    ::unsetenv("NETWRIGHT_GPU_PATIENCE_S");
  }
  /// A command that hangs is ended by SIGALRM (exit code 128 + 14).
  CommandOutput gpu_run(const std::vector<std::string>& arguments) {
    return run(arguments, {.words = {}, .first = [] { ::alarm(longest_s); }});
  }
  /// The n-th driver call from now on fails with `code`; only calls for `gpu` are counted, or all if it is -1.
  static void fail_at(std::int64_t call, int code, int gpu = -1) {
    ::setenv("NETWRIGHT_FAKE_GPU",
             (std::to_string(call) + " " + std::to_string(code) + " " + std::to_string(gpu)).c_str(), 1);
  }
  /// The n-th kernel that runs fails likewise, and so does everything after it.
  static void fail_in_kernel(std::int64_t kernel, int code) {
    ::setenv("NETWRIGHT_FAKE_GPU", ("-1 " + std::to_string(code) + " -1 " + std::to_string(kernel)).c_str(), 1);
  }
  static void fail_nowhere() { ::unsetenv("NETWRIGHT_FAKE_GPU"); }
  /// A network that trains with three steps per epoch.
  std::string small_project(std::int64_t epochs, const std::string& network = "mlp") {
    GraphDoc doc = find_template(network)->make();
    TrainSettings s = doc.settings();
    s.epochs = epochs;
    s.batch = 32;
    s.random_crop = s.horizontal_flip = true;
    s.crop_padding = 2;
    DataChoice d = doc.data();
    d.kind = SourceKind::synthetic;
    d.synthetic_train = 90;
    d.synthetic_test = 32;
    d.validation_fraction = 0;
    EXPECT_TRUE(doc.apply({PutSettings{s}, PutData{d}}));
    EXPECT_TRUE(ProjectFile::save(doc, at("small.netwright")));
    return at("small.netwright");
  }
  /// Turns a finished run into one that was interrupted before its last epoch.
  void interrupt(const fs::path& run_dir, std::int64_t epochs) {
    auto definition = read_run_definition(run_dir);
    ASSERT_TRUE(static_cast<bool>(definition));
    TrainSettings s = definition->doc.settings();
    s.epochs = epochs;
    ASSERT_TRUE(static_cast<bool>(definition->doc.apply({PutSettings{s}})));
    ASSERT_TRUE(static_cast<bool>(write_run_definition(run_dir, *definition)));
    std::string events = *read_file(run_dir / "events.jsonl", 1 << 20);
    events.resize(events.rfind('\n', events.size() - 2) + 1);  // without "ended"
    std::ofstream(run_dir / "events.jsonl", std::ios::trunc) << events;
  }
};

}  // namespace nw

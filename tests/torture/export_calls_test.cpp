// SPDX-License-Identifier: Apache-2.0
// Each call that changes files fails, or ends the process, while a run is exported: the old files or the new ones are
// there, and files of two exports are told apart before they compute anything.
#include "tests/torture/every_system_call.hpp"

namespace nw {
namespace {

class EverySystemCallOfAnExport : public EverySystemCall {
 protected:
  /// `whole`: whether a file is what the export writes.
  void replaces_all_or_nothing(const std::string& option, const std::string& name,
                               const std::function<bool(const std::string& file)>& whole) {
    ASSERT_EQ(run({"train", project(1), "--run-dir", at("run"), "--quiet"}).code, 0);
    fs::create_directory(at("exports"));
    const std::string file = at("exports/" + name);
    ::setenv("NETWRIGHT_PYTHON", "/nonexistent", 1);
    play({.words = {"export", at("run"), option, file, "--force", "--images", "2"},
          .begin = [&] { ASSERT_TRUE(save_file(file, "what was there")); },
          .look =
              [&](const CommandOutput& output, const std::string& when) {
                const bool old = *read_file(file, 1 << 28) == "what was there";
                EXPECT_TRUE(old ? output.code != 0 : whole(file)) << when << ": neither the old file nor the new one";
              }},
         10);
    ::unsetenv("NETWRIGHT_PYTHON");
  }
};

TEST_F(EverySystemCallOfAnExport, OfWeightsLeavesTheOldOrTheNewFile) {
  std::string made;
  replaces_all_or_nothing("--safetensors", "weights.safetensors", [&](const std::string& file) {
    const std::string now = *read_file(file, 1 << 28);
    return now == (made.empty() ? made = now : made);
  });
}
/// The file tells how long its proof took, so two are not equal.
TEST_F(EverySystemCallOfAnExport, OfOnnxLeavesTheOldOrTheNewFile) {
  replaces_all_or_nothing("--onnx", "net.onnx", [&](const std::string& file) {
    return run({"import", file, "-o", at("again.netwright"), "--strict", "--force"}).code == 0;
  });
}
/// Two files, so that an old one may be beside a new one: the compiler refuses these.
TEST_F(EverySystemCallOfAnExport, OfACLibraryLeavesFilesOfOneExportOrOnesThatDoNotCompile) {
  if (std::system("command -v cc >/dev/null") != 0) GTEST_SKIP() << "no C compiler is installed";
  of_programs_it_starts = false;
  ASSERT_EQ(run({"train", project(1), "--run-dir", at("run"), "--quiet"}).code, 0);
  const std::string folder = at("library"), header = folder + "/nw_model.h", source = folder + "/nw_model.c";
  ASSERT_EQ(run({"export", "lenet5", "--c", at("before"), "--images", "2"}).code, 0);
  calls = "rename";
  std::map<std::string, std::string> made;
  int mixed = 0;
  play({.words = {"export", at("run"), "--c", folder, "--force", "--images", "2"},
        .begin =
            [&] { fs::copy(at("before"), folder, fs::copy_options::recursive | fs::copy_options::overwrite_existing); },
        .look =
            [&](const CommandOutput& output, const std::string& when) {
              if (output.code == 0 && made.empty())
                for (const auto& file : {header, source}) made[file] = *read_file(file, 1 << 28);
              int replaced = 0;
              for (const auto& [file, text] : made) {
                const std::string now = *read_file(file, 1 << 28);
                if (now != text)
                  EXPECT_TRUE(now == *read_file(at("before/") + fs::path(file).filename().string(), 1 << 28)) << when;
                replaced += now == text;
              }
              EXPECT_TRUE(replaced == 2 || output.code != 0) << when;
              mixed += replaced == 1;
              const int compiled = std::system(("cc -fsyntax-only " + source + " 2>/dev/null").c_str());
              EXPECT_EQ(compiled == 0, replaced != 1) << when;
            }},
       12);
  EXPECT_GT(mixed, 0) << "no fault left an old file beside a new one";
}
/// A bundle is a folder that is exchanged as a whole.
TEST_F(EverySystemCallOfAnExport, OfABundleLeavesTheOldOrTheNewOne) {
  if (std::system("command -v cc >/dev/null") != 0) GTEST_SKIP() << "no C compiler is installed";
  of_programs_it_starts = false;
  ASSERT_EQ(run({"train", project(1), "--run-dir", at("run"), "--quiet"}).code, 0);
  const std::string folder = at("bundles/one"), file = "/PROOF.json";
  ::setenv("NETWRIGHT_PYTHON", "/nonexistent", 1);
  const CommandOutput first = run({"export", "mlp", "--bundle", at("before"), "--images", "2"});
  ASSERT_EQ(first.code, 0) << first.err;
  const std::string old = *read_file(at("before") + file, 1 << 28);
  play({.words = {"export", at("run"), "--bundle", folder, "--force", "--images", "2"},
        .begin =
            [&] {
              fs::remove_all(at("bundles"));
              fs::create_directory(at("bundles"));
              fs::copy(at("before"), folder, fs::copy_options::recursive);
            },
        .look =
            [&](const CommandOutput& output, const std::string& when) {
              EXPECT_EQ(run({"verify", folder}).code, 0) << when << ": files of two bundles";
              const bool replaced = *read_file(folder + file, 1 << 28) != old;
              EXPECT_TRUE(replaced || output.code != 0) << when;
              // what is killed may leave the folder that it was writing, and nothing else does
              const auto folders = std::distance(fs::directory_iterator(at("bundles")), {});
              EXPECT_LE(folders, when.find("KILL") != std::string::npos ? 2 : 1) << when;
            }},
       5);
  ::unsetenv("NETWRIGHT_PYTHON");
}

}  // namespace
}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Each call that changes files fails, or ends the process, while a run is exported: the old files or the new ones are
// there, and files of two exports are told apart before they compute anything.
#include "tests/support/paths.hpp"
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

  /// What a file of source code says of the weights beside it; empty: it takes them.
  std::string refusal_of(const std::string& source) {
    const std::string command =
        fmt::format("python3 -B {}/torture/load_source.py {} 2>{}", test::tests_folder(), source, at("refusal"));
    const bool taken = std::system(command.c_str()) == 0;
    const std::string said = *read_file(at("refusal"), 1 << 20);
    return taken ? "" : said.empty() ? "no reason" : said;
  }
  void leaves_source_of_one_export(const std::string& option) {
    const std::string folder = at("source"), old = at("before" + option), source = folder + "/net.py";
    fs::create_directory(old);
    ASSERT_EQ(run({"export", "lenet5", option, old + "/net.py", "--images", "2"}).code, 0);
    ASSERT_EQ(refusal_of(old + "/net.py"), "");
    int mixed = 0;
    play({.words = {"export", at("run"), option, source, "--force", "--images", "2"},
          .begin =
              [&] {
                fs::remove_all(folder);
                fs::copy(old, folder);
              },
          .look =
              [&](const CommandOutput& output, const std::string& when) {
                int replaced = 0;
                for (const char* name : {"/net.py", "/net.safetensors"})
                  replaced += *read_file(folder + name, 1 << 28) != *read_file(old + name, 1 << 28);
                EXPECT_TRUE(replaced == 2 || output.code != 0) << when;
                mixed += replaced == 1;
                const std::string said = refusal_of(source);
                const bool refused = said.find("are of different exports: export both again") != std::string::npos;
                EXPECT_TRUE(replaced == 1 ? refused : said.empty()) << when << ": " << said;
              }},
         8);
    EXPECT_GT(mixed, 0) << option << ": no fault left an old file beside a new one";
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
/// Two files, so that old weights may be beside a new file or new ones beside an old file: neither loads.
TEST_F(EverySystemCallOfAnExport, OfSourceCodeLeavesFilesOfOneExportOrOnesThatDoNotLoad) {
  if (std::system("command -v python3 >/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  of_programs_it_starts = false;
  ASSERT_TRUE(save_file(at("python"), "#!/bin/sh\necho '{\"missing\": \"all\"}'\n", 0755));
  ::setenv("NETWRIGHT_PYTHON", at("python").c_str(), 1);  // the files are not run by the export
  ASSERT_EQ(run({"train", project(1), "--run-dir", at("run"), "--quiet"}).code, 0);
  calls = "rename";
  for (const std::string option : {"--pytorch", "--keras"}) leaves_source_of_one_export(option);
  ::unsetenv("NETWRIGHT_PYTHON");
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

// SPDX-License-Identifier: Apache-2.0
// netwright-cli export --c and --bundle, and verify of bundles. tests/deploy/bundles.py changes every file of them.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

class BundleCli : public Cli {
 protected:
  BundleCli() { ::setenv("NETWRIGHT_PYTHON", "/nonexistent", 1); }
  ~BundleCli() override {
    ::unsetenv("NETWRIGHT_PYTHON");
    ::unsetenv("CC");
  }
  void SetUp() override {
    if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no C compiler is installed";
  }
  CommandOutput made() { return run({"export", "mlp-moons", "--bundle", at("b"), "--images", "4", "--json"}); }
  static void put(const std::string& file, const std::string& text, std::ios::openmode mode = std::ios::app) {
    std::ofstream(file, mode) << text;
  }
  static std::string whole(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

TEST_F(BundleCli, ProvesItselfAndIsVerified) {
  const CommandOutput out = made();
  ASSERT_EQ(out.code, 0) << out.err;
  const Json proof = out.lines().back();
  EXPECT_EQ(proof["type"], "proof");
  EXPECT_EQ(proof["top1_agreement"], 1.0);
  EXPECT_EQ(proof["c"]["readers"][0]["images"], 4);
  EXPECT_TRUE(proof["files"].contains("c/nw_model.c"));
  const CommandOutput verified = run({"verify", at("b")});
  EXPECT_EQ(verified.code, 0) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("16 files are as they were written"));
}

TEST_F(BundleCli, TellsChangedMissingAndAddedFiles) {
  ASSERT_EQ(made().code, 0);
  const std::string kept = whole(at("b/classes.json"));
  put(at("b/classes.json"), " ");
  CommandOutput out = run({"verify", at("b")});
  EXPECT_EQ(out.code, 3);
  EXPECT_THAT(out.err, HasSubstr("classes.json: it was changed"));
  fs::remove(at("b/classes.json"));
  EXPECT_THAT(run({"verify", at("b")}).err, HasSubstr("classes.json: it is missing"));
  put(at("b/classes.json"), kept);
  EXPECT_EQ(run({"verify", at("b")}).code, 0);
  put(at("b/c/extra.h"), "x");
  out = run({"verify", at("b"), "--json"});
  EXPECT_EQ(out.code, 3);
  EXPECT_EQ(out.lines().back()["problems"][0]["file"], "c/extra.h");
  fs::remove(at("b/c/extra.h"));
  std::string proof = whole(at("b/PROOF.json"));
  proof.replace(proof.find("\"images\": 4"), 11, "\"images\": 9");
  put(at("b/PROOF.json"), proof, std::ios::trunc);
  EXPECT_THAT(run({"verify", at("b")}).err, HasSubstr("PROOF.json: it was changed"));
}

TEST_F(BundleCli, AProofThatNamesFilesElsewhereReadsNone) {
  fs::create_directory(at("b"));
  put(at("b/PROOF.json"), R"({"files": {"../../etc/hostname": "0", "/etc/hostname": "0"}})");
  const CommandOutput out = run({"verify", at("b")});
  EXPECT_EQ(out.code, 3);
  EXPECT_THAT(out.err, HasSubstr("/etc/hostname: it is missing"));
  fs::create_directory_symlink("/etc", at("b/c"));
  EXPECT_THAT(run({"verify", at("b")}).err, HasSubstr("c is no plain file"));
}

TEST_F(BundleCli, ReplacesBundlesAndNothingElse) {
  ASSERT_EQ(made().code, 0);
  EXPECT_EQ(made().code, 2);
  EXPECT_EQ(run({"export", "mlp-moons", "--bundle", at("b"), "--images", "4", "--force"}).code, 0);
  put(at("b/mine.txt"), "keep");
  const CommandOutput out = run({"export", "mlp-moons", "--bundle", at("b"), "--images", "4", "--force"});
  EXPECT_EQ(out.code, 2);
  EXPECT_THAT(out.err, HasSubstr("it is not replaced"));
  EXPECT_EQ(whole(at("b/mine.txt")), "keep");
}

TEST_F(BundleCli, NeedsACompilerAndLeavesNothingBehind) {
  ::setenv("CC", "no-such-compiler", 1);
  const CommandOutput out = made();
  EXPECT_EQ(out.code, 1);
  EXPECT_THAT(out.err, HasSubstr("there is none (cc, gcc, clang)"));
  for (const auto& left : fs::directory_iterator(at(""))) EXPECT_FALSE(left.path().string().ends_with("b")) << left;
  const CommandOutput c = run({"export", "mlp-moons", "--c", at("c")});
  EXPECT_EQ(c.code, 0);
  EXPECT_THAT(c.err, HasSubstr("The library was not compiled"));
}

TEST_F(BundleCli, ATrainedRunBringsItsModelCard) {
  ASSERT_EQ(run({"train", project(), "--run-dir", at("run"), "--quiet"}).code, 0);
  ASSERT_EQ(run({"export", at("run"), "--bundle", at("b")}).code, 0);
  const Json proof = Json::parse(whole(at("b/PROOF.json")));
  EXPECT_NE(proof["images_from"], "noise");
  EXPECT_THAT(whole(at("b/MODEL_CARD.markdown")), HasSubstr("## Results"));
}

}  // namespace
}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// netwright-cli merge, alone and as git's merge driver.
#include <gtest/gtest.h>

#include "engine/design/merge.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

class MergeCli : public Cli {
 protected:
  /// LeNet-5 with other settings.
  std::string write(const std::string& name, const std::function<void(TrainSettings&)>& change) {
    GraphDoc doc = find_template("lenet5")->make();
    TrainSettings s = doc.settings();
    change(s);
    EXPECT_TRUE(doc.apply({PutSettings{s}}));
    EXPECT_TRUE(ProjectFile::save(doc, at(name)));
    return at(name);
  }
  TrainSettings settings(const std::string& name) { return ProjectFile::load(at(name))->settings(); }
  std::string base_ = write("base", [](TrainSettings&) {});
  std::string ours_ = write("ours", [](TrainSettings& s) { s.epochs = 3; });
};

TEST_F(MergeCli, WritesTheResultAndItsExitCodeTellsConflicts) {
  const std::string theirs = write("theirs", [](TrainSettings& s) { s.batch = 8; });
  const CommandOutput joined = run({"merge", base_, ours_, theirs, "-o", at("out")});
  EXPECT_EQ(joined.code, 0) << joined.out << joined.err;
  EXPECT_EQ(settings("out").epochs, 3);
  EXPECT_EQ(settings("out").batch, 8);
  EXPECT_EQ(settings("ours").batch, 64) << "with -o ours stays";
  EXPECT_EQ(run({"merge", base_, ours_, theirs}).code, 0);
  EXPECT_EQ(settings("ours").batch, 8) << "else it is replaced";
}

TEST_F(MergeCli, ConflictsAreSentencesOrJsonAndCanBeResolved) {
  const std::string theirs = write("theirs", [](TrainSettings& s) { s.epochs = 5; });
  const CommandOutput text = run({"merge", base_, ours_, theirs, "-o", at("out")});
  EXPECT_EQ(text.code, 1);
  EXPECT_EQ(text.out, "conflict: training: epochs is 3 on our side and 5 on theirs; it was 10\n");
  const CommandOutput json = run({"merge", base_, ours_, theirs, "-o", at("out"), "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_EQ(json.lines().at(0)["conflicts"][0]["theirs"], "5");
  EXPECT_EQ(recorded_conflicts(*ProjectFile::load(at("out"))).size(), 1U);
  const CommandOutput check = run({"check", at("out")});
  EXPECT_NE(check.out.find("warning: training: merge: epochs is 3 on our side and 5 on theirs; it was 10\n"
                           "  fix 1: Take theirs\n  fix 2: Keep ours\n"),
            std::string::npos)
      << check.out;
  EXPECT_EQ(run({"check", at("out"), "--fix", "1", "-o", at("taken")}).code, 0);
  EXPECT_EQ(settings("taken").epochs, 5);
  EXPECT_TRUE(recorded_conflicts(*ProjectFile::load(at("taken"))).empty());
  EXPECT_EQ(run({"merge", "--resolved", at("out")}).code, 0);
  EXPECT_TRUE(*ProjectFile::load(at("out")) == *ProjectFile::load(ours_));
}

TEST_F(MergeCli, ChangesThatDoNotFitTogetherAreAConflict) {
  const auto change = [&](const char* file, const char* layer, std::int64_t kernel, std::int64_t padding) {
    const GraphDoc before = find_template("lenet5")->make();
    GraphDoc doc = before;
    for (const auto& [id, node] : before.graph().nodes) {
      if (node.name != layer) continue;
      EXPECT_TRUE(doc.apply(set_attr(doc, "", id, "kernel_size", std::vector<std::int64_t>{kernel, kernel})));
      EXPECT_TRUE(doc.apply(set_attr(doc, "", id, "padding", std::vector<std::int64_t>{padding, padding})));
    }
    EXPECT_TRUE(ProjectFile::save(doc, at(file)));
    return at(file);
  };
  const std::string ours = change("o", "conv1", 17, 0), theirs = change("t", "conv2", 11, 0);
  EXPECT_EQ(run({"check", ours}).code, 0);
  EXPECT_EQ(run({"check", theirs}).code, 0);
  const CommandOutput merged = run({"merge", base_, ours, theirs, "-o", at("out")});
  EXPECT_EQ(merged.code, 1);
  EXPECT_EQ(merged.out,
            "conflict: the changes do not fit together: conv2: The kernel 11×11 is larger than the padded image 6×6\n");
}

TEST_F(MergeCli, RefusesWhatIsNoProjectAndLeavesOursAsItIs) {
  ASSERT_TRUE(save_file(at("broken"), "{\"format\": 1, <<<<<<<"));
  const std::string before = *read_file(ours_, 1 << 20);
  EXPECT_EQ(run({"merge", base_, ours_, at("broken")}).code, 3);
  EXPECT_EQ(run({"merge", base_, ours_, at("nothing")}).code, 3);
  EXPECT_EQ(run({"merge", base_, ours_}).code, 2);
  EXPECT_EQ(run({"merge", base_, ours_, base_, "--resolved", ours_}).code, 2);
  EXPECT_EQ(*read_file(ours_, 1 << 20), before);
}

/// A repository in which git merges projects by netwright-cli, as docs/cli.md sets it up.
class MergeDriver : public MergeCli {
 protected:
  int shell(const std::string& words) {
    const std::string command = "cd '" + at("repo") + "' && (" + words + ") > '" + at("log") + "' 2>&1";
    const int code = std::system(command.c_str());
    return WEXITSTATUS(code);
  }
  std::string log() { return *read_file(at("log"), 1 << 20); }
  void SetUp() override {
    ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    ::setenv("GIT_CONFIG_SYSTEM", "/dev/null", 1);
    if (std::system("git --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "git is not installed";
    fs::create_directory(at("repo"));
    const std::string driver = test::programs_folder() + "/netwright-cli merge %O %A %B";
    ASSERT_EQ(shell("git init -q -b main && git config user.name n && git config user.email n@n && "
                    "git config merge.netwright.driver '" +
                    driver +
                    "' && "
                    "echo '*.netwright merge=netwright' > .gitattributes && git add .gitattributes"),
              0)
        << log();
  }
  void commit(const std::string& from) {
    ASSERT_EQ(shell("cp '" + from + "' net.netwright && git add . && git commit -q -m x"), 0) << log();
  }
  void branch(const std::string& theirs) {
    commit(base_);
    ASSERT_EQ(shell("git checkout -q -b theirs"), 0);
    commit(theirs);
    ASSERT_EQ(shell("git checkout -q main"), 0);
    commit(ours_);
  }
};

TEST_F(MergeDriver, GitMergesProjects) {
  branch(write("theirs", [](TrainSettings& s) { s.batch = 8; }));
  ASSERT_EQ(shell("git merge -q theirs -m merged"), 0) << log();
  EXPECT_EQ(settings("repo/net.netwright").epochs, 3);
  EXPECT_EQ(settings("repo/net.netwright").batch, 8);
}

TEST_F(MergeDriver, GitLeavesAConflictToTheUser) {
  branch(write("theirs", [](TrainSettings& s) { s.epochs = 5; }));
  EXPECT_EQ(shell("git merge -q theirs -m merged"), 1) << log();
  EXPECT_NE(log().find("conflict: training: epochs is 3 on our side and 5 on theirs"), std::string::npos) << log();
  EXPECT_EQ(shell("git ls-files -u | grep -q net.netwright"), 0) << "git has not noted the conflict";
  EXPECT_EQ(settings("repo/net.netwright").epochs, 3) << "the file opens";
}

}  // namespace
}  // namespace nw

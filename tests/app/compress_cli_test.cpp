// SPDX-License-Identifier: Apache-2.0
// netwright-cli compress, and training what it writes.
#include <gmock/gmock.h>

#include <filesystem>

#include "engine/design/distillation.hpp"
#include "engine/design/start_from.hpp"
#include "engine/io/safetensors.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

class CompressCli : public Cli {
 protected:
  static std::string last_line(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  }
  std::string trained() {
    EXPECT_EQ(run({"train", project(), "--run-dir", at("run"), "--quiet"}).code, 0);
    return at("run");
  }
  CommandOutput prune(const std::string& share, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"compress", at("run"), "--prune", share, "-o", at("pruned.netwright")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

TEST_F(CompressCli, ARunBecomesASmallerProjectThatTrainsFromItsWeights) {
  trained();
  const CommandOutput out = prune("0.5", {"--epochs", "2", "--lr", "0.003"});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_THAT(out.out, HasSubstr("multiply-adds: "));
  EXPECT_THAT(out.err, HasSubstr("has not been trained since"));
  const auto doc = ProjectFile::load(at("pruned.netwright"));
  ASSERT_TRUE(doc) << doc.error().str();
  EXPECT_EQ(doc->settings().epochs, 2);
  EXPECT_EQ(doc->settings().learning_rate, 0.003);
  const auto from = start_from(*doc);
  ASSERT_TRUE(from);
  EXPECT_EQ(from->weights, "pruned.safetensors");
  EXPECT_EQ(from->parent, "run");
  const CommandOutput train = run({"train", at("pruned.netwright"), "--run-dir", at("next"), "--quiet"});
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_THAT(train.out + train.err, testing::Not(HasSubstr("begin anew"))) << "every weight has its size";
  const auto definition = read_run_definition(at("next"));
  ASSERT_TRUE(definition) << definition.error().str();
  EXPECT_EQ(definition->parent, "run");
}

TEST_F(CompressCli, JsonSaysWhatIsLeft) {
  trained();
  const CommandOutput out = prune("0.5", {"--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  const Json j = Json::parse(out.out);
  EXPECT_EQ(j.at("type"), "pruned");
  EXPECT_LE(j.at("multiply_adds").at("after").get<double>(), 0.5 * j.at("multiply_adds").at("before").get<double>());
  EXPECT_LT(j.at("parameters").at("after").get<double>(), j.at("parameters").at("before").get<double>());
  EXPECT_FALSE(j.at("layers").empty());
}

TEST_F(CompressCli, NothingIsReplacedUnasked) {
  trained();
  ASSERT_EQ(prune("0.3").code, 0);
  const CommandOutput again = prune("0.3");
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("--force"));
  EXPECT_EQ(prune("0.3", {"--force"}).code, 0);
}

TEST_F(CompressCli, WhatCannotBeDoneIsRefusedAndNothingIsWritten) {
  trained();
  const auto refused = [&](const CommandOutput& out, int code) {
    EXPECT_EQ(out.code, code) << out.err;
    EXPECT_FALSE(std::filesystem::exists(at("pruned.netwright")));
    EXPECT_FALSE(std::filesystem::exists(at("pruned.safetensors")));
  };
  refused(prune("1.5"), 2);
  refused(prune("0.98", {"--least-kept", "0.9"}), 3);
  refused(run({"compress", at("nothing"), "--prune", "0.5", "-o", at("pruned.netwright")}), 3);
  refused(run({"compress", project(), "--prune", "0.5", "-o", at("pruned.netwright")}), 3);
}

TEST_F(CompressCli, ALayerLosesTheShareThatIsNamed) {
  trained();
  const CommandOutput out = run({"compress", at("run"), "--layer", "fc1=0.5", "-o", at("pruned.netwright"), "--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  std::map<std::string, std::pair<int, int>> kept;
  const Json made = Json::parse(out.out);
  for (const Json& row : made.at("layers"))
    kept[row.at("layer")] = {row.at("before").get<int>(), row.at("after").get<int>()};
  EXPECT_EQ(kept.at("fc1").second * 2, kept.at("fc1").first);
  for (const auto& [name, before_after] : kept)
    if (name != "fc1") EXPECT_EQ(before_after.first, before_after.second) << name;
}

TEST_F(CompressCli, TheFisherCriterionChoosesOtherChannelsThanTheMagnitude) {
  trained();
  const auto weights = [&](const std::string& criterion) {
    EXPECT_EQ(prune("0.5", {"--criterion", criterion, "--force"}).code, 0);
    return *read_file(at("pruned.safetensors"), std::uint64_t{1} << 30);
  };
  const std::string l1 = weights("l1"), fisher = weights("fisher");
  EXPECT_NE(l1, fisher);
  EXPECT_EQ(fisher, weights("fisher")) << "the same images and the same choice each time";
}

TEST_F(CompressCli, SensitivityMeasuresEveryLayerAndSuggestsAPlanThatCompressTakes) {
  trained();
  const auto sensitivity = [&](const std::string& points) {
    return run({"sensitivity", at("run"), "--at-most", points, "--json"});
  };
  const CommandOutput out = sensitivity("100");
  ASSERT_EQ(out.code, 0) << out.err;
  const Json j = Json::parse(last_line(out.out));
  EXPECT_EQ(j.at("type"), "sensitivity");
  const Json first = Json::parse(out.out.substr(0, out.out.find('\n')));
  EXPECT_EQ(first.at("type"), "progress");
  EXPECT_EQ(first.at("done"), 0);
  EXPECT_GT(first.at("of").get<int>(), 8) << "several measurements of each layer";
  std::vector<std::string> words{"compress", at("run"), "-o", at("pruned.netwright")};
  for (const auto& [layer, share] : j.at("suggested").items())
    words.insert(words.end(), {"--layer", layer + "=" + share.dump()});
  EXPECT_GT(words.size(), 4U) << "all channels but one may go for a hundred points";
  EXPECT_EQ(run(words).code, 0);
  for (const Json& group : j.at("groups")) EXPECT_FALSE(group.at("points").empty()) << group;
  const CommandOutput text = run({"sensitivity", at("run"), "--at-most", "100"});
  EXPECT_THAT(text.out, HasSubstr("whole network: "));
  EXPECT_THAT(text.out, HasSubstr("netwright-cli compress " + at("run") + " --layer "));
}

TEST_F(CompressCli, ASmallerNetworkLearnsTheAnswersOfTheLargerOne) {
  trained();
  const auto pruned = [&](const std::vector<std::string>& more) {
    EXPECT_EQ(prune("0.5", more).code, 0);
    return *ProjectFile::load(at("pruned.netwright"));
  };
  EXPECT_FALSE(*distillation(pruned({"--force"})));
  const auto teacher = *distillation(pruned({"--force", "--distill", at("run")}));
  ASSERT_TRUE(teacher);
  EXPECT_EQ(teacher->run, at("run"));
  EXPECT_EQ(teacher->sha256.size(), 64U);
  const auto train = [&](const std::string& to, const std::vector<std::string>& more) {
    std::vector<std::string> words{"train", at("pruned.netwright"), "--run-dir", at(to), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  ASSERT_EQ(train("taught", {}).code, 0);
  EXPECT_EQ(*distillation(read_run_definition(at("taught"))->doc), *teacher);
  ASSERT_EQ(train("warmer", {"--temperature", "2", "--teacher-weight", "0.5"}).code, 0);
  const auto warmer = *distillation(read_run_definition(at("warmer"))->doc);
  EXPECT_EQ(warmer->temperature, 2);
  EXPECT_EQ(warmer->weight, 0.5);
  EXPECT_EQ(warmer->sha256, teacher->sha256);
}

TEST_F(CompressCli, ATeacherThatIsNotThereIsSaid) {
  EXPECT_EQ(run({"train", project(), "--temperature", "2"}).code, 2);
  const CommandOutput none = run({"train", project(), "--distill", at("nothing"), "--run-dir", at("taught")});
  EXPECT_EQ(none.code, 3) << none.err;
  EXPECT_THAT(none.err, HasSubstr("nothing"));
  EXPECT_FALSE(std::filesystem::exists(at("taught")));
  trained();
  EXPECT_EQ(run({"train", project(), "--distill", at("run"), "--temperature", "0"}).code, 2);
}

TEST_F(CompressCli, APlanThatCannotBeReadIsRefused) {
  trained();
  const auto code = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"compress", at("run"), "-o", at("pruned.netwright")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words).code;
  };
  EXPECT_EQ(code({}), 2) << "neither --prune nor --layer";
  EXPECT_EQ(code({"--prune", "0.5", "--layer", "fc1=0.5"}), 2);
  for (const char* word : {"fc1", "fc1=", "=0.5", "fc1=1", "fc1=0", "fc1=-0.5", "fc1=nan", "fc1=half"})
    EXPECT_EQ(code({"--layer", word}), 2) << word;
  EXPECT_EQ(code({"--layer", "none=0.5"}), 3);
  EXPECT_FALSE(std::filesystem::exists(at("pruned.netwright")));
}

}  // namespace
}  // namespace nw

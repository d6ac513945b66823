// SPDX-License-Identifier: Apache-2.0
// netwright-cli compress, and training what it writes.
#include <gmock/gmock.h>

#include <filesystem>

#include "engine/design/start_from.hpp"
#include "engine/io/safetensors.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

class CompressCli : public Cli {
 protected:
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

}  // namespace
}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// netwright-cli compress --int8, and what the other commands do with the run that it makes.
#include <gmock/gmock.h>

#include <filesystem>

#include "engine/io/safetensors.hpp"
#include "engine/predict/predictor.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

class Int8Cli : public Cli {
 protected:
  void SetUp() override { ASSERT_EQ(run({"train", project(3), "--run-dir", at("run"), "--quiet"}).code, 0); }
  CommandOutput compress(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"compress", at("run"), "--int8", "--run-dir", at("int8"), "--seconds", "0.01"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  Json evaluation(const std::string& folder) {
    const CommandOutput out = run({"evaluate", folder, "--checkpoint", "best", "--json"});
    EXPECT_EQ(out.code, 0) << out.err;
    return Json::parse(out.out);
  }
};

TEST_F(Int8Cli, MakesARunOfItsOwnThatNamesItsParent) {
  const CommandOutput out = compress({"--json", "--calibration", "40", "--calibrate", "minmax"});
  ASSERT_EQ(out.code, 0) << out.err;
  const Json j = Json::parse(out.out);
  EXPECT_EQ(j.at("calibration_images"), 40);
  const double before = evaluation(at("run")).at("accuracy"), after = evaluation(at("int8")).at("accuracy");
  EXPECT_EQ(j.at("accuracy").at("before"), before);
  EXPECT_EQ(j.at("accuracy").at("after"), after);
  EXPECT_NEAR(before, after, 0.05);
  EXPECT_LE(j.at("bytes").at("after").get<double>(), 0.27 * j.at("bytes").at("before").get<double>());
  EXPECT_EQ(j.at("latency").at("int8").size(), 3U);
  const Json& changes = j.at("changes");
  EXPECT_EQ(changes.at("samples"), 64);
  EXPECT_NEAR(changes.at("change").get<double>(), after - before, 1e-12);
  const auto definition = read_run_definition(at("int8"));
  ASSERT_TRUE(definition) << definition.error().str();
  EXPECT_EQ(definition->parent, "run");
  EXPECT_EQ(definition->choices, std::vector<std::string>{"int8: minmax, 40 images"});
  const auto summary = summarize_run(at("int8"));
  ASSERT_TRUE(summary) << summary.error().str();
  EXPECT_EQ(summary->status, RunStatus::finished);
}

TEST_F(Int8Cli, SaysWhatItCostsAndBrings) {
  const CommandOutput out = compress();
  ASSERT_EQ(out.code, 0) << out.err;
  for (const char* part : {"size: ", "95 % interval", "McNemar's test p = ", "times as fast"})
    EXPECT_THAT(out.out, HasSubstr(part));
}

TEST_F(Int8Cli, ItsScoresAreThoseOfTheWholeNumbersOnEveryInstructionSet) {
  ASSERT_EQ(compress().code, 0);
  const auto probabilities = [&](const char* set) {
    ::setenv("NETWRIGHT_INT8", set, 1);
    const auto predictor = Predictor::open(at("int8"), "best");
    EXPECT_TRUE(predictor) << predictor.error().str();
    const auto e = (*predictor)->evaluate("test");
    ::unsetenv("NETWRIGHT_INT8");
    return e->probability;
  };
  const auto best = probabilities(""), plain = probabilities("portable");
  EXPECT_EQ(best, plain);
  const auto fp32 = (*Predictor::open(at("run"), "best"))->evaluate("test");
  EXPECT_NE(best, fp32->probability);
}

TEST_F(Int8Cli, FiltersAndLayersAreThoseOfItsWeightsInFp32) {
  ASSERT_EQ(compress().code, 0);
  const auto predictor = Predictor::open(at("int8"), "best");
  ASSERT_TRUE(predictor);
  std::vector<std::uint8_t> image(28 * 28);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::uint8_t>(i * i % 251);
  const auto layer = (*predictor)->predict_with_layer(image, "fc1");
  ASSERT_TRUE(layer) << layer.error().str();
  EXPECT_GT(*std::max_element(layer->output.begin(), layer->output.end()), 0);
  const auto whole = (*predictor)->predict(image, 1);
  ASSERT_TRUE(whole);
  EXPECT_NE(whole->front().probability, layer->prediction.probability) << "scores are of the whole numbers";
}

TEST_F(Int8Cli, WhatNeedsRealWeightsIsRefusedWithAWayOut) {
  ASSERT_EQ(compress().code, 0);
  for (const CommandOutput& out : {run({"export", at("int8"), "--onnx", at("n.onnx")}),
                                   run({"compress", at("int8"), "--int8", "--run-dir", at("again")}),
                                   run({"compress", at("int8"), "--prune", "0.5", "-o", at("p.netwright")})}) {
    EXPECT_EQ(out.code, 3) << out.err;
    EXPECT_THAT(out.err, HasSubstr("holds weights of 8 bits; take the run that it was made of, run"));
  }
}

TEST_F(Int8Cli, AFolderThatHoldsSomethingIsLeftAlone) {
  std::filesystem::create_directory(at("int8"));
  ASSERT_TRUE(save_file(at("int8") + "/notes.txt", "mine"));
  const CommandOutput out = compress();
  EXPECT_EQ(out.code, 2);
  EXPECT_THAT(out.err, HasSubstr("exists already and is not empty"));
  EXPECT_FALSE(std::filesystem::exists(at("int8") + "/run.json"));
}

TEST_F(Int8Cli, ADamagedFileIsRefused) {
  ASSERT_EQ(compress().code, 0);
  const auto latest = latest_checkpoint(at("int8"));
  const std::string file = at("int8") + "/checkpoints/" + latest->name + "/model.safetensors";
  std::string bytes = *read_file(file, 1 << 26);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 64);
  ASSERT_TRUE(save_file(file, bytes));
  const CommandOutput out = run({"evaluate", at("int8"), "--checkpoint", "best"});
  EXPECT_EQ(out.code, 3) << "the manifest knows its digest";
}

TEST_F(Int8Cli, OneOfTheTwoIsAskedFor) {
  EXPECT_EQ(run({"compress", at("run")}).code, 2);
  EXPECT_EQ(run({"compress", at("run"), "--prune", "0.5"}).code, 2);
  EXPECT_EQ(run({"compress", at("run"), "--prune", "0.5", "--int8"}).code, 2);
  EXPECT_EQ(run({"compress", at("run"), "--run-dir", at("x")}).code, 2);
}

}  // namespace
}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// netwright-cli compress --int8, and what the other commands do with the run that it makes.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "engine/exchange/weights.hpp"
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

TEST_F(Int8Cli, IsFineTunedWhileItRounds) {
  const CommandOutput out = compress({"--json", "--calibration", "40", "--qat", "2", "--lr", "0.001"});
  ASSERT_EQ(out.code, 0) << out.err;
  const Json j = Json::parse(out.out);
  EXPECT_EQ(j.at("fine_tuning").at("epochs"), 2);
  EXPECT_EQ(j.at("fine_tuning").at("learning_rate"), 0.001);
  EXPECT_EQ(evaluation(at("int8")).at("accuracy"), j.at("accuracy").at("after"));
  const auto definition = read_run_definition(at("int8"));
  ASSERT_TRUE(definition);
  EXPECT_EQ(definition->choices.back(), "fine-tuned while rounded: 2 epochs, learning rate 0.001");
  EXPECT_EQ(run({"compress", at("run"), "--qat", "2", "--run-dir", at("x")}).code, 2) << "of --int8";
}

TEST_F(Int8Cli, AsATeacherItNamesItsParent) {
  ASSERT_EQ(compress().code, 0);
  const CommandOutput out =
      run({"compress", at("run"), "--prune", "0.3", "--distill", at("int8"), "-o", at("p.netwright")});
  EXPECT_EQ(out.code, 3);
  EXPECT_THAT(out.err,
              HasSubstr("is a run in 8 bits, which cannot be a teacher; take the run that it was made of, run"));
}

TEST_F(Int8Cli, ItsCLibraryComputesItsScoresToTheBit) {
  ASSERT_EQ(compress().code, 0);
  const CommandOutput out = run({"export", at("int8"), "--c", at("c"), "--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  const Json j = Json::parse(out.out.substr(out.out.rfind("\n{") == std::string::npos ? 0 : out.out.rfind("\n{") + 1));
  if (j.contains("not_run")) GTEST_SKIP() << "no C compiler is installed";
  EXPECT_EQ(j.at("max_abs_diff"), 0.0);
  EXPECT_EQ(j.at("top1_agreement"), 1.0);
  EXPECT_EQ(j.at("images"), 64);
}

TEST_F(Int8Cli, SingleWeightsBecomeZeroAndStaySo) {
  const auto prune = [&](const std::string& of, const std::string& to, std::vector<std::string> more) {
    std::vector<std::string> words{"compress", at(of), "--unstructured", "0.8", "--run-dir", at(to), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandOutput out = run(words);
    EXPECT_EQ(out.code, 0) << out.err;
    return Json::parse(out.out);
  };
  const Json j = prune("run", "sparse", {"--epochs", "1"});
  const auto all = j.at("weights").at("all").get<double>(), zeros = j.at("weights").at("zeros").get<double>();
  EXPECT_NEAR(zeros / all, 0.8, 0.001);
  EXPECT_LT(j.at("bytes").at("compressed_after").get<double>(),
            0.5 * j.at("bytes").at("compressed_before").get<double>());
  EXPECT_LT(j.at("bytes").at("sparse").get<double>(), 0.3 * j.at("bytes").at("file").get<double>());
  EXPECT_EQ(j.at("faster"), false);
  EXPECT_EQ(evaluation(at("sparse")).at("accuracy"), j.at("accuracy").at("after"));
  const auto definition = read_run_definition(at("sparse"));
  EXPECT_EQ(definition->parent, "run");
  const auto zeros_of = [&](const char* run) {
    const auto weights = exchange::weights_of_run(at(run), *read_run_definition(at(run)), "best");
    EXPECT_TRUE(weights) << weights.error().str();
    std::int64_t sum = 0;
    for (const auto& [name, w] : *weights)
      if (w.dims.size() > 1) sum += std::count(w.values.begin(), w.values.end(), 0.0F);
    return sum;
  };
  EXPECT_EQ(zeros_of("sparse"), static_cast<std::int64_t>(zeros)) << "training made zeros other numbers";
  const CommandOutput text = run({"compress", at("run"), "--unstructured", "0.5", "--run-dir", at("text")});
  EXPECT_THAT(text.err, HasSubstr("The network is not faster"));
}

TEST_F(Int8Cli, LayersHaveSharesOfTheirOwn) {
  const CommandOutput out =
      run({"compress", at("run"), "--unstructured", "0.5", "--layer", "fc2=0.9", "--run-dir", at("plan"), "--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  double others = 0, zeros = 0;
  const Json made = Json::parse(out.out);
  for (const Json& l : made.at("layers")) {
    const double share = l.at("zeros").get<double>() / l.at("weights").get<double>();
    if (l.at("layer") == "fc2") {
      EXPECT_NEAR(share, 0.9, 0.01);
      continue;
    }
    others += l.at("weights").get<double>();
    zeros += l.at("zeros").get<double>();
  }
  EXPECT_NEAR(zeros / others, 0.5, 0.001);
  const CommandOutput wrong =
      run({"compress", at("run"), "--unstructured", "0.5", "--layer", "nothing=0.9", "--run-dir", at("no")});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.err, HasSubstr("There is no layer nothing with a matrix or filters of weights"));
}

TEST_F(Int8Cli, OneOfTheTwoIsAskedFor) {
  EXPECT_EQ(run({"compress", at("run")}).code, 2);
  EXPECT_EQ(run({"compress", at("run"), "--prune", "0.5"}).code, 2);
  EXPECT_EQ(run({"compress", at("run"), "--prune", "0.5", "--int8"}).code, 2);
  EXPECT_EQ(run({"compress", at("run"), "--run-dir", at("x")}).code, 2);
}

}  // namespace
}  // namespace nw

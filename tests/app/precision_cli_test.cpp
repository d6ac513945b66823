// SPDX-License-Identifier: Apache-2.0
// Precisions on the command line, and the processor's instruction sets.
#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/app/cli_fixture.hpp"
#include "tests/support/instruction_set.hpp"

namespace nw {
namespace {

TEST_F(Cli, DevicesNameTheInstructionSetsAndMeasureTheProcessor) {
  const auto processor = [&](const std::vector<std::string>& words) {
    for (const Json& line : run(words).lines())
      if (line.contains("instruction_sets")) return line;
    return Json();
  };
  const Json plain = processor({"devices", "--json"}), measured = processor({"devices", "--measure", "--json"});
  int used = 0;
  for (const Json& set : plain["instruction_sets"]) {
    EXPECT_NE(set["name"], "amx-emulated");
    if (!set["used"].get<bool>()) continue;
    ++used;
    EXPECT_TRUE(set["usable"].get<bool>());
  }
  EXPECT_EQ(used, 1);
  EXPECT_EQ(plain["instruction_sets"].back()["name"], "portable");
  EXPECT_FALSE(plain.contains("flops"));
  EXPECT_GT(measured["flops"].get<double>(), 1e8);
  EXPECT_GT(measured["memory_bytes_per_s"].get<double>(), 1e7);
}

TEST_F(Cli, NewProjectsChooseTheirPrecision) {
  ASSERT_EQ(run({"new", "--template", "mlp", "-o", at("mine.netwright")}).code, 0);
  EXPECT_EQ(ProjectFile::load(at("mine.netwright"))->settings().precision, std::nullopt);
  const auto notes = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words{"train", project(1), "--json", "--run-dir", at("run")};
    words.insert(words.end(), options.begin(), options.end());
    const CommandOutput trained = run(words);
    EXPECT_EQ(trained.code, 0) << trained.err;
    fs::remove_all(at("run"));
    return trained.out;
  };
  EXPECT_NE(notes({"--precision", "automatic"}).find("Precision automatic: "), std::string::npos);
  EXPECT_EQ(notes({"--precision", "fp32"}).find("Precision automatic: "), std::string::npos);
  EXPECT_EQ(run({"train", project(1), "--precision", "fastest"}).code, 2);
}

TEST_F(Cli, TrainsMeasuresAndEvaluatesInBf16AndRejectsFp16InASentence) {
  const CommandOutput trained = run({"train", project(2), "--precision", "bf16", "--json", "--run-dir", at("run")});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_EQ(read_run_definition(at("run"))->doc.settings().precision, DType::bf16);
  const Json result = run({"evaluate", at("run"), "--json"}).lines().at(0);
  EXPECT_DOUBLE_EQ(result["accuracy"].get<double>(), trained.lines().back()["test_accuracy"].get<double>());
  EXPECT_NEAR(result["loss"].get<double>(), trained.lines().back()["test_loss"].get<double>(), 1e-5);
  const CommandOutput measured =
      run({"bench", "--nets", "mlp", "--precision", "bf16", "--seconds", "0.1", "--repeats", "1", "--json"});
  ASSERT_EQ(measured.code, 0) << measured.err;
  EXPECT_EQ(measured.lines().at(0)["mode"], "netwright-bf16");
  EXPECT_GT(measured.lines().at(0)["images_per_s"].get<double>(), 0);
  const CommandOutput refused = run({"train", project(), "--precision", "fp16", "--run-dir", at("refused")});
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("fp16"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("GPU"), std::string::npos) << refused.err;
}

TEST_F(Cli, PlanShowsBf16RoundingAndTileProducts) {
  GraphDoc doc = find_template("lenet5")->make();
  TrainSettings s = doc.settings();
  s.precision = DType::bf16;
  ASSERT_TRUE(doc.apply({PutSettings{s}}));
  ASSERT_TRUE(ProjectFile::save(doc, at("rounded.netwright")));
  const auto expect_words = [&](const char* set, std::initializer_list<const char*> all) {
    const test::UseInstructionSet use(set);
    const CommandOutput result = run({"check", "--plan", at("rounded.netwright")});
    ASSERT_EQ(result.code, 0) << result.err;
    for (const char* words : all)
      EXPECT_NE(result.out.find(words), std::string::npos) << words << " is not in\n" << result.out;
  };
  expect_words("portable", {"instruction set: portable", "round_bf16", "conv2d_max_pool2d_relu",
                            "linear_grad_input_relu", "bf16: operands rounded, summed in fp32"});
  expect_words("amx-emulated", {"instruction set: amx-emulated", "conv1: lanes16 pooled, tiles, amx-emulated",
                                "conv2: weight gradient, tiles, amx-emulated"});
}

}  // namespace
}  // namespace nw

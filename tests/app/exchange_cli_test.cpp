// SPDX-License-Identifier: Apache-2.0
// netwright-cli export, import, verify and train --weights.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "tests/app/cli_fixture.hpp"
#include "tests/engine/exchange/tiny_model.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

class ExchangeCli : public Cli {
 protected:
  ExchangeCli() {
    for (const char* name : {"NETWRIGHT_TORCH_PYTHON", "NETWRIGHT_PYTHON"})
      if (const char* python = std::getenv(name)) python_ = python;
    ::setenv("NETWRIGHT_PYTHON", "/nonexistent", 1);  // this program's importer alone
  }
  ~ExchangeCli() override { ::unsetenv("NETWRIGHT_PYTHON"); }

  std::string trained() {
    const CommandOutput done = run({"train", project(), "--run-dir", at("run"), "--quiet"});
    EXPECT_EQ(done.code, 0) << done.err;
    return at("run");
  }
  std::string python_;  // that the tests were started with; it may have onnxruntime
  static Json last_line(const std::string& out) {
    const std::size_t end = out.find_last_not_of('\n'), begin = out.rfind('\n', end);
    return Json::parse(out.substr(begin == std::string::npos ? 0 : begin + 1, end + 1));
  }
};

TEST_F(ExchangeCli, ARunIsExportedWithItsProofAndComesBack) {
  const std::string run_dir = trained();
  const CommandOutput out = run({"export", run_dir, "--onnx", at("n.onnx"), "--images", "10", "--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  const Json proof = last_line(out.out);
  EXPECT_EQ(proof.at("type"), "proof");
  EXPECT_EQ(proof.at("max_abs_diff"), 0.0) << "the same network gives the same bits";
  EXPECT_EQ(proof.at("top1_agreement"), 1.0);
  EXPECT_EQ(proof.at("images_from"), "test");
  EXPECT_EQ(proof.at("readers").at(0).at("reader"), "Netwright");
  EXPECT_FALSE(fs::exists(at(".n.proving.onnx"))) << "the trial file is removed";
  const std::string bytes = *read_file(at("n.onnx"), 1 << 26);
  EXPECT_THAT(bytes, HasSubstr("netwright.proof"));

  const CommandOutput in = run({"import", at("n.onnx"), "-o", at("back.netwright"), "--json"});
  ASSERT_EQ(in.code, 0) << in.err;
  EXPECT_EQ(last_line(in.out).at("drawn"), true);
  EXPECT_TRUE(fs::exists(at("back.safetensors")));
  // Weights that are read and not trained are those of the run.
  const CommandOutput again = run({"train", at("back.netwright"), "--run-dir", at("run2"), "--quiet", "--lr", "1e-30"});
  ASSERT_EQ(again.code, 0) << again.err;
  const CommandOutput first = run({"evaluate", run_dir, "--json"}), second = run({"evaluate", at("run2"), "--json"});
  EXPECT_EQ(last_line(first.out).at("accuracy"), last_line(second.out).at("accuracy"));
}

TEST_F(ExchangeCli, AModelCardSaysWhatTheRunReached) {
  const std::string run_dir = trained();
  const CommandOutput out = run({"evaluate", run_dir, "--card", at("card"), "--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  const std::string card = *read_file(at("card"), 1 << 20);
  const double accuracy = last_line(out.out).at("accuracy");
  EXPECT_THAT(card, HasSubstr(fmt::format("| accuracy | {:.2f} % |", 100 * accuracy)));
  EXPECT_THAT(card, HasSubstr("On the test set, checkpoint latest"));
  EXPECT_EQ(run({"evaluate", run_dir, "--card", at("nowhere") + "/card"}).code, 3);
}

TEST_F(ExchangeCli, WeightsBesideSourceCodeAreThoseOfAnExportOfWeights) {
  const std::string run_dir = trained();
  ASSERT_EQ(run({"export", run_dir, "--safetensors", at("w.safetensors")}).code, 0);
  ::unsetenv("NETWRIGHT_PYTHON");  // the file is written where no Python can run it
  ASSERT_EQ(run({"export", run_dir, "--pytorch", at("source.py")}).code, 0);
  EXPECT_TRUE(*read_file(at("source.safetensors"), 1 << 26) == *read_file(at("w.safetensors"), 1 << 26))
      << "one would replace the other";
}

TEST_F(ExchangeCli, WhatWouldBeTakenOfAFileIsListedBeforeAnythingIsTaken) {
  const std::string run_dir = trained();
  ASSERT_EQ(run({"export", run_dir, "--safetensors", at("w.safetensors")}).code, 0);
  const CommandOutput all = run({"check", project(), "--weights", at("w.safetensors")});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("6 of 6 weights would be taken"));
  const CommandOutput none = run({"check", "lenet5", "--weights", at("w.safetensors"), "--json"});
  const Json rows = last_line(none.out).at("weights");
  EXPECT_EQ(rows.at(0).at("name"), "conv1.weight");
  EXPECT_EQ(rows.at(0).at("match"), "not in file");
}

TEST_F(ExchangeCli, FilesThatRunCodeAreRefusedWithTheScriptThatConvertsThem) {
  std::ofstream(at("model.pt"), std::ios::binary) << "PK\x03\x04 and a pickle";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"train", project(), "--weights", at("model.pt"), "--run-dir", at("r")},
        {"import", at("model.pt"), "-o", at("p.netwright")},
        {"check", project(), "--weights", at("model.pt")}}) {
    const CommandOutput out = run(words);
    EXPECT_EQ(out.code, 3) << out.err;
    EXPECT_THAT(out.err, HasSubstr("weights_only=True"));
    EXPECT_THAT(out.err, HasSubstr("model.pt is a file of PyTorch"));
  }
  EXPECT_FALSE(fs::exists(at("r")));
  EXPECT_FALSE(fs::exists(at("p.netwright")));
}

TEST_F(ExchangeCli, ExistingFilesAreKeptAndWrongUsageHasItsCode) {
  const std::string run_dir = trained();
  std::ofstream(at("n.onnx")) << "mine";
  EXPECT_EQ(run({"export", run_dir, "--onnx", at("n.onnx")}).code, 2);
  EXPECT_EQ(*read_file(at("n.onnx"), 100), "mine");
  EXPECT_EQ(run({"export", run_dir}).code, 2);
  EXPECT_EQ(run({"export", at("nothing"), "--onnx", at("m.onnx")}).code, 3);
  const CommandOutput in = run({"import", at("n.onnx"), "-o", at("p.netwright")});
  EXPECT_EQ(in.code, 3);
  EXPECT_THAT(in.err, HasSubstr("n.onnx"));
  EXPECT_FALSE(fs::exists(at("p.netwright")));
  EXPECT_EQ(run({"import", at("n.onnx"), "-o", at("p.netwright"), "--size", "big"}).code, 2);
}

TEST_F(ExchangeCli, TrainTakesTheWeightsThatFitAndChecksTheirDigest) {
  const std::string run_dir = trained();
  ASSERT_EQ(run({"export", run_dir, "--onnx", at("n.onnx"), "--safetensors", at("w.safetensors")}).code, 0);
  ASSERT_EQ(run({"import", at("n.onnx"), "-o", at("p.netwright")}).code, 0);
  fs::copy_file(at("w.safetensors"), at("p.safetensors"), fs::copy_options::overwrite_existing);
  std::ofstream(at("p.safetensors"), std::ios::app) << "x";
  const CommandOutput changed = run({"train", at("p.netwright"), "--run-dir", at("r1"), "--quiet"});
  EXPECT_EQ(changed.code, 3);
  EXPECT_THAT(changed.err, HasSubstr("p.safetensors"));
  fs::remove(at("p.safetensors"));
  const CommandOutput missing = run({"train", at("p.netwright"), "--run-dir", at("r2"), "--quiet"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.err, HasSubstr("--weights"));
  EXPECT_EQ(run({"train", at("p.netwright"), "--weights", at("w.safetensors"), "--run-dir", at("r3"), "--quiet"}).code,
            0);
}

TEST_F(ExchangeCli, AProjectIsExportedWithUntrainedWeights) {
  const CommandOutput out = run({"export", project(), "--onnx", at("n.onnx"), "--images", "3"});
  EXPECT_EQ(out.code, 0) << out.err;
  EXPECT_THAT(out.out, HasSubstr("opset 13, IR 7"));
  EXPECT_THAT(run({"import", "--operators"}).out, HasSubstr("BatchNormalization"));
}

TEST_F(ExchangeCli, Int8IsCalibratedOnTheRunsImagesAndProvedByOnnxruntime) {
  const std::string run_dir = trained();
  const std::vector<std::string> words{"export", run_dir, "--onnx", at("n.onnx"), "--precision", "int8", "--json"};
  const CommandOutput alone = run(words);
  EXPECT_EQ(alone.code, 1);
  EXPECT_THAT(alone.err, HasSubstr("NETWRIGHT_PYTHON"));
  EXPECT_FALSE(fs::exists(at("n.onnx")));
  EXPECT_EQ(run({"export", run_dir, "--onnx", at("n.onnx"), "--precision", "int8", "--calibrate", "guess"}).code, 2);
  if (python_.empty() || std::system((python_ + " -c 'import onnxruntime' 2> /dev/null").c_str()) != 0)
    GTEST_SKIP() << "NETWRIGHT_TORCH_PYTHON names no Python with onnxruntime";
  ::setenv("NETWRIGHT_PYTHON", python_.c_str(), 1);
  for (const char* method : {"minmax", "percentile", "mse"}) {
    std::vector<std::string> with = words;
    with.insert(with.end(), {"--calibrate", method, "--calibration", "100", "--force"});
    const CommandOutput out = run(with);
    ASSERT_EQ(out.code, 0) << out.err;
    EXPECT_THAT(out.out, HasSubstr(R"({"done":100,"images":100,"type":"calibration"})"));
    const Json proof = last_line(out.out);
    EXPECT_EQ(proof.at("precision"), "int8");
    EXPECT_GE(proof.at("top1_agreement"), 0.9) << method;
    EXPECT_LE(proof.at("max_abs_diff"), 0.1 * proof.at("largest_output").get<double>()) << method;
    EXPECT_GT(proof.at("max_abs_diff"), 0) << "the numbers are rounded";
    EXPECT_THAT(*read_file(at("n.onnx"), 1 << 26), HasSubstr(std::string("\"method\":\"") + method));
  }
}

TEST_F(ExchangeCli, Int8KeepsTheClassOfHandwrittenDigits) {
  if (!std::getenv("NETWRIGHT_LONG")) GTEST_SKIP() << "NETWRIGHT_LONG is not set";
  if (data_.empty() || python_.empty()) GTEST_SKIP() << "no MNIST, or no Python with onnxruntime";
  const CommandOutput done =
      run({"train", "lenet5", "--data", data_, "--epochs", "1", "--run-dir", at("run"), "--quiet"});
  ASSERT_EQ(done.code, 0) << done.err;
  ::setenv("NETWRIGHT_PYTHON", python_.c_str(), 1);
  const CommandOutput out =
      run({"export", at("run"), "--onnx", at("n.onnx"), "--precision", "int8", "--images", "10000", "--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(last_line(out.out).at("images"), 10000);
  EXPECT_GE(last_line(out.out).at("top1_agreement"), 0.99);
}

TEST_F(ExchangeCli, AnUnknownOperatorLeavesWithItsConstantsAgain) {
  exchange::TinyModel t;
  const std::string made = t.node("Swirl", {"x", t.weight("angle", {7})});
  t.model.nodes.back().domain = "com.example";
  t.model.opsets["com.example"] = 3;
  t.model.values.push_back({.name = made, .type = onnx::Type::f32, .dims = onnx::Dims{-1, 3, 8, 8}, .symbols = {}});
  t.classify(t.node("Flatten", {made}), 192);
  ASSERT_TRUE(onnx::write_model(t.model, at("in.onnx")));
  ASSERT_EQ(run({"import", at("in.onnx"), "-o", at("p.netwright")}).code, 0);
  const CommandOutput out = run({"export", at("p.netwright"), "--onnx", at("out.onnx"), "--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(last_line(out.out).at("not_run"), 1);
  const auto model = onnx::read_model(at("out.onnx"));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->nodes.front().op, "Swirl");
  EXPECT_EQ(model->nodes.front().domain, "com.example");
  EXPECT_TRUE(std::any_of(model->initializers.begin(), model->initializers.end(), [&](const onnx::Tensor& tensor) {
    return tensor.name == "angle" && tensor.bytes == t.model.initializers.front().bytes;
  }));
  ASSERT_EQ(run({"import", at("out.onnx"), "-o", at("q.netwright")}).code, 0);
  EXPECT_EQ(*read_file(at("p.safetensors"), 1 << 20), *read_file(at("q.safetensors"), 1 << 20));
  EXPECT_EQ(run({"export", at("p.netwright"), "--pytorch", at("source.py")}).code, 3) << "source code needs layers";
}

}  // namespace
}  // namespace nw

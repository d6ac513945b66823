// SPDX-License-Identifier: Apache-2.0
// C libraries of 8-bit networks compute the bytes that the engine computes: with every compiler and instruction set,
// under sanitizers, on another processor.
#include "engine/deploy/int8_library.hpp"
#include "engine/deploy/int8_network_text.hpp"
#include "engine/design/project_file.hpp"
#include "tests/engine/compress/int8_trial.hpp"
#include "tests/engine/deploy/compiled.hpp"

namespace nw::deploy {
namespace {

using compress::int8::Trained;

struct Case {
  Int8Source source;
  std::vector<float> pictures, scores;  // planes; what the engine computes
  CLibrary library;
};

/// Scores of pixels that nw_selftest() gets, as the run computes them.
std::vector<GoldenSample> golden_of(const Trained& t, const std::vector<float>& scores) {
  GoldenSample g;
  const std::size_t each = t.nhwc.size() / static_cast<std::size_t>(t.count);
  for (std::size_t i = 0; i < each; ++i) g.pixels.push_back(static_cast<std::uint8_t>(std::lround(t.nhwc[i] * 255)));
  g.scores.assign(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(scores.size()) / t.count);
  return {g};
}

Case case_of(GraphDoc doc, bool weights_file = false) {
  const Trained t = compress::int8::trained(std::move(doc), 3);
  Case c;
  c.source = {.name = "net", .classes = {}, .mean = {}, .deviation = {}, .flat = t.flat, .tensors = {}};
  c.source.tensors = *compress::int8::quantize(t.flat, t.weights, t.ranges, compress::CalibrationMethod::mse);
  c.scores = compress::int8::scores_of(t, c.source.tensors, nw::int8::best_kernels(), 1, t.count);
  c.pictures = t.nchw;
  auto library = c_library(c.source, golden_of(t, c.scores), {.weights_file = weights_file});
  EXPECT_TRUE(library) << library.error().str();
  if (library) c.library = *std::move(library);
  return c;
}

void expect_same_bytes(const Case& c, const std::vector<std::string>& command,
                       const std::vector<std::string>& before = {}) {
  const RunOfLibrary run = run_library(c.library, command, c.pictures, before);
  ASSERT_TRUE(run.compiled) << run.words;
  EXPECT_EQ(run.status, 0) << "the self-test fails";
  EXPECT_EQ(run.scores, c.scores);
}

bool runs(const char* flag) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (std::string(flag) == "-mavx2") return __builtin_cpu_supports("avx2");
  if (std::string(flag) == "-march=icelake-server") return __builtin_cpu_supports("avx512vnni");
#endif
  return std::string(flag).starts_with("-O") || std::string(flag) == "-DNW_PLAIN";
}

TEST(Int8CLibrary, ComputesTheEnginesBytesWithEveryCompilerAndInstructionSet) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  for (const bool every_layer : {true, false}) {
    const Case c = case_of(every_layer ? compress::int8::many_layers() : find_template("lenet5")->make());
    for (const std::string& compiler : compilers())
      for (const char* flag : {"-O0", "-O3", "-Os", "-mavx2", "-march=icelake-server", "-DNW_PLAIN"}) {
        SCOPED_TRACE(compiler + " " + flag);
        if (runs(flag)) expect_same_bytes(c, {compiler, "-O2", flag});
      }
  }
}

/// Without -std=c99 compilers may join products and sums, which would round otherwise.
TEST(Int8CLibrary, NoProductAndSumBecomeOneInstruction) {
  if (compilers().empty() || !runs("-mavx2")) GTEST_SKIP() << "no C compiler is installed, or no AVX2";
  const Case c = case_of(compress::int8::many_layers());
  for (const std::string& compiler : compilers())
    expect_same_bytes(c, {compiler, "-O3", "-mavx2", "-mfma", "-ffp-contract=fast"});
}

TEST(Int8CLibrary, SanitizersFindNothing) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  const std::vector<std::string> command{compilers().front(), "-O1", "-g", "-fsanitize=address,undefined",
                                         "-fno-sanitize-recover=all"};
  expect_same_bytes(case_of(compress::int8::many_layers()), command);
  expect_same_bytes(case_of(find_template("mobilenet-small")->make(), true), command);
}

TEST(Int8CLibrary, RunsOnAnEmulated32BitArm) {
  if (exchange::program_in_path("arm-linux-gnueabihf-gcc").empty() || exchange::program_in_path("qemu-arm").empty())
    GTEST_SKIP() << "qemu-user and gcc-arm-linux-gnueabihf are not installed";
  const Case c = case_of(compress::int8::many_layers());
  for (const char* flag : {"-O2", "-mfpu=neon"})
    expect_same_bytes(c, {"arm-linux-gnueabihf-gcc", "-static", "-O3", flag}, {"qemu-arm"});
}

TEST(Int8CLibrary, OneBitOfAWeightFailsTheSelftest) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  Case c = case_of(find_template("lenet5")->make());
  const std::size_t at = c.library.source.find("NW_ALIGNED = {"), from = c.library.source.find("\n  ", at) + 3,
                    end = c.library.source.find(',', from);
  const int weight = std::stoi(c.library.source.substr(from, end - from));
  c.library.source.replace(from, end - from, std::to_string(weight ^ 1));
  const RunOfLibrary run = run_library(c.library, {compilers().front()}, c.pictures);
  ASSERT_TRUE(run.compiled) << run.words;
  EXPECT_EQ(run.status, 1) << "NW_BAD_WEIGHTS";
}

TEST(Int8CLibrary, TheLastBitOfAScoreFailsTheSelftest) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  const Trained t = compress::int8::trained(find_template("lenet5")->make(), 1);
  Int8Source s{.name = "net", .classes = {}, .mean = {}, .deviation = {}, .flat = t.flat, .tensors = {}};
  s.tensors = *compress::int8::quantize(t.flat, t.weights, t.ranges, compress::CalibrationMethod::mse);
  auto samples = golden_of(t, compress::int8::scores_of(t, s.tensors, nw::int8::best_kernels(), 1, 1));
  samples.front().scores.back() = std::nextafter(samples.front().scores.back(), 1e9F);
  const auto library = c_library(s, samples, {});
  ASSERT_TRUE(library) << library.error().str();
  EXPECT_EQ(run_library(*library, {compilers().front()}, t.nchw).status, 2) << "NW_WRONG_OUTPUT";
}

TEST(Int8CLibrary, AnyBitOfTheFileOfWeightsIsTold) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  const Case c = case_of(find_template("lenet5")->make(), true);
  expect_same_bytes(c, {compilers().front()});
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, c.library.weights.size() - 1}) {
    CLibrary changed = c.library;
    changed.weights[at] = static_cast<char>(changed.weights[at] ^ 4);
    EXPECT_EQ(run_library(changed, {compilers().front()}, c.pictures).status, 8) << at;
  }
  CLibrary shorter = c.library;
  shorter.weights.pop_back();
  EXPECT_EQ(run_library(shorter, {compilers().front()}, c.pictures).status, 8);
}

TEST(Int8CLibrary, RefusesALayerInFp32ByName) {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{3}}, {"height", std::int64_t{6}}, {"width", std::int64_t{4}}});
  d.add("LayerNorm2d", "norm");
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", {{"out_features", std::int64_t{10}}});
  d.add("CrossEntropy", "loss");
  const Trained t = compress::int8::trained(doc);
  Int8Source s{.name = "net", .classes = {}, .mean = {}, .deviation = {}, .flat = t.flat, .tensors = {}};
  s.tensors = *compress::int8::quantize(t.flat, t.weights, t.ranges, compress::CalibrationMethod::mse);
  const auto refused = c_library(s, {}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().str(), "norm is computed in fp32, which the C library in 8 bits cannot");
}

}  // namespace
}  // namespace nw::deploy

// SPDX-License-Identifier: Apache-2.0
// What the C library promises beside its numbers: compilers, sanitizers, another processor, its own tests, names.
#include <cmath>

#include "engine/design/project_file.hpp"
#include "tests/engine/deploy/compiled.hpp"

namespace nw::deploy {
namespace {

exchange::ExportSource lenet() {
  exchange::ExportSource source = exchange::source_of(find_template("lenet5")->make());
  source.mean = {0.13F};
  source.deviation = {0.31F};
  return source;
}

TEST(CLibrary, EveryCompilerTakesItWithAllWarningsAsErrors) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  for (const std::string& compiler : compilers())
    for (const char* level : {"-O0", "-Os", "-O2", "-O3", "-DNW_PLAIN"}) {
      SCOPED_TRACE(compiler + " " + level);
      expect_equal(lenet(), {compiler, level});
    }
}

TEST(CLibrary, SanitizersFindNothing) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  const std::vector<std::string> command{compilers().front(), "-O1", "-g", "-fsanitize=address,undefined",
                                         "-fno-sanitize-recover=all"};
  for (const char* name : {"lenet5", "mobilenet-small"}) {
    SCOPED_TRACE(name);
    expect_equal(exchange::source_of(find_template(name)->make()), command, true);
  }
}

TEST(CLibrary, RunsOnAnEmulated32BitArm) {
  if (exchange::program_in_path("arm-linux-gnueabihf-gcc").empty() || exchange::program_in_path("qemu-arm").empty())
    GTEST_SKIP() << "qemu-user and gcc-arm-linux-gnueabihf are not installed";
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"-O2"}, {"-O2", "-mfpu=neon"}}) {
    std::vector<std::string> command{"arm-linux-gnueabihf-gcc", "-static"};
    command.insert(command.end(), flags.begin(), flags.end());
    expect_equal(lenet(), command, false, {"qemu-arm"});
  }
}

TEST(CLibrary, OneBitOfAWeightFailsTheSelftest) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  const exchange::ExportSource source = lenet();
  CLibrary library = library_of(source);
  const std::size_t at = library.source.find("NW_ALIGNED = {"), from = library.source.find("\n  ", at) + 3,
                    end = library.source.find('f', from);
  const float weight = std::stof(library.source.substr(from, end - from));
  const float flipped = std::bit_cast<float>(std::bit_cast<std::uint32_t>(weight) ^ 1U);  // the lowest bit
  library.source.replace(from, end - from, fmt::format("{}", flipped));
  const RunOfLibrary run = run_library(library, {compilers().front()}, pictures_of(source.doc));
  ASSERT_TRUE(run.compiled) << run.words;
  EXPECT_EQ(run.status, 1) << "NW_BAD_WEIGHTS";
}

TEST(CLibrary, AnyBitOfTheFileOfWeightsIsTold) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  const exchange::ExportSource source = lenet();
  const CLibrary library = library_of(source, true);
  expect_equal(source, {compilers().front()}, true);
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, std::size_t{12}, library.weights.size() - 1}) {
    CLibrary changed = library;
    changed.weights[at] = static_cast<char>(changed.weights[at] ^ 4);
    EXPECT_EQ(run_library(changed, {compilers().front()}, pictures_of(source.doc)).status, 8) << at;
  }
  CLibrary shorter = library;
  shorter.weights.pop_back();
  EXPECT_EQ(run_library(shorter, {compilers().front()}, pictures_of(source.doc)).status, 8);
}

TEST(CLibrary, WrongGoldenScoresFailTheSelftest) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  const exchange::ExportSource source = lenet();
  std::vector<GoldenSample> samples = golden(source);
  samples.back().scores[3] += 0.1F;
  const auto library = c_library(source, samples, {});
  ASSERT_TRUE(library);
  EXPECT_EQ(run_library(*library, {compilers().front()}, pictures_of(source.doc)).status, 2) << "NW_WRONG_OUTPUT";
}

TEST(CLibrary, NamesFromElsewhereEndNoCommentAndNoString) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  exchange::ExportSource source = lenet();
  source.name = "*/ #error /* \\\n#error \?\?/";
  source.classes = {"\"}; int x = 0; /*", "\?\?/", "\\", "数字\n", std::string("a\0b", 3), "", "", "", "", "9"};
  const RunOfLibrary run = run_library(library_of(source), {compilers().front(), "-O1"}, pictures_of(source.doc));
  EXPECT_TRUE(run.compiled) << run.words;
  EXPECT_EQ(run.status, 0);
}

TEST(CLibrary, BatchNormsAndActivationsCostNothingBehindConvolutions) {
  const CLibrary library = library_of(exchange::source_of(find_template("vgg13-cifar")->make()), true);
  EXPECT_EQ(library.folded, 10);
  EXPECT_GE(library.fused, 10);
  EXPECT_EQ(library.source.find("nw_affine"), std::string::npos);
  EXPECT_EQ(library.source.find("nw_clamp"), std::string::npos);
}

TEST(CLibrary, RefusesWhatItCannotWriteInOneSentence) {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{1}}, {"height", std::int64_t{4}}, {"width", std::int64_t{4}}});
  d.add("Flatten", "flatten");
  d.add("Formula", "twice", {{"formula", std::string("2 * x")}});
  d.add("Linear", "fc", {{"out_features", std::int64_t{2}}});
  d.add("CrossEntropy", "loss");
  const exchange::ExportSource source = exchange::source_of(doc);
  const auto library = c_library(source, {}, {});
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().str(), "twice: a Formula layer cannot be written in C");
}

TEST(CLibrary, RefusesWeightsThatAreNoNumbers) {
  exchange::ExportSource source = lenet();
  source.weights.begin()->second.values.front() = NAN;
  EXPECT_FALSE(c_library(source, {}, {}));
  source.weights.erase(source.weights.begin());
  EXPECT_FALSE(c_library(source, {}, {}));
}

}  // namespace
}  // namespace nw::deploy

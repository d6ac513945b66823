// SPDX-License-Identifier: Apache-2.0
// netwright-cli adapt, and training what it writes.
#include <gmock/gmock.h>

#include <fstream>

#include "engine/design/start_from.hpp"
#include "engine/io/safetensors.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using testing::HasSubstr;
using testing::Not;

class AdaptCli : public Cli {
 protected:
  std::string trained() {
    EXPECT_EQ(run({"train", project(), "--run-dir", at("run"), "--quiet"}).code, 0);
    return at("run");
  }
  /// Grey images of some classes; class k is brighter than class k - 1.
  std::string images(int classes) {
    for (int c = 0; c < classes; ++c)
      for (int i = 0; i < 20; ++i) {
        const fs::path folder = fs::path(at("grey")) / std::string(1, static_cast<char>('a' + c));
        fs::create_directories(folder);
        std::ofstream file(folder / (std::to_string(i) + ".pgm"), std::ios::binary);
        file << "P5\n20 24\n255\n" << std::string(480, static_cast<char>(30 + 60 * c + i));
      }
    return at("grey");
  }
  CommandOutput adapt(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"adapt", at("run"), "--data", images(3), "-o", at("grey.netwright")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

TEST_F(AdaptCli, ARunBecomesAProjectForOtherImagesThatTrainsFromItsWeights) {
  trained();
  const CommandOutput out = adapt();
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_THAT(out.out, HasSubstr("3 outputs"));
  const auto doc = ProjectFile::load(at("grey.netwright"));
  ASSERT_TRUE(doc) << doc.error().str();
  const auto from = start_from(*doc);
  ASSERT_TRUE(from);
  EXPECT_EQ(from->weights, "grey.safetensors");
  EXPECT_EQ(from->parent, "run");
  EXPECT_EQ(from->fresh, std::vector<std::string>{"fc3"});
  const CommandOutput train = run({"train", at("grey.netwright"), "--run-dir", at("next"), "--quiet", "--epochs", "8"});
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_THAT(train.out + train.err, Not(HasSubstr("begin anew"))) << "a new head is no surprise";
  const auto definition = read_run_definition(at("next"));
  ASSERT_TRUE(definition) << definition.error().str();
  EXPECT_EQ(definition->parent, "run");
  EXPECT_EQ(definition->classes.size(), 3U);
  const auto before = read_run_definition(at("run"));
  EXPECT_EQ(definition->mean, before->mean) << "normalized as the images that the weights were trained with";
}

/// As a camera's card may leave them: cut short, empty, another content than the name says.
TEST_F(AdaptCli, DamagedPhotosAreNamedAndTheRunTrainsOnTheOthers) {
  trained();
  const fs::path folder = fs::path(images(3)) / "b";
  const std::vector<std::pair<std::string, std::string>> damaged = {
      {"cut.pgm", "P5\n20 24\n255\n" + std::string(200, 'x')},
      {"empty.pgm", ""},
      {"text.png", "no picture"},
      {"huge.pgm", "P5\n60000 60000\n255\n"}};
  for (const auto& [name, bytes] : damaged) std::ofstream(folder / name, std::ios::binary) << bytes;
  ASSERT_EQ(run({"adapt", at("run"), "--data", at("grey"), "-o", at("grey.netwright")}).code, 0);
  const CommandOutput train = run({"train", at("grey.netwright"), "--run-dir", at("next"), "--quiet", "--epochs", "2"});
  ASSERT_EQ(train.code, 0) << train.err;
  for (const auto& [name, bytes] : damaged) EXPECT_THAT(train.out + train.err, HasSubstr((folder / name).string()));
  const auto definition = read_run_definition(at("next"));
  ASSERT_TRUE(definition) << definition.error().str();
  EXPECT_EQ(definition->classes.size(), 3U);
  EXPECT_EQ(run({"evaluate", at("next"), "--split", "train"}).code, 0) << "nor do they end what comes later";
}

/// The new head would fit: as many classes, the same shape.
TEST_F(AdaptCli, TheHeadBeginsAnewEvenIfItsShapeFits) {
  trained();
  ASSERT_EQ(run({"adapt", at("run"), "--data", images(10), "-o", at("ten.netwright")}).code, 0);
  ASSERT_EQ(run({"train", at("ten.netwright"), "--run-dir", at("r"), "--quiet", "--epochs", "1", "--lr", "1e-30"}).code,
            0);
  const auto bytes_of = [&](const fs::path& file, const char* name) {
    const auto tensors = SafetensorsFile::open(file);
    EXPECT_TRUE(tensors);
    const TensorInfo* info = tensors->find(name);
    std::vector<std::byte> bytes(info->bytes());
    EXPECT_TRUE(tensors->read(*info, bytes));
    return bytes;
  };
  const auto now = fs::path(at("r")) / "checkpoints" / latest_checkpoint(at("r"))->name / "model.safetensors";
  EXPECT_EQ(bytes_of(now, "fc1.weight"), bytes_of(at("ten.safetensors"), "fc1.weight"));
  EXPECT_NE(bytes_of(now, "fc3.weight"), bytes_of(at("ten.safetensors"), "fc3.weight"));
}

TEST_F(AdaptCli, WrongUseHasItsCodeAndWritesNothing) {
  trained();
  EXPECT_EQ(run({"adapt", at("nothing"), "--data", images(3), "-o", at("x.netwright")}).code, 3);
  EXPECT_EQ(run({"adapt", at("run"), "--data", at("nothing"), "-o", at("x.netwright")}).code, 3);
  EXPECT_EQ(adapt({"--freeze", "conv9"}).code, 3);
  EXPECT_FALSE(fs::exists(at("x.netwright")));
  EXPECT_FALSE(fs::exists(at("grey.netwright")));
  EXPECT_FALSE(fs::exists(at("grey.safetensors")));
  std::ofstream(at("grey.netwright")) << "mine";
  EXPECT_EQ(adapt().code, 2);
  EXPECT_EQ(*read_file(at("grey.netwright"), 100), "mine");
  EXPECT_EQ(adapt({"--force"}).code, 0);
}

TEST_F(AdaptCli, LayersThatAreNeverTrainedKeepTheirWeights) {
  trained();
  ASSERT_EQ(adapt({"--freeze", "fc1", "--epochs", "2"}).code, 0);
  ASSERT_EQ(run({"train", at("grey.netwright"), "--run-dir", at("r"), "--quiet"}).code, 0);
  const auto doc = read_run_definition(at("r"));
  ASSERT_TRUE(doc);
  const auto then = SafetensorsFile::open(at("grey.safetensors"));
  const auto now =
      SafetensorsFile::open(fs::path(at("r")) / "checkpoints" / latest_checkpoint(at("r"))->name / "model.safetensors");
  ASSERT_TRUE(then && now);
  for (const char* name : {"fc1.weight", "fc1.bias"}) {
    std::vector<std::byte> a(then->find(name)->bytes()), b(now->find(name)->bytes());
    ASSERT_TRUE(then->read(*then->find(name), a) && now->read(*now->find(name), b));
    EXPECT_EQ(a, b) << name;
  }
}

}  // namespace
}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Weights in files: the counters of batch norms, and which values a project takes from a file.
#include <gtest/gtest.h>

#include <unistd.h>

#include "engine/design/project_file.hpp"
#include "engine/exchange/weights.hpp"
#include "engine/io/safetensors.hpp"

namespace nw::exchange {
namespace {

class WeightFiles : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  const fs::path folder = fs::temp_directory_path() / ("netwright-weights-" + std::to_string(::getpid()));
};

TEST_F(WeightFiles, CountersOfBatchNormsAreKeptAndOthersAreZero) {
  const auto flat = flatten(find_template("resnet18-cifar")->make(), {.training = false, .batch = 1});
  ASSERT_TRUE(flat);
  const auto weights = initial_weights(*flat, 1);
  ASSERT_TRUE(weights);
  ASSERT_TRUE(save_weights(*weights, names_of(*flat), folder / "w.safetensors", {{"bn1.num_batches_tracked", 4711}}));
  const auto file = SafetensorsFile::open(folder / "w.safetensors");
  ASSERT_TRUE(file);
  const TensorInfo* counter = file->find("bn1.num_batches_tracked");
  ASSERT_TRUE(counter);
  EXPECT_EQ(counter->dtype, "I64");
  EXPECT_TRUE(counter->shape.empty()) << "PyTorch's is a scalar";
  Counters read;
  const auto again = load_weights(folder / "w.safetensors", &read);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->size(), weights->size());
  EXPECT_EQ(read.at("bn1.num_batches_tracked"), 4711);
  EXPECT_EQ(read.at("layer1.0.bn1.num_batches_tracked"), 0);
  EXPECT_EQ(read.size(), 20u);
}

TEST_F(WeightFiles, AProjectTakesWhatFitsButForFreshLayers) {
  Weights own{
      {"a.weight", {{2}, {0, 0}}}, {"b.weight", {{2}, {0, 0}}}, {"ab.weight", {{2}, {0, 0}}}, {"c", {{1}, {0}}}};
  const Weights from{
      {"a.weight", {{2}, {1, 2}}}, {"b.weight", {{1}, {3}}}, {"ab.weight", {{2}, {4, 5}}}, {"c", {{1}, {6}}}};
  EXPECT_EQ(take_weights(own, from, {"a"}), 2u);
  EXPECT_EQ(own.at("a.weight").values, (std::vector<float>{0, 0})) << "begins anew";
  EXPECT_EQ(own.at("b.weight").values, (std::vector<float>{0, 0})) << "another shape";
  EXPECT_EQ(own.at("ab.weight").values, (std::vector<float>{4, 5})) << "is not below a";
  EXPECT_EQ(own.at("c").values, (std::vector<float>{6}));
}

}  // namespace
}  // namespace nw::exchange

// SPDX-License-Identifier: Apache-2.0
// What a file of weights and a network have in common; files of other programs are told by what they are.
#include "engine/exchange/weight_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "engine/design/project_file.hpp"
#include "engine/exchange/weights.hpp"
#include "tests/engine/runs/folder.hpp"
#include "tests/support/net_text.hpp"

namespace nw::exchange {
namespace {

using testing::HasSubstr;

class WeightTable : public testing::Test {
 protected:
  static FlatNetwork network(const std::string& last) {
    const auto flat = flatten(test::net("images: Input 1x8x8; conv: Conv2d out_channels=2; bn: BatchNorm2d; scale: "
                                        "LayerScale; flatten: Flatten; " +
                                        last + "; loss: CrossEntropy"),
                              {.training = false, .batch = 1});
    EXPECT_TRUE(flat) << flat.error().str();
    return *flat;
  }
  SafetensorsHeader file_of(const FlatNetwork& saved) {
    const auto weights = initial_weights(saved, 1);
    EXPECT_TRUE(weights && save_weights(*weights, names_of(saved), folder_.path / "w.safetensors"));
    return SafetensorsFile::open(folder_.path / "w.safetensors")->header();
  }
  static const WeightRow& row(const std::vector<WeightRow>& rows, const std::string& name) {
    const auto it = std::find_if(rows.begin(), rows.end(), [&](const WeightRow& r) { return r.name == name; });
    EXPECT_NE(it, rows.end()) << name;
    return it == rows.end() ? rows.front() : *it;
  }
  std::optional<ForeignWeights> kind(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_.path / name, std::ios::binary) << bytes;
    return foreign_weights(folder_.path / name);
  }
  Folder folder_;
};

TEST_F(WeightTable, TellsWhatIsTakenOfOtherShapeAndOnlyOnOneSide) {
  const auto rows = weight_table(network("fc: Linear out_features=5; more: Linear out_features=5"),
                                 file_of(network("fc: Linear out_features=7; old: Linear out_features=3")));
  EXPECT_EQ(row(rows, "conv.weight").match, WeightMatch::taken);
  EXPECT_EQ(row(rows, "bn.running_var").match, WeightMatch::taken);
  EXPECT_EQ(row(rows, "fc.weight").match, WeightMatch::other_shape);
  EXPECT_EQ(row(rows, "fc.weight").network, (std::vector<std::int64_t>{5, 72}));
  EXPECT_EQ(row(rows, "fc.weight").file, (std::vector<std::int64_t>{7, 72}));
  EXPECT_EQ(row(rows, "more.bias").match, WeightMatch::not_in_file);
  EXPECT_EQ(row(rows, "old.bias").match, WeightMatch::not_in_network);
  for (const WeightRow& r : rows) EXPECT_THAT(r.name, testing::Not(HasSubstr("num_batches")));
}

TEST_F(WeightTable, FilesThatRunCodeAreToldByTheirBytes) {
  EXPECT_EQ(kind("a.pt", "PK\x03\x04rest"), ForeignWeights::pytorch);
  EXPECT_EQ(kind("a.safetensors", "\x80\x02}q"), ForeignWeights::pytorch) << "a pickle by another name";
  EXPECT_EQ(kind("a.h5", "\x89HDF\r\n"), ForeignWeights::keras);
  EXPECT_EQ(kind("a.keras", "PK\x03\x04rest"), ForeignWeights::keras);
  EXPECT_EQ(kind("a.zip", "PK\x03\x04rest"), std::nullopt);
  EXPECT_EQ(kind("b.safetensors", std::string(8, '\x08') + "{}"), std::nullopt);
  EXPECT_EQ(kind("c.safetensors", std::string("\x80\x02\0\0\0\0\0\0{\"a\":", 12)), std::nullopt)
      << "a header of 640 bytes";
  EXPECT_EQ(kind("empty.pt", ""), std::nullopt);
  EXPECT_EQ(foreign_weights(folder_.path / "nothing.pt"), std::nullopt);
  EXPECT_EQ(foreign_weights(folder_.path), std::nullopt);
  EXPECT_THAT(foreign_weights_error(ForeignWeights::pytorch, "a.pt").what.str(), HasSubstr("a.pt"));
}

/// Needs a Python with PyTorch and safetensors.
TEST_F(WeightTable, TheScriptConvertsWhatPyTorchSaves) {
  const char* python = std::getenv("NETWRIGHT_TORCH_PYTHON");
  if (!python) GTEST_SKIP() << "NETWRIGHT_TORCH_PYTHON names no Python with PyTorch and safetensors";
  const fs::path make = folder_.path / "make.py", convert = folder_.path / "convert.py", saved = folder_.path / "m.pt",
                 made = folder_.path / "m.safetensors";
  std::ofstream(make) << "import sys, torch\n"
                         "torch.save({'state_dict': torch.nn.Linear(3, 2).state_dict()}, sys.argv[1])\n";
  std::ofstream(convert) << conversion_script(ForeignWeights::pytorch);
  const auto run = [&](const std::string& words) {
    return std::system((std::string(python) + " " + words + " 2> " + (folder_.path / "err").string()).c_str());
  };
  if (run("-c 'import torch, safetensors'") != 0) GTEST_SKIP() << python << " has no PyTorch or no safetensors";
  ASSERT_EQ(run(make.string() + " " + saved.string()), 0);
  EXPECT_EQ(foreign_weights(saved), ForeignWeights::pytorch);
  ASSERT_EQ(run(convert.string() + " " + saved.string() + " " + made.string()), 0)
      << *read_file(folder_.path / "err", 1 << 16);
  const auto file = SafetensorsFile::open(made);
  ASSERT_TRUE(file) << file.error().str();
  ASSERT_NE(file->find("weight"), nullptr);
  EXPECT_EQ(file->find("weight")->shape, (std::vector<std::int64_t>{2, 3}));
}

}  // namespace
}  // namespace nw::exchange

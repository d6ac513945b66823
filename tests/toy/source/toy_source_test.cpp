// SPDX-License-Identifier: Apache-2.0
// A data source is one record in one file: npy.cpp, beside this file, is added to the product's list and is then
// available in project files, recognition, opening and runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/data/cache/open.hpp"
#include "engine/data/sources/recognise.hpp"
#include "engine/data/sources/sources.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {
Result<std::shared_ptr<MemoryDataset>> parse_npy_set(std::string_view images, std::string_view labels,
                                                     const std::string& where);
namespace {
using testing::HasSubstr;

std::string npy(const std::string& type, const std::string& shape, const std::string& data) {
  const std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header + data;
}
const std::string labels = npy("<i8", "2,", std::string("\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16));

Result<OpenedData> opened(const fs::path& folder) {
  return open_data({.kind = SourceKind("npy"), .path = folder.string()}, {}, false);
}

TEST(ToySource, ReadsImagesAndLabels) {
  const Folder folder;
  ASSERT_TRUE(save_file(folder.path / "images.npy", npy("|u1", "2, 1, 3, 1", "abcdef")));
  ASSERT_TRUE(save_file(folder.path / "labels.npy", labels));
  const auto data = opened(folder.path);
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->train->size(), 2);
  EXPECT_EQ(data->train->width(), 3);
  EXPECT_EQ(data->train->label(0), 1);
  EXPECT_EQ(data->train->in_memory(1)[2], 'f');
  EXPECT_THAT(data->classes, testing::ElementsAre("0", "1"));
}

TEST(ToySource, RejectsFilesThatContradictTheirHeader) {
  const auto why = [](const std::string& images) {
    const auto set = parse_npy_set(images, labels, "set");
    return set ? std::string() : set.error().str();
  };
  EXPECT_EQ(why(npy("|u1", "2, 1, 3, 1", "abcdef")), "");
  EXPECT_THAT(why("no array"), HasSubstr("set/images.npy: is not a NumPy array"));
  EXPECT_THAT(why(npy("<f4", "2, 1, 3, 1", "abcdef")), HasSubstr("C order"));
  EXPECT_THAT(why(npy("|u1", "2, 1, 3, 1", "abcde")), HasSubstr("truncated"));
  EXPECT_THAT(why(npy("|u1", "2, 4294967296, 4294967296, 1", "")), HasSubstr("impossible size"));
  EXPECT_THAT(why(npy("|u1", "0, 1, 3, 1", "")), HasSubstr("impossible size"));
  EXPECT_THAT(why(npy("|u1", "3, 1, 2, 1", "abcdef")), HasSubstr("labels (N)"));
}

TEST(ToySource, RejectsALabelThatNoClassCanHave) {
  const Folder folder;
  ASSERT_TRUE(save_file(folder.path / "images.npy", npy("|u1", "1, 1, 1, 1", "a")));
  for (const char last : {'\x7f', '\xff'}) {
    ASSERT_TRUE(save_file(folder.path / "labels.npy", npy("<i8", "1,", std::string(7, '\0') + last)));
    const auto data = opened(folder.path);
    ASSERT_FALSE(data);
    EXPECT_THAT(data.error().str(), HasSubstr("is not between 0 and"));
  }
}

TEST(ToySource, IsRegisteredByItsRecordAlone) {
  const DataSource* source = find_source("npy");
  ASSERT_NE(source, nullptr);
  const auto& all = all_sources();
  EXPECT_NE(std::find(all.begin(), all.end(), source), all.end()) << "the data panel lists these";
  const auto read = data_from_json(Json::parse(R"({"kind":"npy"})"), "d");
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(read->kind, source->kind);
  EXPECT_EQ(to_json(*read)["kind"], "npy");
  EXPECT_THAT(open_data(*read, {}, false).error().str(), HasSubstr("No folder with images.npy"));
}

/// Two hundred images of 28×28: a bright band, whose height is the class.
void write_bands(const fs::path& folder) {
  std::string pixels, classes;
  for (int n = 0; n < 200; ++n) {
    const int band = n % 10;
    for (int y = 0; y < 28; ++y)
      for (int x = 0; x < 28; ++x) pixels += static_cast<char>(y / 3 == band ? 200 + (n + x) % 40 : (n + x + y) % 30);
    classes += static_cast<char>(band) + std::string(7, '\0');
  }
  ASSERT_TRUE(save_file(folder / "images.npy", npy("|u1", "200, 28, 28, 1", pixels)));
  ASSERT_TRUE(save_file(folder / "labels.npy", npy("<i8", "200,", classes)));
}

TEST(ToySource, IsRecognizedAndUsedForTrainingAndFoundByTheRun) {
  const Folder folder;
  write_bands(folder.path);
  EXPECT_EQ(recognise(folder.path), SourceKind("npy"));
  Trial t([&](TrainSettings& s, DataChoice& d) {
    d.kind = SourceKind("npy");
    d.path = folder.path.string();
    s.epochs = 6;
  });
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  const auto epochs = t.sink.all<EpochEnd>();
  ASSERT_EQ(epochs.size(), 6U);
  EXPECT_LT(epochs.back().train_loss, epochs.front().train_loss / 2);
  const auto definition = read_run_definition(t.request.run);
  ASSERT_TRUE(definition) << definition.error().str();
  EXPECT_EQ(definition->doc.data().kind, SourceKind("npy"));
}

}  // namespace
}  // namespace nw

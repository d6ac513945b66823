// SPDX-License-Identifier: Apache-2.0
// Excluded samples take no part, all other samples keep their index; skipped files are named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/data/cache/open.hpp"
#include "engine/data/checks/data_check_report.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/split/split.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/run_writer.hpp"

namespace nw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

OpenedData hundred(bool test_set) {
  OpenedData d;
  auto train = std::make_shared<MemoryDataset>(1, 2, 2), test = std::make_shared<MemoryDataset>(1, 2, 2);
  for (int i = 0; i < 100; ++i)
    for (auto& set : {train, test}) {
      set->pixels_.insert(set->pixels_.end(), {static_cast<std::uint8_t>(i), 1, 2, 3});
      set->labels_.push_back(i % 4);
      set->origins_.push_back("class" + std::to_string(i % 4) + "/" + std::to_string(i) + ".png");
    }
  d.train = train;
  if (test_set) d.test = test;
  d.classes = {"0", "1", "2", "3"};
  return d;
}

std::vector<std::int64_t> without(std::vector<std::int64_t> all, const std::vector<std::int64_t>& gone) {
  std::erase_if(all, [&](std::int64_t i) { return std::find(gone.begin(), gone.end(), i) != gone.end(); });
  return all;
}

TEST(Exclusion, RemovesSamplesFromTheirSplitAndMovesNoOther) {
  for (const bool test_set : {true, false}) {
    const OpenedData d = hundred(test_set);
    DataChoice c{.validation_fraction = 0.2, .test_fraction = 0.2};
    const auto before = split_data(d, c);
    exclude(c, {"train: class3/7.png", "train: class0/8.png", "test: class1/9.png", "train: nowhere.png"});
    const auto after = split_data(d, c);
    ASSERT_TRUE(before && after);
    EXPECT_EQ(after->train, without(before->train, {7, 8}));
    EXPECT_EQ(after->validation, without(before->validation, {7, 8}));
    EXPECT_EQ(after->test,
              without(before->test, test_set ? std::vector<std::int64_t>{9} : std::vector<std::int64_t>{7, 8}));
    EXPECT_EQ(after->train.size() + after->validation.size() + (test_set ? 0 : after->test.size()), 98u);
  }
}

TEST(Exclusion, OfAllSamplesIsRejected) {
  const OpenedData d = hundred(false);
  DataChoice c;
  for (std::int64_t i = 0; i < 100; ++i) exclude(c, {sample_name(false, d.train->origin(i))});
  const auto s = split_data(d, c);
  ASSERT_FALSE(s);
  EXPECT_THAT(s.error().str(), HasSubstr("no training images"));
}

TEST(Exclusion, KeepsNamesSortedAndWithoutRepetition) {
  DataChoice c;
  exclude(c, {"train: b", "train: a", "train: b"});
  exclude(c, {"test: z", "train: a"});
  EXPECT_THAT(c.excluded, ElementsAre("test: z", "train: a", "train: b"));
  include(c, {"train: b", "test: z", "train: never"});
  EXPECT_THAT(c.excluded, ElementsAre("train: a"));
}

TEST(Exclusion, IsWrittenWithTheProjectAndProjectsWithoutItOpen) {
  DataChoice c;
  EXPECT_FALSE(to_json(c).contains("excluded")) << "a project from before stays as it was";
  exclude(c, {"train: cat/1.png", "test: dog/2.png"});
  const auto again = data_from_json(to_json(c), "project");
  ASSERT_TRUE(again) << again.error().str();
  EXPECT_EQ(*again, c);
  Json old = to_json(c);
  old.erase("excluded");
  EXPECT_TRUE(data_from_json(old, "project")->excluded.empty());
  for (const Json& lie : {Json("all"), Json{1, 2}, Json{std::string(5000, 'x')}, Json{{"a", 1}}}) {
    old["excluded"] = lie;
    EXPECT_FALSE(data_from_json(old, "project")) << lie.dump().substr(0, 40);
  }
}

TEST(DataCheckReport, WithoutWhatIsSuperfluousNoDefectIsLeft) {
  OpenedData d = hundred(true);
  auto train = std::make_shared<MemoryDataset>(3, 32, 32), test = std::make_shared<MemoryDataset>(3, 32, 32);
  const auto add = [](MemoryDataset& set, unsigned seed, std::int64_t label) {
    for (int i = 0; i < 3 * 32 * 32; ++i)
      set.pixels_.push_back(
          static_cast<std::uint8_t>((seed * 2654435761u + static_cast<unsigned>(i / 48) * 40503u * seed) >> 8));
    set.labels_.push_back(label);
    set.origins_.push_back(std::to_string(set.origins_.size()) + ".png");
  };
  for (unsigned i = 1; i <= 40; ++i) add(*train, i, i % 2);
  for (unsigned i = 41; i <= 60; ++i) add(*test, i, i % 2);
  add(*test, 3, 1);   // duplicate of the fourth sample, in both sets
  add(*train, 5, 0);  // duplicate of the sixth sample with another label
  add(*train, 7, 1);
  d.train = train;
  d.test = test;
  d.classes = {"even", "odd"};
  DataChoice c{.validation_fraction = 0};
  const auto look = [&] {
    const Splits s = *split_data(d, c);
    const auto parts = checked_splits(d, s);
    auto found = *find_defects(parts, 2);
    std::erase_if(found.defects, [](const Defect& x) { return x.kind != DefectKind::duplicate; });
    std::vector<std::string> names;
    for (const Defect& x : found.defects)
      for (const CheckedSample& s2 : superfluous(x, parts)) names.push_back(name_of(s2, parts));
    std::sort(names.begin(), names.end());
    return std::pair{found.defects.size(), names};
  };
  const auto [count, names] = look();
  EXPECT_EQ(count, 3u);
  EXPECT_THAT(names, ElementsAre("train: 2.png", "train: 4.png", "train: 40.png", "train: 41.png"))
      << "the test image stays; of two labels nobody knows the right one; of two alike one stays";
  exclude(c, names);
  EXPECT_EQ(look().first, 0u);
}

TEST(SkippedFiles, AreNamedWithTheirSetAndReason) {
  if (const auto decoder = image_decoder(); !decoder) GTEST_SKIP() << decoder.error().str();
  const test::TemporaryFolder place;
  const auto put = [&](const std::string& name, int side) {
    test::write_bytes(place.path() / name, test::bmp_bytes(side, side, 1, 2, 3));
  };
  put("train/a/1.bmp", 8);
  put("train/a/2.bmp", 6);
  put("train/b/3.bmp", 8);
  put("test/a/4.bmp", 8);
  const std::string whole = test::bmp_bytes(8, 8, 1, 2, 3);
  test::write_bytes(place.path() / "test/b/5.bmp", whole.substr(0, whole.size() / 2));
  DataChoice c;
  c.kind = SourceKind::image_folder;
  c.path = place.path().string();
  const auto d = open_data(c, {}, false);
  ASSERT_TRUE(d) << d.error().str();
  ASSERT_EQ(d->skipped_files.size(), 2u);
  EXPECT_EQ(d->skipped_files[0], (SkippedFile{SkippedFile::Kind::other_size, false, "a/2.bmp", "6×6"}));
  EXPECT_EQ(d->skipped_files[1].kind, SkippedFile::Kind::unreadable);
  EXPECT_TRUE(d->skipped_files[1].test_set);
  EXPECT_EQ(d->skipped_files[1].file, "b/5.bmp");
  EXPECT_EQ(d->unreadable, 1);
}

}  // namespace
}  // namespace nw

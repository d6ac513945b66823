// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/photo_survey.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/cache/open.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/data/sources/repairs.hpp"
#include "tests/engine/runs/folder.hpp"
#include "tests/support/data_files.hpp"

namespace nw {
namespace {

struct Photos : testing::Test {
  void put(const std::string& name, int height = 6, int width = 9) {
    const fs::path file = folder.path / name;
    fs::create_directories(file.parent_path());
    ASSERT_TRUE(save_file(file, test::bmp_bytes(height, width, 10, 20, 30)));
  }
  std::vector<std::string> labels(const DataChoice& c) {
    std::vector<std::string> all;
    for (const DataRepair& r : data_repairs(c)) all.push_back(r.label.str());
    return all;
  }
  DataChoice choice(SourceKind kind, const fs::path& path) {
    DataChoice c;
    c.kind = kind;
    c.path = path.string();
    return c;
  }
  Folder folder;
};

TEST_F(Photos, AreCountedByTheRulesOfTheImageFolder) {
  put("cat/1.bmp");
  put("cat/deeper/2.bmp");
  put("dog/3.bmp");
  put(".hidden/4.bmp");
  put("cat/.5.bmp");
  ASSERT_TRUE(save_file(folder.path / "cat/notes.txt", "no image"));
  const auto set = survey_photos(folder.path);
  ASSERT_TRUE(set) << set.error().str();
  EXPECT_EQ(set->images, 3);
  EXPECT_EQ(set->classes, 2);
  if (!image_decoder()) GTEST_SKIP() << "the image module is not built";
  EXPECT_EQ(set->height, 6);
  EXPECT_EQ(set->width, 9);
}

TEST_F(Photos, OfATrainingFolderAreCountedWithoutTheTestFolder) {
  put("train/cat/1.bmp");
  put("train/dog/2.bmp");
  put("test/cat/3.bmp");
  const auto set = survey_photos(folder.path);
  ASSERT_TRUE(set) << set.error().str();
  EXPECT_EQ(set->images, 2);
  EXPECT_EQ(set->classes, 2);
}

TEST_F(Photos, WithoutClassesAreRefusedWithTheReason) {
  EXPECT_THAT(survey_photos(folder.path).error().str(), testing::HasSubstr("has no class folders"));
  EXPECT_THAT(survey_photos(folder.path / "nowhere").error().str(), testing::HasSubstr("cannot be read"));
  fs::create_directories(folder.path / "empty");
  EXPECT_THAT(survey_photos(folder.path).error().str(), testing::HasSubstr("no image in its 1 folders"));
}

TEST_F(Photos, AreFoundInAFolderOrAboveIt) {
  put("photos/cat/1.bmp");
  put("photos/dog/2.bmp");
  const fs::path photos = folder.path / "photos";
  EXPECT_EQ(folder_of_classes(photos), photos);
  EXPECT_EQ(folder_of_classes(folder.path), photos);
  EXPECT_EQ(folder_of_classes(photos / "cat"), photos);
  EXPECT_EQ(folder_of_classes(folder.path / "nowhere" / "at" / "all"), std::nullopt);
}

TEST_F(Photos, ForATrialComeFromEveryClass) {
  for (int i = 0; i < 9; ++i) put("train/cat/" + std::to_string(i) + ".bmp");
  put("train/dog/1.bmp");
  put("test/dog/2.bmp");
  const auto some = some_photos(folder.path, 4);
  EXPECT_EQ(some.size(), 4u);
  EXPECT_THAT(some, testing::Contains(folder.path / "train/dog/1.bmp"));
  EXPECT_EQ(some_photos(folder.path, 100).size(), 10u);
  EXPECT_TRUE(some_photos(folder.path / "nowhere", 4).empty());
}

TEST_F(Photos, OfUnequalSizesAreOfferedEachSizeOnce) {
  const DataChoice photos = choice(SourceKind::image_folder, folder.path);
  const auto sizes = size_choices(photos, {{32, 32}, {6, 9}, {32, 32}, {0, 9}});
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_EQ(sizes[0].label.str(), "Resize images to 32×32");
  EXPECT_EQ(sizes[1].label.str(), "Resize images to 6×9");
  EXPECT_EQ(sizes[1].data.height, 6);
  EXPECT_EQ(sizes[1].data.width, 9);
  EXPECT_EQ(sizes[1].data.path, photos.path);
  EXPECT_TRUE(size_choices(choice(SourceKind::mnist, folder.path), {{32, 32}}).empty()) << "digits have their size";
}

TEST_F(Photos, ChosenAsAnotherKindAreReadAsWhatTheyAre) {
  put("cat/1.bmp");
  put("dog/2.bmp");
  const auto repairs = data_repairs(choice(SourceKind::cifar, folder.path));
  ASSERT_GE(repairs.size(), 2u);
  EXPECT_EQ(repairs.front().label.str(), "Read as \"Image folder or archive\"");
  EXPECT_EQ(repairs.front().data.kind, SourceKind::image_folder);
  EXPECT_EQ(repairs.front().data.path, folder.path.string());
  EXPECT_TRUE(open_data(repairs.front().data, {}, false) || !image_decoder());
}

TEST_F(Photos, OfOneClassAreReadFromTheFolderAbove) {
  put("photos/cat/1.bmp");
  put("photos/dog/2.bmp");
  EXPECT_THAT(labels(choice(SourceKind::image_folder, folder.path / "photos/cat")),
              testing::Contains("Use " + (folder.path / "photos").string()));
}

TEST_F(Photos, EveryRefusalHasARepairThatCanBeOpened) {
  DataChoice table = choice(SourceKind::csv, folder.path / "missing.csv");
  table.target_column = "price";
  table.test_path = (folder.path / "nowhere.csv").string();
  table.split_file = "splits.csv";
  for (const DataChoice& c : {table, choice(SourceKind::mnist, folder.path), choice(SourceKind::image_folder, ""),
                              choice(SourceKind::coco, "/dev/null"), choice(SourceKind("unknown"), "")}) {
    const auto repairs = data_repairs(c);
    ASSERT_FALSE(repairs.empty()) << c.kind.name();
    EXPECT_LE(repairs.size(), 3u) << c.kind.name();
    EXPECT_TRUE(open_data(repairs.back().data, {}, false)) << c.kind.name();
    for (const DataRepair& r : repairs) EXPECT_NE(r.data, c) << r.label.str();
  }
  EXPECT_THAT(labels(table), testing::Contains("Hold test images out of the training images"));
  EXPECT_THAT(labels(choice(SourceKind::mnist, folder.path)), testing::Contains("Search MNIST in the usual folders"));
}

}  // namespace
}  // namespace nw

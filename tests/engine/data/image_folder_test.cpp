// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/resize.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/split/split.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/noise_image.hpp"
#include "tests/support/run_writer.hpp"

namespace nw {
namespace {
using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

struct ImageFolder : testing::Test {
  TemporaryFolder folder;
  fs::path top = folder.path() / "pictures";
  void SetUp() override {
    if (const auto decoder = image_decoder(); !decoder) GTEST_SKIP() << decoder.error().str();
  }
  void put(const std::string& name, int size = 4, std::uint8_t red = 200, std::uint8_t green = 100,
           std::uint8_t blue = 50) {
    write_bytes(top / name, bmp_bytes(size, size, red, green, blue));
  }
  Result<OpenedData> open(DataChoice choice = {}) {
    choice.kind = SourceKind::image_folder;
    choice.path = top.string();
    return open_data(choice, {}, false);
  }
  static std::string all(const std::vector<Text>& warnings) {
    std::string out;
    for (const Text& t : warnings) out += t.str() + "\n";
    return out;
  }
};

TEST_F(ImageFolder, NumbersItsClassesInTheOrderOfTheirNames) {
  put("zebra/1.bmp");
  put("Ape/2.bmp");
  put("dog/10.bmp");
  put("dog/9.BMP");
  put("dog/.hidden.bmp");
  write_bytes(top / "dog" / "notes.txt", "no image");
  const auto data = open();
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("Ape", "dog", "zebra"));
  ASSERT_EQ(data->train->size(), 4);
  EXPECT_EQ(data->train->origin(1), "dog/10.bmp");
  EXPECT_EQ(data->train->origin(2), "dog/9.BMP");
  EXPECT_EQ(data->train->label(3), 2);
  std::vector<std::uint8_t> pixels(48);
  ASSERT_TRUE(data->train->pixels(0, pixels));
  EXPECT_THAT(std::vector(pixels.begin(), pixels.begin() + 3), ElementsAre(200, 100, 50));
  EXPECT_EQ(data->test, nullptr);
  EXPECT_EQ(all(data->warnings), "");
}
TEST_F(ImageFolder, MayHoldSeparateTrainingAndTestImages) {
  put("train/a/1.bmp");
  put("train/b/deeper/2.bmp");
  put("test/b/3.bmp");
  put("test/c/4.bmp");
  const auto data = open();
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("a", "b"));
  EXPECT_EQ(data->train->origin(1), "b/deeper/2.bmp");
  ASSERT_EQ(data->test->size(), 1);
  EXPECT_EQ(data->test->label(0), 1);
  EXPECT_THAT(all(data->warnings), HasSubstr("test/c is no class of the training images"));
  EXPECT_THAT(all(data->warnings), HasSubstr("Class a has no images in"));
}
TEST_F(ImageFolder, WithTestAndValidationImagesKeepsBothSplits) {
  put("train/a/1.bmp");
  put("train/b/2.bmp");
  put("train/b/3.bmp");
  write_bytes(top / "train" / "a" / "bad.bmp", "no image");
  put("val/b/1.bmp", 4, 10);
  put("val/a/2.bmp", 4, 20);
  put("test/a/1.bmp", 4, 30);
  const auto data = open();
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->validation_from, 3) << "what cannot be read is left out";
  const auto splits = split_data(*data, {.validation_fraction = 0.5});
  ASSERT_TRUE(splits);
  EXPECT_THAT(splits->train, ElementsAre(0, 1, 2));
  EXPECT_THAT(splits->validation, ElementsAre(3, 4));
  EXPECT_THAT(splits->test, ElementsAre(0));
  EXPECT_EQ(data->train->origin(3), "val/a/2.bmp");
  EXPECT_EQ(data->train->in_memory(3)[0], 20);
  EXPECT_EQ(data->train->label(4), 1);
  const auto without = split_data(*data, {.excluded = {"train: val/b/1.bmp"}});
  EXPECT_THAT(without->validation, ElementsAre(3));
}
TEST_F(ImageFolder, WithValidationImagesOnlyUsesThemAsTestImages) {
  put("train/a/1.bmp");
  put("train/b/2.bmp");
  put("val/b/1.bmp");
  const auto data = open();
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->validation_from, -1);
  EXPECT_EQ(data->test->size(), 1);
}
TEST_F(ImageFolder, ResizesImagesToOneSizeAndReportsIt) {
  put("a/1.bmp", 4);
  put("a/2.bmp", 9);
  const auto found = open();
  ASSERT_TRUE(found) << found.error().str();
  EXPECT_EQ(found->train->height(), 4);
  EXPECT_THAT(all(found->warnings), HasSubstr("1 images have another size than the first; they are resized to 4×4"));
  const auto chosen = open({.channels = 1, .height = 6, .width = 7});
  ASSERT_TRUE(chosen) << chosen.error().str();
  EXPECT_EQ(chosen->train->height(), 6);
  EXPECT_EQ(chosen->train->width(), 7);
  EXPECT_EQ(chosen->train->channels(), 1);
  EXPECT_EQ(all(chosen->warnings), "");
}
TEST_F(ImageFolder, ResizesAsTorchvisionUnlessAnotherWayIsChosen) {
  const Image noise = noise_image(24, 20, 3, 5);
  write_bytes(top / "a" / "noise.ppm", "P6\n20 24\n255\n" + std::string(noise.hwc.begin(), noise.hwc.end()));
  const auto opened = [&](const char* resize) {
    DataChoice choice{.channels = 3, .height = 16, .width = 13};
    if (resize) choice.resize = resize;
    std::vector<std::uint8_t> pixels(16 * 13 * 3);
    const auto data = open(choice);
    EXPECT_TRUE(data && data->train->pixels(0, pixels));
    return pixels;
  };
  // Each twice: what is kept of one way is not the answer to another.
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(opened(nullptr), resized(noise, 16, 13, Resampling::antialiased).hwc);
    EXPECT_EQ(opened("nearest"), resized(noise, 16, 13, Resampling::nearest).hwc);
    EXPECT_NE(opened("area"), opened("bilinear"));
  }
}
TEST_F(ImageFolder, SkipsDamagedImagesAndNamesEachByItsPath) {
  for (int i = 0; i < 30; ++i) put("a/good" + std::to_string(i) + ".bmp");
  for (int i = 0; i < 1010; ++i) write_bytes(top / "a" / ("bad" + std::to_string(i) + ".png"), "this is a text");
  const auto data = open();
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->train->size(), 30);
  EXPECT_EQ(data->unreadable, 1010);
  for (std::int64_t i = 0; i < 30; ++i) EXPECT_THAT(data->train->origin(i), HasSubstr("good"));
  EXPECT_THAT(all(data->warnings), HasSubstr((top / "a" / "bad0.png").string()));
  EXPECT_THAT(all(data->warnings), HasSubstr("10 more images could not be read"));
}
TEST_F(ImageFolder, ThatIsEmptyIsRejected) {
  fs::create_directories(top);
  EXPECT_THAT(open().error().str(), HasSubstr("has no class folders"));
  EXPECT_EQ(open().error().code, Errc::bad_input);
}
TEST_F(ImageFolder, WithAnEmptyClassSaysWhich) {
  put("a/1.bmp");
  fs::create_directories(top / "empty");
  const auto data = open();
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("a", "empty"));
  EXPECT_THAT(all(data->warnings), HasSubstr("Class empty has no images"));
}
TEST_F(ImageFolder, WithOnlyEmptyOrDamagedClassesIsRejected) {
  fs::create_directories(top / "empty");
  EXPECT_THAT(open().error().str(), HasSubstr("no image could be read"));
  write_bytes(top / "a" / "1.png", "");
  EXPECT_THAT(open().error().str(), HasSubstr("no image could be read"));
}
TEST_F(ImageFolder, ThatIsMissingOrAFileIsRejected) {
  EXPECT_THAT(open().error().str(), HasSubstr("is not there"));
  write_bytes(top, "a file");
  EXPECT_THAT(open().error().str(), HasSubstr("no .zip, .tar or .tar.gz archive"));
}
TEST_F(ImageFolder, WithALinkToItselfIsReadOnce) {
  put("a/1.bmp");
  fs::create_directory_symlink(top / "a", top / "a" / "again");
  const auto data = open();
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->train->size(), 1);
}

}  // namespace
}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/cache/open.hpp"
#include "engine/data/sources/sources.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/run_writer.hpp"

namespace nw {
namespace {
using namespace test;
using testing::HasSubstr;

struct IdxFiles : testing::Test {
  TemporaryFolder folder;
  fs::path images = folder.path() / "some-images", labels = folder.path() / "some-labels";
  std::string error(const std::string& image_bytes, const std::string& label_bytes) {
    write_bytes(images, image_bytes);
    write_bytes(labels, label_bytes);
    const auto set = read_idx(images, labels);
    if (set) return "";
    EXPECT_EQ(set.error().code, Errc::bad_input);
    return set.error().str();
  }
};

void write_mnist(const fs::path& folder, const char* kind3 = "-images-idx3-ubyte",
                 const char* kind1 = "-labels-idx1-ubyte", const char* ending = "") {
  const auto pack = [&](const std::string& bytes) { return *ending ? gzip_bytes(bytes) : bytes; };
  write_bytes(folder / ("train" + std::string(kind3) + ending), pack(idx_images(30, 4, 5)));
  write_bytes(folder / ("train" + std::string(kind1) + ending), pack(idx_labels(30, 10)));
  write_bytes(folder / ("t10k" + std::string(kind3) + ending), pack(idx_images(20, 4, 5)));
  write_bytes(folder / ("t10k" + std::string(kind1) + ending), pack(idx_labels(20, 10)));
}

TEST_F(IdxFiles, AreReadPixelByPixel) {
  ASSERT_EQ(error(idx_images(3, 4, 5), idx_labels(3, 2)), "");
  const auto set = *read_idx(images, labels);
  EXPECT_EQ(set->size(), 3);
  EXPECT_EQ(set->height(), 4);
  EXPECT_EQ(set->width(), 5);
  EXPECT_EQ(set->channels(), 1);
  std::vector<std::uint8_t> pixels(20);
  ASSERT_TRUE(set->pixels(2, pixels));
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(pixels[i], (14 + i) % 256);
  EXPECT_EQ(set->label(1), 1);
  EXPECT_EQ(set->label(2), 0);
  EXPECT_EQ(set->origin(2), "some-images, image 2");
}
TEST_F(IdxFiles, AreReadFromGzipInSeveralMembersToo) {
  const std::string bytes = idx_images(3, 4, 5);
  EXPECT_EQ(error(gzip_bytes(bytes.substr(0, 20)) + gzip_bytes(bytes.substr(20)), gzip_bytes(idx_labels(3, 2))), "");
}
TEST_F(IdxFiles, ThatAreMissingAreNamed) {
  const auto set = read_idx(folder.path() / "nowhere", labels);
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, Errc::bad_input);
  EXPECT_THAT(set.error().str(), HasSubstr("nowhere"));
}
TEST_F(IdxFiles, CutShortAreRejectedAtEveryLength) {
  const std::string whole = idx_images(2, 3, 3);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(error(whole.substr(0, length), idx_labels(2, 2)), HasSubstr("some-images")) << length;
  EXPECT_THAT(error(whole, idx_labels(2, 2).substr(0, 9)), HasSubstr("some-labels"));
}
TEST_F(IdxFiles, CutShortInsideTheirCompressionAreRejectedAtEveryLength) {
  const std::string whole = gzip_bytes(idx_images(2, 3, 3));
  for (std::size_t length = 3; length < whole.size(); ++length)
    EXPECT_THAT(error(whole.substr(0, length), idx_labels(2, 2)), HasSubstr("some-images")) << length;
}
TEST_F(IdxFiles, WithTrailingBytesAreRejected) {
  EXPECT_THAT(error(idx_images(2, 3, 3) + "x", idx_labels(2, 2)), HasSubstr("18 bytes of data, but 19 follow"));
  EXPECT_THAT(error(gzip_bytes(idx_images(2, 3, 3) + "x"), idx_labels(2, 2)), HasSubstr("more than the 34 bytes"));
}
TEST_F(IdxFiles, ThatClaimFourBillionImagesAreRejectedWithoutTakingMemory) {
  const test::MemoryLimit limit(64);
  EXPECT_THAT(error(idx_bytes({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "abc"), idx_labels(2, 2)),
              HasSubstr("impossible size"));
  EXPECT_THAT(error(idx_bytes({8'000'000, 28, 28}, "abc"), idx_labels(2, 2)), HasSubstr("but 3 follow"));
  EXPECT_THAT(error(gzip_bytes(idx_bytes({8'000'000, 28, 28}, "abc")), idx_labels(2, 2)),
              HasSubstr("more than it can hold"));
}
TEST_F(IdxFiles, ThatDecompressToFarMoreThanTheirHeaderStatesAreStopped) {
  const std::string bomb = gzip_bytes(idx_images(2, 3, 3)) + gzip_bytes(std::string(1 << 20, '\0'), 512);
  const test::MemoryLimit limit(64);
  EXPECT_THAT(error(bomb, idx_labels(2, 2)), HasSubstr("unpacks to more than"));
}
TEST_F(IdxFiles, WithDifferentNumbersOfLabelsAndImagesAreRejected) {
  EXPECT_THAT(error(idx_images(2, 3, 3), idx_labels(3, 2)), HasSubstr("choose files of the same set"));
  EXPECT_THAT(error(idx_labels(2, 2), idx_images(2, 3, 3)), HasSubstr("swapped"));
}
TEST_F(IdxFiles, OfOtherContentAreRejected) {
  EXPECT_THAT(error("a text of some length", idx_labels(2, 2)), HasSubstr("not an IDX file"));
  EXPECT_THAT(error(idx_bytes({0, 28, 28}, ""), idx_bytes({0}, "")), HasSubstr("holds no images"));
}
TEST_F(IdxFiles, ThatAreFoldersAreRejected) {
  fs::create_directories(images);
  write_bytes(labels, idx_labels(2, 2));
  const auto set = read_idx(images, labels);
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().str(), HasSubstr("is not a file"));
}

TEST_F(IdxFiles, OfMnistAreFoundInEverySpelling) {
  for (const char* ending : {"", ".gz"})
    for (const bool dots : {false, true}) {
      const fs::path place = folder.path() / (std::string("mnist") + ending + (dots ? "dots" : ""));
      write_mnist(place, dots ? "-images.idx3-ubyte" : "-images-idx3-ubyte",
                  dots ? "-labels.idx1-ubyte" : "-labels-idx1-ubyte", ending);
      const auto data = open_data({.kind = SourceKind::mnist, .path = place.string()}, {}, false);
      ASSERT_TRUE(data) << data.error().str();
      EXPECT_EQ(data->train->size(), 30);
      EXPECT_EQ(data->test->size(), 20);
      EXPECT_THAT(data->classes, testing::ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"));
      EXPECT_EQ(data->description, "MNIST");
      EXPECT_EQ(data->place, place.string());
    }
}
TEST_F(IdxFiles, OfMnistThatAreNotCompleteNameTheMissingOne) {
  const fs::path place = folder.path() / "mnist";
  write_mnist(place);
  fs::remove(place / "t10k-labels-idx1-ubyte");
  const auto data = open_data({.kind = SourceKind::mnist, .path = place.string()}, {}, true);
  ASSERT_FALSE(data);
  EXPECT_THAT(data.error().str(), HasSubstr("t10k-labels-idx1-ubyte"));
}
TEST_F(IdxFiles, ChosenOneByOneMakeADataSet) {
  write_bytes(images, idx_images(6, 3, 3));
  write_bytes(labels, idx_labels(6, 3));
  DataChoice choice{.kind = SourceKind::idx, .path = images.string(), .labels_path = labels.string()};
  const auto data = open_data(choice, {}, false);
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->test, nullptr);
  EXPECT_EQ(data->classes.size(), 3u);
  choice.test_path = images.string();
  ASSERT_FALSE(open_data(choice, {}, false));
  choice.test_labels_path = labels.string();
  const auto both = open_data(choice, {}, false);
  ASSERT_TRUE(both) << both.error().str();
  EXPECT_EQ(both->test->size(), 6);
}

}  // namespace
}  // namespace nw

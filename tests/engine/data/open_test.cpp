// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/batches/batch.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/sources/sources.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/run_writer.hpp"

namespace nw {
namespace {
using namespace test;
using testing::HasSubstr;

/// Hides the data sets of this machine and the user's folders.
struct Places : testing::Test {
  TemporaryFolder folder;
  fs::path home = folder.path() / "home", shared = folder.path() / "shared";
  Environment xdg{"XDG_DATA_HOME", home.c_str()}, data{"NETWRIGHT_DATA", shared.c_str()};
  static void put_mnist(const fs::path& place, std::uint32_t images) {
    for (const char* part : {"train", "t10k"}) {
      write_bytes(place / (std::string(part) + "-images-idx3-ubyte"), idx_images(images, 3, 3));
      write_bytes(place / (std::string(part) + "-labels-idx1-ubyte"), idx_labels(images, 10));
    }
  }
};

TEST_F(Places, AreSearchedFromTheMostExplicitToTheUsersFolder) {
  const fs::path asked = folder.path() / "asked", chosen = folder.path() / "chosen";
  const DataChoice any{.kind = SourceKind::mnist}, with_path{.kind = SourceKind::mnist, .path = chosen.string()};
  put_mnist(home / "netwright" / "mnist", 4);
  EXPECT_EQ(open_data(any, {}, false)->train->size(), 4);
  put_mnist(shared / "mnist", 5);
  EXPECT_EQ(open_data(any, {}, false)->train->size(), 5);
  put_mnist(chosen, 6);
  EXPECT_EQ(open_data(with_path, {}, false)->train->size(), 6);
  put_mnist(asked / "mnist", 7);
  EXPECT_EQ(open_data(with_path, asked, false)->train->size(), 7);
  EXPECT_EQ(open_data(with_path, asked / "mnist", false)->train->size(), 7);
}
TEST_F(Places, AreNamedWhenASetIsMissing) {
  const auto opened = open_data({.kind = SourceKind::mnist}, {}, false);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().str(), HasSubstr((home / "netwright" / "mnist").string()));
  EXPECT_THAT(open_data({.kind = SourceKind::mnist}, folder.path() / "asked", true).error().str(), HasSubstr("asked"));
}
TEST_F(Places, FallBackToSyntheticDigitsOnlyIfAllowedAndNothingWasRequested) {
  DataChoice choice{.kind = SourceKind::mnist, .synthetic_train = 40, .synthetic_test = 20};
  bool fell_back = false;
  const auto opened = open_data(choice, {}, true, &fell_back);
  ASSERT_TRUE(opened) << opened.error().str();
  EXPECT_TRUE(fell_back);
  EXPECT_EQ(opened->train->size(), 40);
  EXPECT_FALSE(open_data(choice, {}, false, &fell_back));
  EXPECT_FALSE(fell_back);
  choice.path = "nowhere";
  EXPECT_FALSE(open_data(choice, {}, true));
}
TEST_F(Places, WithDamagedFilesAreAnErrorWithoutAFallback) {
  put_mnist(shared / "mnist", 5);
  write_bytes(shared / "mnist" / "train-images-idx3-ubyte", "short");
  bool fell_back = false;
  EXPECT_FALSE(open_data({.kind = SourceKind::mnist}, {}, true, &fell_back));
  EXPECT_FALSE(fell_back);
}
TEST_F(Places, ResolveRelativePaths) {
  write_bytes(shared / "tables" / "t.csv", "1,2\n3,4\n");
  EXPECT_EQ(open_data({.kind = SourceKind::csv, .path = "tables/t.csv"}, {}, false)->train->size(), 2);
  EXPECT_THAT(open_data({.kind = SourceKind::csv, .path = "tables/other.csv"}, {}, false).error().str(),
              HasSubstr("tables/other.csv"));
}
TEST_F(Places, ThatWereNotChosenAreRequested) {
  EXPECT_THAT(open_data({.kind = SourceKind::csv}, {}, false).error().str(), HasSubstr("No CSV file"));
  EXPECT_THAT(open_data({.kind = SourceKind::image_folder}, {}, false).error().str(), HasSubstr("No image folder"));
  EXPECT_THAT(open_data({.kind = SourceKind::idx}, {}, false).error().str(), HasSubstr("choose both"));
}

TEST_F(Places, AnswerWhetherADigitIsOdd) {
  put_mnist(shared / "mnist", 10);
  const auto opened = open_data({.kind = SourceKind::mnist, .target = "odd"}, {}, false);
  ASSERT_TRUE(opened) << opened.error().str();
  EXPECT_THAT(opened->classes, testing::ElementsAre("even", "odd"));
  for (std::int64_t i = 0; i < 10; ++i) EXPECT_EQ(opened->train->label(i), i % 2);
  EXPECT_EQ(opened->train->origin(3), "train-images-idx3-ubyte, image 3");
}

TEST(RealData, OfMnistHasSixtyThousandImagesInTenClasses) {
  const char* place = std::getenv("NETWRIGHT_DATA");
  if (!place || !fs::exists(fs::path(place) / "mnist")) GTEST_SKIP() << "NETWRIGHT_DATA holds no mnist";
  const auto opened = open_data({.kind = SourceKind::mnist}, place, false);
  ASSERT_TRUE(opened) << opened.error().str();
  EXPECT_EQ(opened->train->size(), 60000);
  EXPECT_EQ(opened->test->size(), 10000);
  EXPECT_EQ(opened->classes.size(), 10u);
  std::vector<std::int64_t> all(60000);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  const auto n = measure_normalization(*opened->train, all);
  EXPECT_NEAR(n->mean[0], 0.1307, 1e-4);  // the values in general use for MNIST
  EXPECT_NEAR(n->deviation[0], 0.3081, 1e-4);
}
TEST(RealData, OfCifarHasFiftyThousandImagesAndItsNames) {
  const char* place = std::getenv("NETWRIGHT_DATA");
  if (!place || !fs::exists(fs::path(place) / "cifar-10-batches-bin"))
    GTEST_SKIP() << "NETWRIGHT_DATA holds no cifar-10-batches-bin";
  const auto opened = open_data({.kind = SourceKind::cifar}, place, false);
  ASSERT_TRUE(opened) << opened.error().str();
  EXPECT_TRUE(opened->warnings.empty());
  EXPECT_EQ(opened->classes[3], "cat");
  std::vector<std::int64_t> all(static_cast<std::size_t>(opened->train->size()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  const auto n = measure_normalization(*opened->train, all);
  if (all.size() != 50000) GTEST_SKIP() << "a part of CIFAR-10: " << all.size() << " images";
  EXPECT_EQ(opened->test->size(), 10000);
  // The values in general use for CIFAR-10; copies that were stored in a lossy format come close.
  EXPECT_NEAR(n->mean[0], 0.4914, 3e-3);
  EXPECT_NEAR(n->mean[1], 0.4822, 3e-3);
  EXPECT_NEAR(n->mean[2], 0.4465, 3e-3);
  EXPECT_NEAR(n->deviation[0], 0.2470, 3e-3);
}

}  // namespace
}  // namespace nw

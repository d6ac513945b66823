// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/cache/open.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/run_writer.hpp"

namespace nw {
namespace {
using namespace test;
using testing::HasSubstr;

struct Cifar : testing::Test {
  TemporaryFolder folder;
  void write(const std::string& name, int count) {
    write_bytes(folder.path() / name, cifar_records(count, [](int n) { return n % 10; }));
  }
  Result<OpenedData> open() {
    return open_data({.kind = SourceKind::cifar, .path = folder.path().string()}, {}, false);
  }
};

TEST_F(Cifar, TurnsPlanesIntoPixels) {
  for (int i = 1; i <= 5; ++i) write("data_batch_" + std::to_string(i) + ".bin", 3);
  write("test_batch.bin", 2);
  const auto data = open();
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->train->size(), 15);
  EXPECT_EQ(data->test->size(), 2);
  EXPECT_EQ(data->classes[0], "airplane");
  EXPECT_EQ(data->classes[9], "truck");
  EXPECT_TRUE(data->warnings.empty());
  std::vector<std::uint8_t> pixels(3072);
  ASSERT_TRUE(data->train->pixels(4, pixels));  // second image of the second file
  for (std::size_t i = 0; i < 1024; ++i)
    for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(pixels[3 * i + c], (1 + 50 * c + i) % 256);
  EXPECT_EQ(data->train->label(4), 1);
  EXPECT_EQ(data->train->origin(4), "data_batch_2.bin, image 1");
}
TEST_F(Cifar, TakesClassNamesFromTheirFile) {
  write("data_batch_1.bin", 1);
  write_bytes(folder.path() / "batches.meta.txt", "a\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng\r\nh\r\ni\r\nj\r\n\r\n");
  EXPECT_THAT(open()->classes, testing::ElementsAre("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"));
}
TEST_F(Cifar, SaysWhichFilesAreMissing) {
  write("data_batch_2.bin", 1);
  const auto data = open();
  ASSERT_TRUE(data) << data.error().str();
  ASSERT_EQ(data->warnings.size(), 5u);
  EXPECT_THAT(data->warnings[0].str(), HasSubstr("data_batch_1.bin is missing"));
  EXPECT_THAT(data->warnings[4].str(), HasSubstr("test_batch.bin is missing"));
  EXPECT_EQ(data->test, nullptr);
}
TEST_F(Cifar, RejectsFilesCutShortOrTooLong) {
  const std::string whole = cifar_records(2, [](int) { return 0; });
  for (const std::string& bytes :
       {std::string(), whole.substr(0, 3072), whole.substr(0, whole.size() - 1), whole + "x"}) {
    write_bytes(folder.path() / "data_batch_1.bin", bytes);
    const auto data = open();
    ASSERT_FALSE(data) << bytes.size();
    EXPECT_EQ(data.error().code, Errc::bad_input);
    EXPECT_THAT(data.error().str(), HasSubstr("data_batch_1.bin: " + std::to_string(bytes.size()) + " bytes"));
  }
}
TEST_F(Cifar, RejectsAClassThatDoesNotExist) {
  write_bytes(folder.path() / "data_batch_1.bin", cifar_records(3, [](int n) { return n == 2 ? 10 : 0; }));
  EXPECT_THAT(open().error().str(), HasSubstr("image 2 has class 10"));
}
TEST_F(Cifar, NamesAFolderWithoutBatches) {
  EXPECT_THAT(open().error().str(), HasSubstr("data_batch_1.bin to data_batch_5.bin are missing"));
}

}  // namespace
}  // namespace nw

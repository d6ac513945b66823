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
using testing::ElementsAre;
using testing::HasSubstr;

struct Csv : testing::Test {
  TemporaryFolder folder;
  fs::path file = folder.path() / "table.csv";
  Result<OpenedData> open(const std::string& text, DataChoice choice = {}) {
    write_bytes(file, text);
    choice.kind = SourceKind::csv;
    choice.path = file.string();
    return open_data(choice, {}, false);
  }
  std::vector<std::uint8_t> pixels(const OpenedData& data, std::int64_t i) {
    std::vector<std::uint8_t> out(static_cast<std::size_t>(data.train->bytes()));
    EXPECT_TRUE(data.train->pixels(i, out));
    return out;
  }
  std::string error(const std::string& text, DataChoice choice = {}) {
    const auto data = open(text, std::move(choice));
    if (data) return "";
    EXPECT_EQ(data.error().code, Errc::bad_input);
    return data.error().str();
  }
};

TEST_F(Csv, HoldsALabelAndPixelsInEachLine) {
  const auto data = open("label,p0,p1,p2,p3\n5,0,255,7,8\n2,1,2,3,4\n5,9,9,9,9\n");
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->train->size(), 3);
  EXPECT_EQ(data->train->height(), 2);
  EXPECT_EQ(data->train->width(), 2);
  EXPECT_THAT(data->classes, ElementsAre("2", "5"));
  EXPECT_EQ(data->train->label(0), 1);
  EXPECT_EQ(data->train->label(1), 0);
  EXPECT_THAT(pixels(*data, 0), ElementsAre(0, 255, 7, 8));
}
TEST_F(Csv, NeedsNoHeader) { EXPECT_EQ(open("1,0,0,0,0\n0,1,1,1,1\n")->train->size(), 2); }
TEST_F(Csv, KeepsAFirstLineThatIsOnlyPartlyNumbersAsDamagedData) {
  EXPECT_THAT(error("1,0,0,0,x\n0,1,1,1,1\n"), HasSubstr("line 1: cell 5 is \"x\""));
}
TEST_F(Csv, FindsTheLabelByItsName) {
  EXPECT_THAT(pixels(*open("a,b,Label\n1,2,cat\n3,4,dog\n"), 1), ElementsAre(3, 4));
  EXPECT_THAT(open("a,kind,b\n1,cat,3\n3,dog,5\n", {.target_column = "kind"})->classes, ElementsAre("cat", "dog"));
  EXPECT_THAT(error("a,kind,b\n1,cat,3\n", {.target_column = "sort"}), HasSubstr("names no column \"sort\""));
}
TEST_F(Csv, SortsNumbersAsNumbersAndBeforeNames) {
  EXPECT_THAT(open("label,p\n10,0\n9,0\nzebra,0\n-1,0\nape,0\n")->classes,
              ElementsAre("-1", "9", "10", "ape", "zebra"));
}
TEST_F(Csv, SkipsByteOrderMarkCarriageReturnsAndEmptyLines) {
  const auto data = open("\xEF\xBB\xBFlabel,p0\r\n\r\n1,2\r\n3,4");
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("1", "3"));
  EXPECT_THAT(pixels(*data, 1), ElementsAre(4));
}
TEST_F(Csv, ReadsQuotedCells) {
  const auto data = open("label,\"p,0\",p1\n\"say \"\"hi\"\"\",\"1\",2\n");
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("say \"hi\""));
  EXPECT_THAT(pixels(*data, 0), ElementsAre(1, 2));
}
TEST_F(Csv, ReadsSemicolonsTabsAndDecimalCommas) {
  EXPECT_THAT(pixels(*open("1;2,0;3,6\n2;4;5\n"), 0), ElementsAre(2, 4));
  EXPECT_THAT(pixels(*open("1\t2\t3\n"), 0), ElementsAre(2, 3));
}
TEST_F(Csv, NamesFileAndLineOfAnError) {
  EXPECT_THAT(error("1,2,3\n1,2\n"), HasSubstr("table.csv, line 2: has 2 cells, the first line has 3"));
  EXPECT_THAT(error("1,2,3\n1,2,x\n"), HasSubstr("line 2: cell 3 is \"x\""));
  EXPECT_THAT(error("1,2,3\n\n1,2,256\n"), HasSubstr("line 3: cell 3 is \"256\""));
  EXPECT_THAT(error("1,2,3\n1,-1,3\n"), HasSubstr("line 2: cell 2"));
  EXPECT_THAT(error("1,2,3\n1,nan,3\n"), HasSubstr("line 2: cell 2"));
  EXPECT_THAT(error("1,2,3\n1,\"2,3\n"), HasSubstr("line 2: a quote is not closed"));
  EXPECT_THAT(error("1,2,3\n1,\"2\"2,3\n"), HasSubstr("line 2: there is text after the closing quote of cell 2"));
  EXPECT_THAT(error(std::string("1,2,3\n1,\0,3\n", 12)), HasSubstr("line 2: holds a zero byte"));
  EXPECT_THAT(error("1\n2\n"), HasSubstr("line 1: has one column"));
}
TEST_F(Csv, RejectsALineOfMoreThanSixteenMebibytes) {
  EXPECT_THAT(error("1,2\n1," + std::string((16 << 20) + 1, ' ') + "2\n"), HasSubstr("line 2: longer than 16 MiB"));
}
TEST_F(Csv, RejectsATableWithoutRows) {
  EXPECT_THAT(error(""), HasSubstr("has no rows"));
  EXPECT_THAT(error("label,p0\n"), HasSubstr("has no rows"));
}
TEST_F(Csv, RejectsPixelsFromZeroToOne) {
  EXPECT_THAT(error("1,0.5,0.25\n2,0,1\n"), HasSubstr("multiply them by 255"));
}
TEST_F(Csv, RejectsAnExpectedShapeThatDoesNotFit) {
  EXPECT_THAT(error("1,2,3,4\n", {.channels = 1, .height = 2, .width = 2}),
              HasSubstr("rows have 3 pixels, 2×2×1 needs 4"));
}
TEST_F(Csv, TakesTheShapeAsChosenSquareOrInColour) {
  std::string row = "1";
  for (int i = 0; i < 12; ++i) row += "," + std::to_string(i);
  EXPECT_EQ(open(row)->train->channels(), 3);
  EXPECT_EQ(open(row)->train->height(), 2);
  EXPECT_EQ(open(row, {.channels = 1, .height = 3, .width = 4})->train->width(), 4);
  EXPECT_EQ(open("1,2,3\n")->train->width(), 2);
}
TEST_F(Csv, ReadsATestTableWithTheClassesOfBoth) {
  const fs::path test = folder.path() / "test.csv";
  write_bytes(test, "label,p\n3,1\n1,1\n");
  const auto data = open("label,p\n1,5\n2,5\n", {.test_path = test.string()});
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("1", "2", "3"));
  EXPECT_EQ(data->test->label(0), 2);
  write_bytes(test, "label,p,q\n3,1,1\n");
  EXPECT_THAT(error("label,p\n1,5\n2,5\n", {.test_path = test.string()}), HasSubstr("has 3 columns"));
}
TEST_F(Csv, IsReadFromGzip) { EXPECT_EQ(open(gzip_bytes("1,2\n3,4\n"))->train->size(), 2); }

}  // namespace
}  // namespace nw

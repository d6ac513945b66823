// SPDX-License-Identifier: Apache-2.0
// The columns of a table before it is read.
#include "engine/data/sources/table_head.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace nw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TableHead, NamesTheColumnsAndFindsThoseOfPathsAndLabels) {
  const auto head = parse_table_head(
      "\xEF\xBB\xBF"
      "age;file;Label\r\n0,5;\"a;b.png\";cat\r\n",
      "t.csv");
  ASSERT_TRUE(head) << head.error().str();
  EXPECT_THAT(head->columns, ElementsAre("age", "file", "Label"));
  EXPECT_THAT(head->first, ElementsAre("0,5", "a;b.png", "cat"));
  EXPECT_EQ(head->path, 1);
  EXPECT_EQ(head->label, 2);
  const auto pixels = parse_table_head("a,b,c\n1,2,3\n", "t.csv");
  ASSERT_TRUE(pixels);
  EXPECT_EQ(pixels->path, -1);
  EXPECT_EQ(pixels->label, -1);
}

TEST(TableHead, RefusesWhatIsNoTable) {
  for (const std::string& text :
       {std::string(), std::string("a,b\n"), std::string("one\n1\n"), std::string("a,b\n1\n"),
        std::string("a,\"b\n1,2\n"), std::string("a,b\0\n1,2\n", 8), std::string(300'000, 'x')}) {
    const auto head = parse_table_head(text, "t.csv");
    ASSERT_FALSE(head) << text.substr(0, 20);
    EXPECT_THAT(head.error().str(), HasSubstr("t.csv"));
  }
}

TEST(TableHead, ReadsTheBeginningOfALargeFileOnly) {
  const fs::path path = fs::path(testing::TempDir()) / "netwright_table_head.csv";
  std::ofstream file(path);
  file << "file,height\n";
  for (int i = 0; i < 100'000; ++i) file << i << ".png,0.5\n";
  file.close();
  const auto head = table_head(path);
  ASSERT_TRUE(head) << head.error().str();
  EXPECT_EQ(head->columns.size(), 2U);
  EXPECT_FALSE(table_head(path.parent_path())) << "a folder";
  fs::remove(path);
  EXPECT_FALSE(table_head(path));
}

}  // namespace
}  // namespace nw

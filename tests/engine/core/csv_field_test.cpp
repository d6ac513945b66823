// SPDX-License-Identifier: Apache-2.0
// Fields of CSV files: what a spreadsheet would compute is text.
#include "engine/core/csv_field.hpp"

#include <gtest/gtest.h>

namespace nw {
namespace {

TEST(CsvField, IsNoFormulaWhateverSignItBeginsWith) {
  for (const char* formula : {"=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"}) {
    const std::string text = std::string("'") + formula;
    EXPECT_EQ(without_formula(formula), text);
    EXPECT_EQ(csv_quoted(formula), '"' + text + '"');
    EXPECT_NE(csv_field(formula).find(text), std::string::npos) << formula;
  }
  for (const char* kept : {"", "cat", "a=b", "1-1", "'quoted"}) EXPECT_EQ(csv_field(kept), kept);
}

TEST(CsvField, IsQuotedWhereItHoldsASeparatorAQuoteOrALineBreak) {
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field("=cmd|'a',b"), "\"'=cmd|'a',b\"");
}

}  // namespace
}  // namespace nw

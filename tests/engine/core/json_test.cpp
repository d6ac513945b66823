// SPDX-License-Identifier: Apache-2.0
#include "engine/core/json.hpp"
#include "tests/support/memory_limit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace nw {
namespace {
using testing::HasSubstr;

std::string refusal(std::string_view text, const JsonLimits& limits = {}) {
  const auto json = parse_json(text, "f.netwright", limits);
  return json ? "" : json.error().str();
}

TEST(ParseJson, ParsesCanonicalOutput) {
  const std::string text =
      "{\n  \"a\": [\n    1,\n    -2,\n    0.1,\n    18446744073709551615\n  ],\n  \"b\": {\n    \"c\": null,\n    "
      "\"d\": true\n  }\n}\n";
  const auto json = parse_json(text, "f");
  ASSERT_TRUE(json) << json.error().str();
  EXPECT_EQ(canonical(*json), text);
}

TEST(ParseJson, RejectsADuplicateKeyWithItsLineAndColumn) {
  EXPECT_EQ(refusal("{\"a\": 1,\n \"a\": 2}"), "f.netwright:2:4: the key \"a\" occurs twice");
}

TEST(ParseJson, AllowsTheSameKeyInDifferentObjects) { EXPECT_EQ(refusal(R"([{"a":1},{"a":{"a":1}}])"), ""); }

TEST(ParseJson, RejectsNestingBeyondTheLimit) {
  const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_EQ(refusal(nested(64)), "");
  EXPECT_THAT(refusal(nested(65)), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(refusal(nested(5'000'000)), HasSubstr("nested deeper than 64 levels"));
}

TEST(ParseJson, RejectsOversizedInputBeforeParsing) {
  EXPECT_THAT(refusal("[1,2,3]", {.bytes = 6}), HasSubstr("7 bytes; at most 6"));
  EXPECT_THAT(refusal("[\"" + std::string(101, 'x') + "\"]", {.string_bytes = 100}),
              HasSubstr("longer than 100 bytes"));
  EXPECT_THAT(refusal("{\"" + std::string(101, 'x') + "\":1}", {.string_bytes = 100}),
              HasSubstr("longer than 100 bytes"));
}

TEST(ParseJson, EmptyContainersAreLimitedByTheMemoryTheyTake) {
  const auto repeated = [](const std::string& value, std::size_t times) {
    std::string text = "[";
    for (std::size_t i = 0; i < times; ++i) text += value + ",";
    return text + "0]";
  };
  const JsonLimits one_mebibyte{.memory_bytes = std::size_t{1} << 20};
  for (const std::string value : {"{}", "[]", "0", "\"\"", "{\"a\":1}", "[[[]]]"}) {
    EXPECT_THAT(refusal(repeated(value, 100'000), one_mebibyte), HasSubstr("more than 1 MiB of memory")) << value;
    EXPECT_EQ(refusal(repeated(value, 1'000), one_mebibyte), "") << value;
#if !defined(NW_SANITIZED)  // the sanitizers take memory of their own, and minutes
    const test::MemoryLimit limit(700);
    EXPECT_NE(refusal(repeated(value, 20'000'000 / value.size())), "") << value;
#endif
  }
}

TEST(ParseJson, SkippedKeysAreNotKeptButChecked) {
  static constexpr std::string_view skipped[] = {"outline"};
  const JsonLimits limits{.depth = 8, .memory_bytes = 4096, .skipped_keys = skipped};
  std::string points = "[0";
  for (int i = 0; i < 10'000; ++i) points += ",1";
  const auto json =
      parse_json(R"([{"outline":)" + points + R"(],"id":7,"more":{"outline":{"id":[{}]},"x":1}}])", "f", limits);
  ASSERT_TRUE(json) << json.error().str();
  EXPECT_EQ(json->dump(), R"([{"id":7,"more":{"x":1}}])");
  EXPECT_THAT(refusal(R"({"outline":[[[[[[[[[]]]]]]]]]})", limits), HasSubstr("nested deeper than 8 levels"));
  EXPECT_NE(refusal(R"({"outline":[1,})", limits), "");
}

TEST(ParseJson, RejectsMalformedJson) {
  for (const char* bad : {"", " ", "{", "[1,]", "{\"a\"}", "[1] 2", "nul", "{\"a\":NaN}", "[1e999]", "\"\xff\"",
                          "{\"a\":1,}", "'a'", "[01]"})
    EXPECT_NE(refusal(bad), "") << bad;
}

TEST(ParseJson, NamesTheLineOfAnError) { EXPECT_THAT(refusal("{\n\n  \"a\": ?\n}"), HasSubstr("f.netwright:3:8:")); }

TEST(Canonical, WritesDoublesThatReadBackEqual) {
  for (const double v : {0.1, 1e-3, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 1e21}) {
    const auto back = parse_json(canonical(Json(v)), "f");
    ASSERT_TRUE(back);
    EXPECT_EQ(std::signbit(back->get<double>()), std::signbit(v));
    EXPECT_EQ(back->get<double>(), v);
  }
}

TEST(Canonical, AcceptsBytesThatAreNotValidUtf8) { EXPECT_THAT(canonical(Json("a\xff")), HasSubstr("a")); }

struct Reading : testing::Test {
  Json json =
      Json::parse(R"({"i": 5, "n": -1, "big": 18446744073709551615, "r": 1.9, "s": "x", "b": true, "o": {}, "l": []})");
  JsonReader r{json, "network.nodes[3]"};
  std::string problem() {
    const Status s = r.status();
    return s ? "" : s.error().str();
  }
};

TEST_F(Reading, ReadsValuesOfEveryTypeWithinRange) {
  EXPECT_EQ(r.integer("i", 0, 10), 5);
  EXPECT_EQ(r.integer_or("none", 7, 0, 10), 7);
  EXPECT_EQ(r.real("r"), 1.9);
  EXPECT_EQ(r.real("i"), 5.0);
  EXPECT_EQ(r.real_or("none", 2.5), 2.5);
  EXPECT_EQ(r.string("s"), "x");
  EXPECT_TRUE(r.boolean_or("b", false));
  EXPECT_NE(r.child("o", Json::value_t::object), nullptr);
  EXPECT_NE(r.child("l", Json::value_t::array), nullptr);
  EXPECT_EQ(r.child("none", Json::value_t::array), nullptr);
  EXPECT_EQ(problem(), "");
}

TEST_F(Reading, RejectsAFractionWhereAWholeNumberBelongs) {
  r.integer("r", 0, 10);
  EXPECT_EQ(problem(), "network.nodes[3].r must be a whole number from 0 to 10");
}
TEST_F(Reading, RejectsANegativeNumberInsteadOfWrappingIt) {
  EXPECT_EQ(r.integer("n", 0, 10), 0);
  EXPECT_NE(problem(), "");
}
TEST_F(Reading, RejectsANumberBeyondSixtyThreeBits) {
  r.integer("big", 0, INT64_MAX);
  EXPECT_NE(problem(), "");
}
TEST_F(Reading, ReportsTheNameOfAMissingField) {
  r.string("name");
  EXPECT_EQ(problem(), "network.nodes[3].name is missing");
}
TEST_F(Reading, KeepsTheFirstProblemAndThenReturnsDefaults) {
  r.boolean_or("i", false);
  EXPECT_EQ(r.integer("i", 1, 10), 1);
  r.string("none");
  EXPECT_EQ(problem(), "network.nodes[3].i must be true or false");
}
TEST_F(Reading, RejectsTheWrongKindOfChild) {
  EXPECT_EQ(r.child("o", Json::value_t::array), nullptr);
  EXPECT_EQ(problem(), "network.nodes[3].o must be a list");
}
TEST(Reader, RejectsATopLevelValueThatIsNotAnObject) {
  const Json list = Json::array();
  EXPECT_FALSE(JsonReader(list, "x").status());
}

}  // namespace
}  // namespace nw

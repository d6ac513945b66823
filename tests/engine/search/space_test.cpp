// SPDX-License-Identifier: Apache-2.0
#include "engine/search/space.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace nw::search {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::string with(const std::string& parameter) { return R"({"parameters":[)" + parameter + "]}"; }
std::string refusal(const std::string& parameter) {
  const auto space = parse_space(with(parameter), "s");
  return space ? "" : space.error().str();
}
bool says(const std::string& sentence, const std::string& words) { return sentence.find(words) != std::string::npos; }

constexpr const char* conditional_text =
    R"({"name":"optimizer","type":"choice","values":["sgd","adam","lion"]},
       {"name":"optimizer.momentum","type":"real","low":0,"high":0.95,"when":{"optimizer":["lion","sgd"]}})";

TEST(SearchSpace, ReadsEveryKindAndWritesItBack) {
  const std::string text =
      with(std::string(R"({"name":"lr","type":"real","low":1e-4,"high":1,"log":true,"sets":["learning_rate"]},
                          {"name":"conv1.out_channels","type":"int","low":4,"high":33,"step":8},)") +
           conditional_text);
  const auto space = parse_space(text, "s");
  ASSERT_TRUE(space) << space.error().str();
  ASSERT_EQ(space->parameters.size(), 4U);
  EXPECT_EQ(space->parameters[0].sets, std::vector<std::string>{"learning_rate"});
  EXPECT_EQ(space->parameters[1].high, 28) << "the last step within the range";
  EXPECT_EQ(space->parameters[3].when, (std::vector<std::size_t>{0, 2}));
  const auto again = space_from_json(to_json(*space), "again");
  ASSERT_TRUE(again) << again.error().str();
  EXPECT_TRUE(*again == *space);
}

TEST(SearchSpace, SaysInOneSentenceWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"name":"a","type":"real","low":2,"high":1})", "low value of 2"},
      {R"({"name":"a","type":"real","low":0,"high":1,"log":true})", "above 0"},
      {R"({"name":"a","type":"int","low":0.5,"high":3})", "whole number"},
      {R"({"name":"a","type":"int","low":1,"high":3,"step":0})", "step of 0"},
      {R"({"name":"a","type":"real","low":0,"high":1e300})", "limit beyond"},
      {R"({"name":"a","type":"real","low":0})", "high"},
      {R"({"name":"a","type":"real","low":0,"high":1,"stepp":1})", "\"stepp\""},
      {R"({"name":"a","type":"number","low":0,"high":1})", "\"number\""},
      {R"({"name":"a","type":"choice","values":[]})", "1 to 1000"},
      {R"({"name":"a","type":"choice"})", "no values"},
      {R"({"name":"a","type":"choice","values":[1,1]})", "twice"},
      {R"({"name":"a","type":"choice","values":[{}]})", "no number, word"},
      {R"({"name":"","type":"choice","values":[1]})", "no name"},
      {R"({"name":"a","type":"choice","values":[1],"sets":[]})", "1 to 64"},
      {R"({"name":"a","type":"int","low":1,"high":2,"when":{"b":[1]}})", "no earlier choice"},
      {R"({"name":"a","type":"int","low":1,"high":2},{"name":"a","type":"int","low":1,"high":2})",
       "another parameter"}};
  for (const auto& [text, words] : cases) EXPECT_TRUE(says(refusal(text), words)) << text << " -> " << refusal(text);
  EXPECT_TRUE(says(refusal(R"({"name":"b","type":"choice","values":[1,2]},
                              {"name":"a","type":"int","low":1,"high":2,"when":{"b":[3]}})"),
                   "none of its values"));
  EXPECT_TRUE(says(parse_space("{}", "s").error().str(), "parameters"));
  EXPECT_TRUE(says(parse_space(R"({"format":2,"parameters":[]})", "s").error().str(), "newer"));
}

TEST(SearchSpace, AParameterExistsWhereItsConditionHolds) {
  const auto space = parse_space(with(conditional_text), "s");
  ASSERT_TRUE(space);
  EXPECT_TRUE(is_point(*space, {0, 0.5}));
  EXPECT_TRUE(is_point(*space, {1, nothing}));
  EXPECT_FALSE(is_point(*space, {1, 0.5})) << "adam has no momentum";
  EXPECT_FALSE(is_point(*space, {2, nothing}));
  EXPECT_FALSE(is_point(*space, {3, nothing}));
  EXPECT_FALSE(is_point(*space, {0, 2}));
  EXPECT_EQ(point_to_json(*space, {1, nothing}).dump(), R"({"optimizer":"adam"})");
}

TEST(SearchSpace, PointsAreReadStrictly) {
  const auto space = parse_space(with(conditional_text), "s");
  ASSERT_TRUE(space);
  const auto read = [&](const char* text) { return point_from_json(*space, Json::parse(text), "p"); };
  const auto point = read(R"({"optimizer":"sgd","optimizer.momentum":0.5})");
  ASSERT_TRUE(point);
  EXPECT_EQ(*point, (Point{0, 0.5}));
  EXPECT_FALSE(read(R"({"optimizer":"sgd"})"));
  EXPECT_FALSE(read(R"({"optimizer":"adam","optimizer.momentum":0.5})"));
  EXPECT_FALSE(read(R"({"optimizer":"adagrad"})"));
  EXPECT_FALSE(read(R"({"optimizer":"sgd","optimizer.momentum":1.5})"));
  EXPECT_FALSE(read("[]"));
}

TEST(SearchSpace, StepsEndAtTheLastWithinTheRange) {
  Parameter p{.name = "a", .kind = Parameter::Kind::integer, .low = 4, .high = 28, .step = 8};
  EXPECT_EQ(values_of(p), 4);
  EXPECT_EQ(nearest_value(p, 100), 28);
  EXPECT_EQ(nearest_value(p, 17), 20);
  EXPECT_EQ(nearest_value(p, 15), 12);
  p.kind = Parameter::Kind::real;
  p.step = 0;
  EXPECT_EQ(values_of(p), 0);
}

}  // namespace
}  // namespace nw::search

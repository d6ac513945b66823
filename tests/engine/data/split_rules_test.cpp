// SPDX-License-Identifier: Apache-2.0
// Splits by groups and by a table.
#include "engine/data/split/split_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/split/split.hpp"
#include "engine/design/project_file.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// 40 people with 1 to 7 images each, of two classes: "cat/p07_3.jpg".
OpenedData people() {
  OpenedData d;
  auto set = std::make_shared<MemoryDataset>(1, 1, 1);
  for (int person = 0; person < 40; ++person)
    for (int picture = 0; picture <= person * 5 % 7; ++picture) {
      set->labels_.push_back(person % 2);
      set->pixels_.push_back(static_cast<std::uint8_t>(person));
      set->origins_.push_back(
          fmt::format("{}/p{:02}/p{:02}_{}.jpg", person % 2 ? "dog" : "cat", person, person, picture));
    }
  d.train = std::move(set);
  d.classes = {"cat", "dog"};
  return d;
}

std::set<std::string> groups_in(const OpenedData& d, const std::vector<std::int64_t>& part, const std::string& by) {
  std::set<std::string> out;
  for (const std::int64_t i : part) out.insert(group_of(d.train->origin(i), by));
  return out;
}

TEST(SplitRules, AGroupIsAFolderOrTheBeginningOfAName) {
  EXPECT_EQ(group_of("cat/ann/12.jpg", "folder"), "cat/ann");
  EXPECT_EQ(group_of("12.jpg", "folder"), "");
  EXPECT_EQ(group_of("cat/ann_12.jpg", "name"), "ann");
  EXPECT_EQ(group_of("ann-12_3.jpg", "name"), "ann");
  EXPECT_EQ(group_of("cat/ann.jpg", "name"), "ann.jpg");
}

TEST(SplitRules, GroupsStayTogetherAndTheFractionsAreApproximate) {
  const OpenedData d = people();
  for (const char* by : {"folder", "name"})
    for (const bool stratified : {false, true}) {
      const auto s = split_data(d, {.validation_fraction = 0.2,
                                    .test_fraction = 0.2,
                                    .stratified = stratified,
                                    .split_seed = 5,
                                    .group_by = by});
      ASSERT_TRUE(s) << s.error().str();
      EXPECT_EQ(static_cast<std::int64_t>(s->train.size() + s->validation.size() + s->test.size()), d.train->size());
      const auto train = groups_in(d, s->train, by), validation = groups_in(d, s->validation, by),
                 test = groups_in(d, s->test, by);
      EXPECT_EQ(train.size() + validation.size() + test.size(), 40u)
          << by << ": a group in two parts would be counted twice";
      const double all = static_cast<double>(d.train->size());
      EXPECT_NEAR(static_cast<double>(s->test.size()) / all, 0.2, 0.06);
      EXPECT_NEAR(static_cast<double>(s->validation.size()) / all, 0.16, 0.06);
      EXPECT_TRUE(std::is_sorted(s->train.begin(), s->train.end()));
    }
}

/// The share of each class, which differs by at most half of the largest group of that class.
TEST(SplitRules, GroupsKeepTheSharesOfTheClasses) {
  const OpenedData d = people();
  const auto count = [&](const std::vector<std::int64_t>& part, std::int64_t label) {
    return std::count_if(part.begin(), part.end(), [&](std::int64_t i) { return d.train->label(i) == label; });
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto s = split_data(d, {.validation_fraction = 0.25,
                                  .test_fraction = 0,
                                  .stratified = true,
                                  .split_seed = seed,
                                  .group_by = "folder"});
    ASSERT_TRUE(s) << s.error().str();
    for (const std::int64_t label : {0, 1}) {
      const auto taken = count(s->validation, label), all = taken + count(s->train, label);
      EXPECT_NEAR(static_cast<double>(taken), 0.25 * static_cast<double>(all), 4.0)
          << "class " << label << ", seed " << seed;
    }
  }
}

/// One group of 50 beside single samples: it is larger than the share that is asked for, and must not be taken.
TEST(SplitRules, ALargeGroupDoesNotExceedTheShare) {
  OpenedData d;
  auto set = std::make_shared<MemoryDataset>(1, 1, 1);
  for (int i = 0; i < 100; ++i) {
    set->labels_.push_back(0);
    set->pixels_.push_back(0);
    set->origins_.push_back(fmt::format("cat/{}/{}.jpg", i < 50 ? std::string("many") : std::to_string(i), i));
  }
  d.train = std::move(set);
  d.classes = {"cat"};
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto s =
        split_data(d, {.validation_fraction = 0.1, .test_fraction = 0, .split_seed = seed, .group_by = "folder"});
    ASSERT_TRUE(s) << s.error().str();
    EXPECT_EQ(s->validation.size(), 10u) << "seed " << seed;
  }
}

TEST(SplitRules, TheSeedDrawsTheGroups) {
  const OpenedData d = people();
  const auto split = [&](std::uint64_t seed) {
    return split_hash(*split_data(d, {.validation_fraction = 0.3, .split_seed = seed, .group_by = "folder"}));
  };
  EXPECT_EQ(split(1), split(1));
  EXPECT_NE(split(1), split(2));
}

TEST(SplitRules, ATableAssignsSamplesToSplits) {
  const OpenedData d = people();
  std::string table = "path,split\n";
  for (std::int64_t i = 0; i < d.train->size(); ++i)
    table += (i == 3 ? "p01/" + d.train->origin(i).substr(8) : d.train->origin(i)) + (i < 2    ? ",val\n"
                                                                                      : i == 3 ? ",Test\n"
                                                                                      : i == 4 ? ",none\n"
                                                                                               : ",train\n");
  const auto s = split_by_table(table, "split.csv", *d.train, true);
  ASSERT_TRUE(s) << s.error().str();
  EXPECT_THAT(s->validation, ElementsAre(0, 1));
  EXPECT_THAT(s->test, ElementsAre(3)) << "the end of a path is enough";
  EXPECT_EQ(static_cast<std::int64_t>(s->train.size()), d.train->size() - 4) << "none: in no part";
}

TEST(SplitRules, AnInconsistentTableIsRejected) {
  const OpenedData d = people();
  const auto error = [&](const std::string& table, bool may_test = true) {
    const auto s = split_by_table(table, "split.csv", *d.train, may_test);
    return s ? std::string() : s.error().str();
  };
  EXPECT_THAT(error(""), HasSubstr("a heading with the columns path and split"));
  EXPECT_THAT(error("path,where\na,train\n"), HasSubstr("a heading with the columns path and split"));
  EXPECT_THAT(error("path,split\na,later\n"), HasSubstr("line 2: \"later\" is none of train"));
  EXPECT_THAT(error("path,split\na\n"), HasSubstr("line 2: it has 1 cells"));
  EXPECT_THAT(error("path,split\na,train\na,test\n"), HasSubstr("line 3: \"a\" was already assigned to another split"));
  EXPECT_THAT(error("path,split\na,test\n", false), HasSubstr("has a test set"));
  EXPECT_THAT(error("path,split\n" + d.train->origin(0) + ",train\n"),
              HasSubstr("does not assign " + d.train->origin(1) + " to a split"));
}

TEST(SplitRules, AProjectKeepsThemAndOlderProjectsHaveNone) {
  DataChoice c;
  EXPECT_FALSE(to_json(c).contains("group_by"));
  c.group_by = "name", c.split_file = "split.csv";
  const auto back = data_from_json(to_json(c), "p");
  ASSERT_TRUE(back) << back.error().str();
  EXPECT_EQ(*back, c);
  Json wrong = to_json(c);
  wrong["group_by"] = "colour";
  EXPECT_FALSE(data_from_json(wrong, "p"));
}

TEST(SplitRules, ATableIsReadFromItsFile) {
  const Folder place;
  const OpenedData d = people();
  std::string table = "split\tfile\n";
  for (std::int64_t i = 0; i < d.train->size(); ++i)
    table += (i % 5 == 0 ? "validation\t" : "train\t") + d.train->origin(i) + "\n";
  ASSERT_TRUE(save_file(place.path / "split.tsv", table));
  const auto s = split_data(d, {.split_file = (place.path / "split.tsv").string()});
  ASSERT_TRUE(s) << s.error().str();
  EXPECT_EQ(static_cast<std::int64_t>(s->validation.size()), (d.train->size() + 4) / 5);
  EXPECT_TRUE(s->test.empty()) << "the table alone decides";
  EXPECT_FALSE(split_data(d, {.split_file = (place.path / "nowhere.csv").string()}));
}

}  // namespace
}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/index/run_query.hpp"

#include <gtest/gtest.h>

namespace nw {
namespace {

RunRecord run(const std::string& name, double accuracy, const std::string& rate = "0.01") {
  RunRecord r;
  r.summary.folder = "/runs/" + name;
  r.summary.name = "project";
  r.summary.status = RunStatus::finished;
  r.summary.best_accuracy = accuracy;
  r.settings = {
      {"batch", "64"}, {"data.kind", "mnist"}, {"learning_rate", rate}, {"optimizer", "adam"}, {"random_crop", "true"}};
  r.notes.tags = {"wide", "Base line"};
  r.notes.notes = "a note about Rotations";
  return r;
}

bool matches(const std::string& text, const RunRecord& r = run("lenet", 0.985)) {
  const auto query = RunQuery::parse(text);
  EXPECT_TRUE(query) << text << ": " << (query ? "" : query.error().str());
  return query && query->matches(r);
}

TEST(RunQueries, CompareNumbersTextsAndShares) {
  for (const char* fulfilled : {"",
                                "  ",
                                "best_accuracy > 98%",
                                "best_accuracy>0.98",
                                "best_accuracy <= 98.5%",
                                "batch = 64",
                                "batch == 64.0",
                                "batch != 32",
                                "optimizer = Adam",
                                "optimizer ~ DA",
                                "optimizer !~ sgd",
                                "status=finished",
                                "random_crop = 1",
                                "learning_rate < 0.1",
                                "learning_rate >= 1e-2",
                                "data.kind = \"mnist\"",
                                "run = lenet",
                                "tags = wide",
                                "tags = \"Base line\"",
                                "tags ~ base",
                                "tags != narrow",
                                "test_accuracy != 3"})
    EXPECT_TRUE(matches(fulfilled)) << fulfilled;
  for (const char* not_fulfilled :
       {"best_accuracy > 98.5%", "best_accuracy < 0.985", "batch = 32", "batch != 64", "optimizer = ada",
        "optimizer !~ a", "status = stopped", "test_accuracy > 0", "test_accuracy = 0", "batch < many", "tags = base",
        "tags != wide", "learning_rate > 0.01"})
    EXPECT_FALSE(matches(not_fulfilled)) << not_fulfilled;
}

TEST(RunQueries, AWordAloneIsSearched) {
  EXPECT_TRUE(matches("LENET"));
  EXPECT_TRUE(matches("proj"));
  EXPECT_TRUE(matches("rotations"));
  EXPECT_TRUE(matches("\"base line\""));
  EXPECT_FALSE(matches("vgg"));
  EXPECT_FALSE(matches("mnist")) << "settings are compared, not searched";
}

TEST(RunQueries, AndBindsMoreThanOrAndMayBeLeftOut) {
  EXPECT_TRUE(matches("batch = 1 or batch = 64"));
  EXPECT_TRUE(matches("batch = 64 or batch = 1 and run = vgg"));
  EXPECT_FALSE(matches("(batch = 64 or batch = 1) and run = vgg"));
  EXPECT_FALSE(matches("lenet batch = 1"));
  EXPECT_TRUE(matches("lenet batch = 64"));
  EXPECT_TRUE(matches("not vgg"));
  EXPECT_FALSE(matches("not (lenet or vgg)"));
  EXPECT_TRUE(matches("not not lenet"));
  EXPECT_FALSE(matches("not lenet or vgg"));
  EXPECT_TRUE(matches("LENET AND NOT vgg"));
}

TEST(RunQueries, SayWhereTheyGoWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"batch =", "ends where"},    {"(batch = 1", "ends where"},     {"batch = 1)", "character 10"},
      {"= 3", "character 1"},       {"run = \"lenet", "character 7"}, {"a ! b", "character 3"},
      {"and lenet", "character 1"}, {"lenet or", "ends where"},       {"not", "ends where"}};
  for (const auto& [text, part] : cases) {
    const auto query = RunQuery::parse(text);
    ASSERT_FALSE(query) << text;
    EXPECT_NE(query.error().str().find(part), std::string::npos) << query.error().str();
  }
  EXPECT_FALSE(RunQuery::parse(std::string(3000, 'a')));
  EXPECT_FALSE(RunQuery::parse(std::string(200, '(') + "a" + std::string(200, ')')));
  EXPECT_TRUE(RunQuery::parse(std::string(20, '(') + "a" + std::string(20, ')')));
}

TEST(RunQueries, AFieldThatNoRunHasIsNamed) {
  const std::vector<RunRecord> runs = {run("lenet", 0.9)}, none;
  EXPECT_TRUE(RunQuery::parse("batch > 1 and best_accuracy > 0")->check(settings_of(runs)));
  const Status refused = RunQuery::parse("not (lenet or acuracy > 1)")->check(settings_of(runs));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().str().find("\"acuracy\""), std::string::npos) << refused.error().str();
  EXPECT_TRUE(RunQuery::parse("acuracy > 1")->check(settings_of(none))) << "without runs it is not known";
}

TEST(RunFields, UnknownValuesComeLast) {
  EXPECT_TRUE(is_before(1.0, 2.0));
  EXPECT_FALSE(is_before(2.0, 2.0));
  EXPECT_TRUE(is_before(2.0, std::string("a")));
  EXPECT_TRUE(is_before(std::string("a"), std::string("b")));
  EXPECT_TRUE(is_before(std::string("z"), FieldValue()));
  EXPECT_FALSE(is_before(FieldValue(), FieldValue()));
  EXPECT_FALSE(is_before(FieldValue(), 1.0));
}

TEST(RunFields, AreNamedOnceAndUnknownWhereTheRunHasNone) {
  for (const RunField& f : run_fields()) EXPECT_EQ(find_run_field(f.name), &f) << f.name;
  const RunRecord empty;
  for (const char* name : {"best_accuracy", "test_accuracy", "train_loss", "validation_loss", "gpu_energy", "created"})
    EXPECT_EQ(field_value(empty, name).index(), 0U) << name;
  RunRecord r = run("lenet", 0.5);
  r.summary.history = {{1, 0.5, 0.6, 0.4, 0.7, 0.1}, {2, 0.3, 0.8, 0.9, 0.6, 0.1}};
  EXPECT_EQ(field_value(r, "best_validation_loss"), FieldValue(0.4));
  EXPECT_EQ(field_value(r, "validation_loss"), FieldValue(0.9));
  EXPECT_EQ(field_value(r, "train_accuracy"), FieldValue(0.8));
}

}  // namespace
}  // namespace nw

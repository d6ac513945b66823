// SPDX-License-Identifier: Apache-2.0
// Numbers computed from runs.
#include "engine/runs/index/run_expression.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace nw {
namespace {

class Expression : public testing::Test {
 protected:
  Expression() {
    record.summary.best_accuracy = 0.75;
    record.summary.parameters = 2000;
    record.summary.history = {{.epoch = 1,
                               .train_loss = 3,
                               .train_accuracy = 0.5,
                               .validation_loss = 2.5,
                               .validation_accuracy = 0.75,
                               .learning_rate = 0.1},
                              {.epoch = 2,
                               .train_loss = 1,
                               .train_accuracy = 0.9,
                               .validation_loss = 4,
                               .validation_accuracy = 0.5,
                               .learning_rate = 0.01}};
    record.settings = {{"batch", "32"}, {"optimizer", "sgd"}};
  }
  double of(std::string_view text) {
    const auto e = RunExpression::parse(text);
    EXPECT_TRUE(e) << text << ": " << (e ? "" : e.error().str());
    return e ? e->value(record) : -999;
  }
  RunRecord record;
};

TEST_F(Expression, CountsAsPeopleDo) {
  EXPECT_EQ(of("1 + 2 * 3"), 7);
  EXPECT_EQ(of("(1+2)*3"), 9);
  EXPECT_EQ(of("8 - 2 - 1"), 5);
  EXPECT_EQ(of("8 / 2 / 2"), 2);
  EXPECT_EQ(of("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(of("-2 ^ 2"), -4);
  EXPECT_EQ(of("--2"), 2);
  EXPECT_EQ(of("50%"), 0.5);
  EXPECT_EQ(of("1e3 * .5"), 500);
  EXPECT_EQ(of("min(3, 2) + max(3, 2) + abs(-1) + sqrt(4) + log10(100)"), 10);
}

TEST_F(Expression, HasTheFieldsTheSettingsAndTheEpochs) {
  EXPECT_EQ(of("best_accuracy / parameters * 1e3"), 0.375);
  EXPECT_EQ(of("batch * 2"), 64);
  EXPECT_EQ(of("best(validation_accuracy)"), 0.75);
  EXPECT_EQ(of("best(validation_loss)"), 2.5) << "the lowest loss";
  EXPECT_EQ(of("last(validation_accuracy)"), 0.5);
  EXPECT_EQ(of("first(train_loss) - last( train_loss )"), 2);
  EXPECT_EQ(of("mean(train_loss)"), 2);
}

TEST_F(Expression, IsUnknownWhereSomethingInItIs) {
  EXPECT_TRUE(std::isnan(of("optimizer * 2"))) << "a word is no number";
  EXPECT_TRUE(std::isnan(of("nothing + 1")));
  record.summary.history.clear();
  EXPECT_TRUE(std::isnan(of("last(train_loss)")));
  EXPECT_TRUE(std::isnan(of("best(train_loss)")));
  EXPECT_TRUE(std::isnan(of("mean(train_loss)")));
  EXPECT_TRUE(RunExpression::parse("batch")->check([](std::string_view name) { return name == "batch"; }));
  EXPECT_FALSE(RunExpression::parse("bach")->check([](std::string_view name) { return name == "batch"; }));
}

TEST_F(Expression, SaysWhereItGoesWrong) {
  for (const auto& [text, at] : {std::pair("", 1),
                                 {"1 +", 4},
                                 {"2 $ 3", 3},
                                 {"(1", 3},
                                 {"best(loss)", 6},
                                 {"nobody(1)", 1},
                                 {"min(1)", 6},
                                 {"1 2", 3},
                                 {"best(train_loss", 16}}) {
    const auto e = RunExpression::parse(text);
    ASSERT_FALSE(e) << text;
    EXPECT_EQ(e.error().str(), "the expression cannot be read at character " + std::to_string(at)) << text;
  }
  for (const std::string& deep :
       {std::string(900, '('), std::string(900, '-'), std::string(400, '2') + "^", std::string(2000, '1')})
    EXPECT_FALSE(RunExpression::parse(deep));
}

}  // namespace
}  // namespace nw

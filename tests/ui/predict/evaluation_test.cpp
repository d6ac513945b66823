// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/source/evaluation.hpp"

#include <gtest/gtest.h>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/predict/metrics/csv_export.hpp"

namespace nw::ui {
namespace {

QStringList digits() { return class_names({}, 10); }

TEST(Evaluation, CountsMisclassifiedAndUncertainImages) {
  const Result<EvaluationView> view = evaluation_from(packed(fake_evaluation(70)), digits());
  ASSERT_TRUE(view) << view.error().str();
  EXPECT_EQ(view->samples.size(), 70u);
  EXPECT_EQ(view->wrong(), 10);   // every seventh of 70
  EXPECT_EQ(view->unsure(), 13);  // 1 - i / 140 < 0.6  <=>  i > 56
  EXPECT_EQ(view->at(0, 1), 1);
}

TEST(Evaluation, IsAtChanceWhereTheMostCommonClassWouldBeAsGood) {
  EvaluationView view;
  view.classes = 2;
  view.confusion = {60, 0, 40, 0};  // one class is always predicted, and 60 of 100 images have it
  EXPECT_TRUE(view.atChance());
  view.confusion = {55, 5, 25, 15};  // 70 correct: two deviations above 60 are 69.8
  EXPECT_FALSE(view.atChance());
  view.confusion = {54, 6, 25, 15};
  EXPECT_TRUE(view.atChance());
  view.confusion = {0, 0, 0, 0};
  EXPECT_FALSE(view.atChance());
  view.confusion = {};
  EXPECT_FALSE(view.atChance()) << "the true classes are unknown";
}

TEST(Evaluation, AnAnswerWithListsOfDifferentLengthsIsRejected) {
  for (const char* key : {"label", "predicted", "confidence", "loss_per_sample", "confusion"}) {
    Json answer = fake_evaluation(20);
    answer[key].erase(0);
    EXPECT_FALSE(evaluation_from(packed(answer), digits())) << key;
  }
  Json outside = fake_evaluation(20);
  outside["predicted"][3] = 10;
  EXPECT_FALSE(evaluation_from(packed(outside), digits())) << "class 10 of 10";
  EXPECT_FALSE(evaluation_from(packed(Json{{"ok", true}}), digits()));
}

TEST(Evaluation, OneOutputIsShownAsTwoClassesNamedEvenAndOdd) {
  const Result<std::vector<float>> p = probabilities_from(Json{{"probability", {0.75}}}, TargetKind::classes);
  ASSERT_TRUE(p);
  EXPECT_EQ(*p, (std::vector<float>{0.25f, 0.75f}));
  EXPECT_EQ(class_names(digits(), 2), (QStringList{"even", "odd"}));
  EXPECT_EQ(class_names({"cat", "dog"}, 2), (QStringList{"cat", "dog"}));
}

TEST(Evaluation, ConfusedPairsAreSortedByFrequencyAndOmitCorrectOnes) {
  EvaluationView view;
  view.classes = 3;
  view.confusion = {50, 1, 0, 4, 50, 2, 0, 0, 50};
  const std::vector<ConfusedPair> found = most_confused_pairs(view, 2);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].truth, 1);
  EXPECT_EQ(found[0].read, 0);
  EXPECT_EQ(found[0].count, 4);
  EXPECT_EQ(found[1].count, 2);
}

TEST(Evaluation, TheCsvHasOneLinePerImageAndQuotesNamesWithCommas) {
  EvaluationView view;
  view.classes = 2;
  view.names = QStringList{"cat", "dog, large"};
  view.samples = {{7, 0, 1, 0.75f, 1.5f}, {9, -1, 0, 0.5f, -1}};
  EXPECT_EQ(predictions_csv(view),
            "index,true,predicted,confidence,loss,right\n7,cat,\"dog, large\",0.750000,1.5,0\n9,,cat,0.500000,,\n");
}

TEST(Evaluation, ANameThatASpreadsheetWouldRunAsAFormulaIsEscaped) {
  EvaluationView view;
  view.classes = 2;
  view.names = QStringList{"=1+1", "b"};
  view.samples = {{0, 0, 1, 0.5f, 1}};
  EXPECT_NE(predictions_csv(view).find("\n0,'=1+1,b,"), std::string::npos);
}

}  // namespace
}  // namespace nw::ui

// SPDX-License-Identifier: Apache-2.0
// Each diagnosis on a healthy record and on the same one with its fault. Error rates on real trainings:
// tests/doctor/error_rates.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/engine/doctor/record.hpp"

namespace nw::doctor {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Spoilt {
  const char* id;
  void (*spoil)(Record&);
};

void each(Record& r, void (*change)(LayerState&)) {
  for (LayerStatistics& s : r.statistics)
    for (LayerState& l : s.layers) change(l);
}

const Spoilt faults[] = {
    {"dead_units", [](Record& r) { r.statistics.back().layers[1].dead = 12; }},
    {"vanishing_gradients",
     [](Record& r) {
       for (LayerStatistics& s : r.statistics) s.layers[0].gradients.norm = 1e-4;
     }},
    {"exploding_gradients",
     [](Record& r) {
       for (Steps& s : r.steps) s.grad_norm = 500;
     }},
    {"rate_too_high", [](Record& r) { r.steps[1].loss.mean = 5; }},
    {"rate_too_low",
     [](Record& r) {
       each(r, [](LayerState& l) {
         if (l.update_ratio > 0) l.update_ratio = 1e-6;
       });
       for (EpochEnd& e : r.epochs) e.train_loss = 2.2 - 0.01 * static_cast<double>(e.epoch);
     }},
    {"over_fitting",
     [](Record& r) {
       for (EpochEnd& e : r.epochs) e.validation_loss = 1 + 0.1 * static_cast<double>(e.epoch);
       for (EpochEnd& e : r.epochs) e.validation_accuracy = 0.6;
     }},
    {"saturated_loss",
     [](Record& r) {
       for (EpochEnd& e : r.epochs) e.train_loss = e.validation_loss = 2.3;
       for (EpochEnd& e : r.epochs) e.train_accuracy = e.validation_accuracy = 0.1;
     }},
    {"label_leak", [](Record& r) { r.data->shared = 20; }},
    {"strong_augmentation",
     [](Record& r) {
       r.settings.random_crop = true;
       for (EpochEnd& e : r.epochs) e.train_accuracy -= 0.3;
     }},
    {"non_finite",
     [](Record& r) {
       r.not_finite = NotFinite{Pass::forward, "conv1", "conv1", "conv2d", false};
     }},
};

TEST(Diagnoses, FindNothingInAHealthyTraining) {
  EXPECT_THAT(ids(healthy()), IsEmpty());
  EXPECT_THAT(ids(healthy(1)), IsEmpty());
  EXPECT_THAT(ids({}), IsEmpty()) << "nor where nothing was recorded";
}

TEST(Diagnoses, EachFindsItsFaultAloneWithEvidenceAndARecommendation) {
  std::vector<std::string> known;
  for (const Diagnosis* d : all_diagnoses()) known.emplace_back(d->id);
  std::vector<std::string> tested;
  for (const Spoilt& f : faults) {
    Record r = healthy();
    f.spoil(r);
    EXPECT_THAT(ids(r), ElementsAre(f.id));
    tested.emplace_back(f.id);
    for (const Finding& found : examine(r)) {
      EXPECT_FALSE(found.sentence.str().empty());
      EXPECT_EQ(found.sentence.str().find('{'), std::string::npos) << found.sentence.str();
      EXPECT_FALSE(found.recommendation.sentence.str().empty()) << f.id;
      ASSERT_FALSE(found.evidence.empty()) << f.id;
      for (const Series& s : found.evidence) {
        EXPECT_FALSE(s.x.empty()) << f.id << ": " << s.name;
        EXPECT_EQ(s.x.size(), s.y.size());
      }
    }
  }
  EXPECT_THAT(tested, testing::UnorderedElementsAreArray(known)) << "a new diagnosis needs its fault here";
}

TEST(Diagnoses, AHighRateExplainsLargeGradients) {
  Record r = healthy();
  for (Steps& s : r.steps) s.grad_norm = 500, s.loss.mean = 40;
  EXPECT_THAT(ids(r), ElementsAre("rate_too_high"));
  r.first_loss = 600;
  EXPECT_THAT(ids(r), ElementsAre("exploding_gradients")) << "but not those of the first step";
}

TEST(Diagnoses, OverFittingIsNoSingleEpochAndNeedsNoRisingLoss) {
  Record once = healthy();
  once.epochs.back().validation_loss = 3;
  once.epochs.back().validation_accuracy = 0.5;
  EXPECT_THAT(ids(once), IsEmpty());
  Record known = healthy();
  for (EpochEnd& e : known.epochs) e.train_accuracy = 1, e.validation_accuracy = 0.8;
  EXPECT_THAT(ids(known), ElementsAre("over_fitting"));
}

/// The loss rises because wrong answers are given with more confidence, while ever more are right.
TEST(Diagnoses, ARisingLossIsNoOverFittingWhileTheAccuracyImproves) {
  Record r = healthy();
  for (EpochEnd& e : r.epochs) {
    e.validation_loss = 1 + 0.1 * static_cast<double>(e.epoch);
    e.validation_accuracy = 0.6 + 0.001 * static_cast<double>(e.epoch);
  }
  EXPECT_THAT(ids(r), IsEmpty());
  r.epochs[2].validation_accuracy = 0.7;
  EXPECT_THAT(ids(r), ElementsAre("over_fitting")) << "the best epoch was an early one";
}

/// Adam's first step moves every weight by the rate, so it looks like a long one.
TEST(Diagnoses, ALowRateIsSeenWhetherOrNotTheFirstStepWasRecorded) {
  Record r = healthy();
  each(r, [](LayerState& l) { l.update_ratio = std::min(l.update_ratio, 1e-6); });
  for (EpochEnd& e : r.epochs) e.train_loss = 2.2;
  EXPECT_THAT(ids(r), ElementsAre("rate_too_low"));
  r.statistics.insert(r.statistics.begin(), healthy().statistics.front());
  r.statistics.front().step = 1;
  EXPECT_THAT(ids(r), ElementsAre("rate_too_low"));
  r.statistics.resize(1);
  EXPECT_THAT(ids(r), IsEmpty()) << "nothing was recorded since the first epoch";
}

TEST(Diagnoses, OnFewImagesMoreUnitsLookDead) {
  Record r = healthy();
  r.statistics.back().images = 26;
  r.statistics.back().layers[1].dead = 14;
  EXPECT_THAT(ids(r), IsEmpty());
  r.statistics.back().layers[1].dead = r.statistics.back().layers[1].units;
  EXPECT_THAT(ids(r), ElementsAre("dead_units"));
}

TEST(Diagnoses, TheAdvisedPatienceWouldHaveStoppedTheRunEarlier) {
  for (const auto& [epochs, wanted] : {std::pair(8, "2"), std::pair(24, "5"), std::pair(200, "10")}) {
    Record r = healthy(epochs);
    for (EpochEnd& e : r.epochs)
      e.validation_loss = 1 + 0.1 * static_cast<double>(e.epoch), e.validation_accuracy = 0.6;
    const auto found = examine(r);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().recommendation.value, wanted) << epochs << " epochs, the first of which was the best";
  }
}

TEST(Diagnoses, ALossThatRoseInTheLastRecordIsSeen) {
  Record r = healthy();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  r.steps.back().loss = {2, nan, 4000};
  EXPECT_THAT(ids(r), ElementsAre("rate_too_high"));
}

TEST(Diagnoses, TinyImagesAreEqualByChance) {
  Record r = healthy();
  r.data = DataFigures{.validation = 500, .shared = 100, .image_bytes = 2};
  EXPECT_THAT(ids(r), IsEmpty());
}

TEST(Diagnoses, TheMostCommonClassIsTheChance) {
  Record r = healthy();
  for (EpochEnd& e : r.epochs) e.train_accuracy = e.validation_accuracy = 0.7;
  EXPECT_THAT(ids(r), IsEmpty());
  take_figures(r, {.validation = 500, .image_bytes = 784, .most_common = 0.7});
  EXPECT_THAT(ids(r), ElementsAre("saturated_loss"));
}

TEST(Diagnoses, TheRecommendationIsACommandForAShell) {
  Record r = healthy();
  r.steps[1].loss.mean = 5;
  const Finding f = examine(r).front();
  EXPECT_EQ(f.recommendation.setting, "learning_rate");
  EXPECT_EQ(command_for(f, r, "/runs/it's"),
            "netwright-cli branch '/runs/it'\\''s' --from 800 --set 'learning_rate=0.001'");
  r.checkpoint_step = -1;
  EXPECT_EQ(command_for(f, r, "/runs/a"), "") << "there is nothing to branch from";
}

}  // namespace
}  // namespace nw::doctor

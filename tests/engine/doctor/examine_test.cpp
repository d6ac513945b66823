// SPDX-License-Identifier: Apache-2.0
// The doctor on runs: what it reads of a folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/train/knobs.hpp"
#include "tests/engine/doctor/record.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw::doctor {
namespace {

TEST(Doctor, FindsNothingInASmallTraining) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 4; });
  ASSERT_TRUE(t.run());
  auto record = read_record(t.request.run);
  ASSERT_TRUE(record) << record.error().str();
  EXPECT_EQ(record->epochs.size(), 4U);
  EXPECT_GT(record->first_loss, 1);
  EXPECT_GT(record->checkpoint_step, 0);
  EXPECT_FALSE(record->statistics.empty());
  const auto figures = measure_data(t.request.run);
  ASSERT_TRUE(figures && *figures) << (figures ? "" : figures.error().str());
  EXPECT_EQ((*figures)->validation, record->validation_images);
  EXPECT_EQ((*figures)->shared, 0);
  take_figures(*record, **figures);
  EXPECT_THAT(ids(*record), testing::IsEmpty());
}

TEST(Doctor, NamesTheLayerOfADivergedRunAndARateThatCanBeSet) {
  Trial t([](TrainSettings& s, DataChoice&) { s.learning_rate = 1e30; });
  ASSERT_FALSE(t.run());
  const auto record = read_record(t.request.run);
  ASSERT_TRUE(record) << record.error().str();
  const auto found = examine(*record);
  const auto f = std::find_if(found.begin(), found.end(), [](const Finding& x) { return x.id == "non_finite"; });
  ASSERT_NE(f, found.end());
  EXPECT_FALSE(f->layer.empty());
  EXPECT_EQ(f->recommendation.setting, "learning_rate");
  EXPECT_TRUE(with_setting(t.request.definition.doc, f->recommendation.setting + "=" + f->recommendation.value));
}

TEST(Doctor, EveryRecommendationIsASetting) {
  const GraphDoc doc = Trial::project({}, "mlp");
  for (const char* setting : {"learning_rate=0.001", "clip_norm=1", "early_stopping_epochs=3", "augment_strength=0.5"})
    EXPECT_TRUE(with_setting(doc, setting)) << setting;
}

TEST(Doctor, RefusesAFolderThatIsNoRun) {
  const Folder empty;
  EXPECT_FALSE(read_record(empty.path));
  EXPECT_FALSE(measure_data(empty.path));
}

}  // namespace
}  // namespace nw::doctor

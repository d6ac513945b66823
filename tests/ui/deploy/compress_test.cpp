// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the Compress tab: the front, records of steps, changed predictions, what is said about speed.
#include <gmock/gmock.h>

#include <QLabel>
#include <filesystem>
#include <fstream>

#include "engine/runs/run_notes.hpp"
#include "tests/support/checkpoint_writer.hpp"
#include "tests/support/run_writer.hpp"
#include "ui/deploy/compress/class_flips.hpp"
#include "ui/deploy/compress/flip_wall.hpp"
#include "ui/deploy/compress/pareto_chart.hpp"
#include "ui/deploy/compress/sensitivity_slider.hpp"
#include "ui/deploy/compress/step_record.hpp"

namespace nw::ui {
namespace {

using testing::ElementsAre;

ParetoPoint point(double bytes, double accuracy) {
  return {.run = QString::number(bytes), .cost = {bytes, 0, 0}, .accuracy = accuracy};
}

TEST(ParetoFront, HasOnlyPointsThatNoOtherBeats) {
  const std::vector<ParetoPoint> points{point(100, 0.9), point(50, 0.8), point(60, 0.7), point(50, 0.85), point(0, 1)};
  EXPECT_THAT(paretoFront(points, CostAxis::bytes), ElementsAre(3, 0)) << "what is not measured is in no front";
  EXPECT_TRUE(paretoFront(points, CostAxis::latency).empty());
}

TEST(SensitivityCurve, IsFreeUpToTheFirstShareThatCostsMore) {
  SensitivitySlider slider;
  slider.setCurve({{0.1, 0.99}, {0.3, 0.989}, {0.5, 0.97}, {0.7, 0.99}}, 0.99, 0.002);
  EXPECT_DOUBLE_EQ(slider.freeShare(), 0.3) << "not the point behind one that loses";
  slider.setCurve({{0.1, 0.9}}, 0.99, 0.002);
  EXPECT_EQ(slider.freeShare(), 0);
}

Json flip(int sample, int label, int before, int after, double margin) {
  return {{"sample", sample}, {"label", label}, {"before", before}, {"after", after}, {"margin", margin}};
}
Json resultWith(const Json& flips) {
  return {{"changes",
           {{"flips", flips},
            {"flips_in_all", flips.size()},
            {"only_before", 28},
            {"only_after", 13},
            {"samples", 10000},
            {"mcnemar_p", 0.028}}},
          {"repeated_by_files", flips.size()}};
}

TEST(ChangedAnswers, AreSortedByMarginAndFilteredByKindAndClass) {
  FlipModel model;
  model.setAnswers(changedAnswersIn(resultWith({flip(1, 3, 3, 5, 0.4), flip(2, 3, 8, 3, 0.1), flip(3, 5, 1, 2, 0.2)})),
                   {});
  const auto samples = [&] {
    std::vector<qint64> all;
    for (int i = 0; i < model.rowCount(); ++i) all.push_back(model.at(i).sample);
    return all;
  };
  EXPECT_THAT(samples(), ElementsAre(2, 3, 1));
  model.setLargestFirst(true);
  EXPECT_THAT(samples(), ElementsAre(1, 3, 2));
  model.setFilter(FlipKind::now_right, -1);
  EXPECT_THAT(samples(), ElementsAre(2));
  model.setFilter(std::nullopt, 3);
  EXPECT_THAT(samples(), ElementsAre(1, 2));
  EXPECT_EQ(model.count(FlipKind::now_wrong), 1);
  EXPECT_EQ(model.count(FlipKind::still_wrong), 1);
}

TEST(ChangedAnswers, ThatCannotBeAreLeftOut) {
  const Json odd = Json::array({flip(-1, 0, 0, 1, 0), flip(1, 0, 2, 2, 0), flip(1, -4, 0, 1, 0), Json(7),
                                flip(1, 0, 2'000'000'000, 1, 0), Json::object()});
  EXPECT_TRUE(changedAnswersIn(resultWith(odd)).empty());
  EXPECT_TRUE(changedAnswersIn(Json{{"changes", 3}}).empty());
  EXPECT_TRUE(changedAnswersIn(Json::object()).empty());
}

TEST(ChangedAnswers, HaveBarsByClassThatFilter) {
  FlipModel model;
  model.setAnswers(changedAnswersIn(resultWith({flip(1, 3, 3, 5, 0.4), flip(2, 7, 8, 7, 0.1)})), {});
  ClassFlips bars;
  bars.setModel(model);
  ASSERT_EQ(bars.rows(), 2);
  bars.choose(7);
  model.setAnswers(changedAnswersIn(resultWith({flip(1, 3, 3, 5, 0.4)})), {});
  bars.setModel(model);
  EXPECT_EQ(bars.chosen(), -1) << "the class has no changes any more";
}

TEST(McNemar, IsSaidWithItsCounts) {
  const QString said = mcnemarSentence(resultWith({flip(1, 3, 3, 5, 0.4)}));
  for (const char* part : {"p = 0.028", "28 answers became wrong", "13 became right", "more than chance"})
    EXPECT_TRUE(said.contains(QLatin1String(part))) << said.toStdString();
  Json certain = resultWith({flip(1, 3, 3, 5, 0.4)});
  certain["changes"]["mcnemar_p"] = 3.5e-13;
  EXPECT_TRUE(mcnemarSentence(certain).contains(QLatin1String("p < 0.001")));
  Json chance = resultWith({flip(1, 3, 3, 5, 0.4)});
  chance["changes"]["mcnemar_p"] = 0.3;
  EXPECT_TRUE(mcnemarSentence(chance).contains(QLatin1String("Chance alone")));
  EXPECT_TRUE(mcnemarSentence(Json::object()).isEmpty());
}

TEST(FlipsFromFiles, AreSaidToBeAllOrNotAll) {
  Json result = resultWith({flip(1, 3, 3, 5, 0.4), flip(2, 3, 3, 5, 0.4)});
  EXPECT_TRUE(filesSentence(result).startsWith(QLatin1String("All 2 are the same")));
  result["repeated_by_files"] = 1;
  EXPECT_TRUE(filesSentence(result).contains(QLatin1String("only 1 of 2")));
}

TEST(Slower, NamesProcessorBatchesAndTimes) {
  const auto side = [](double ms) { return Json::array({{{"batch", 8}, {"latency_ms", ms}}}); };
  const Json trial{
      {"instruction_set", "avx2"}, {"not_faster", {8}}, {"latency", {{"before", side(0.24)}, {"after", side(0.58)}}}};
  EXPECT_EQ(slowerSentence(trial).toStdString(),
            "Not faster on this processor (avx2) with batches of 8: 0.24 ms → 0.58 ms");
  EXPECT_TRUE(slowerSentence({{"not_faster", Json::array()}}).isEmpty());
  EXPECT_TRUE(slowerSentence({{"not_faster", 5}}).isEmpty());
}

class StepRecords : public testing::Test {
 protected:
  fs::path make(const std::string& name) {
    const fs::path run = place.path() / name;
    fs::create_directories(run);
    std::ofstream(run / "run.json") << "{}";
    return run;
  }
  void step(const std::string& name, const std::string& parent) {
    CompressionRecord r{.run = QString::fromStdString(make(name).string()),
                        .parent = QString::fromStdString(parent),
                        .original = QStringLiteral("a"),
                        .kind = QStringLiteral("prune")};
    r.plan.removed[QStringLiteral("fc1")] = 0.5;
    r.result = {{"accuracy", {{"after", 0.5}}}};
    ASSERT_TRUE(saveCompression(r));
  }
  std::vector<std::string> chain(const std::string& name) {
    std::vector<std::string> names;
    for (const CompressionRecord& r : chainOf(place.path() / name))
      names.push_back(fs::path(r.run.toStdString()).filename());
    return names;
  }
  test::TemporaryFolder place;
};

TEST_F(StepRecords, LeadFromARunToItsOriginal) {
  make("a");
  step("b", "a");
  step("c", "b");
  EXPECT_THAT(chain("c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(chain("a"), ElementsAre("a"));
  EXPECT_EQ(attemptsFrom(place.path() / "a").size(), 2U);
  const auto read = readCompression(place.path() / "b");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->plan.removed.value(QStringLiteral("fc1")), 0.5);
}

TEST_F(StepRecords, OfAnOriginalCountUntilItHasOtherBestWeights) {
  test::RunWriter run(place.path(), test::definition_of("mlp"));
  test::write_checkpoint(run.folder(), 10, true);
  CompressionRecord original{.run = QString::fromStdString(run.folder().string())};
  original.result = {{"accuracy", 0.9}};
  ASSERT_TRUE(saveCompression(original));
  EXPECT_EQ(readCompression(run.folder())->result, original.result);
  test::write_checkpoint(run.folder(), 20, false);
  EXPECT_EQ(readCompression(run.folder())->result, original.result) << "the best is the same";
  test::write_checkpoint(run.folder(), 30, true);
  EXPECT_TRUE(readCompression(run.folder())->result.empty()) << "the training went on and found better ones";
}

TEST_F(StepRecords, ThatLeadInACircleOrOutOfTheFolderEnd) {
  make("a");
  step("b", "c");
  step("c", "b");
  EXPECT_LE(chain("c").size(), 64U);
  make("x/y");
  for (const char* parent : {"../a", "/etc", "", ".hidden", "x/y"}) {
    step("d", parent);
    EXPECT_THAT(chain("d"), ElementsAre("d")) << parent;
  }
  std::ofstream(place.path() / "d" / "compression.json") << "[1,2";
  EXPECT_FALSE(readCompression(place.path() / "d"));
  std::ofstream(place.path() / "d" / "compression.json") << R"({"plan":{"removed":{"x":7,"y":"z"}},"result":3})";
  const auto odd = readCompression(place.path() / "d");
  ASSERT_TRUE(odd);
  EXPECT_TRUE(odd->plan.removed.isEmpty());
}

TEST_F(StepRecords, OnlyDraftsAreRemoved) {
  step("b", "a");
  removeDraft(place.path() / "b");
  EXPECT_TRUE(fs::exists(place.path() / "b")) << "nobody said that it is a draft";
  ASSERT_TRUE(markDraft(place.path() / "b"));
  EXPECT_TRUE(readCompression(place.path() / "b")->draft);
  ASSERT_TRUE(keepRun(place.path() / "b", QStringLiteral("half")));
  EXPECT_EQ(read_run_notes(place.path() / "b")->name, "half");
  removeDraft(place.path() / "b");
  EXPECT_TRUE(fs::exists(place.path() / "b")) << "it is kept";
  ASSERT_TRUE(markDraft(place.path() / "b"));
  removeDraft(place.path() / "b");
  EXPECT_FALSE(fs::exists(place.path() / "b"));
}

TEST_F(StepRecords, SensitivitiesAreThoseOfTheseWeights) {
  make("a");
  const QString l1 = QStringLiteral("l1"), step1 = QStringLiteral("step-1");
  ASSERT_TRUE(saveSensitivity(place.path() / "a", step1, l1, Json{{"groups", Json::array()}}));
  EXPECT_TRUE(readSensitivity(place.path() / "a", step1, l1).contains("groups"));
  EXPECT_TRUE(readSensitivity(place.path() / "a", QStringLiteral("step-2"), l1).is_null());
  EXPECT_TRUE(readSensitivity(place.path() / "a", step1, QStringLiteral("fisher")).is_null());
}

}  // namespace
}  // namespace nw::ui

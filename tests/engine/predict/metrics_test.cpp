// SPDX-License-Identifier: Apache-2.0
// Metrics compared with scikit-learn's (tests/reference/make/make_metrics_reference.py), and edge cases.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "engine/predict/evaluation_metrics.hpp"
#include "engine/predict/metrics.hpp"
#include "engine/predict/metrics_json.hpp"
#include "engine/predict/target_evaluation.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/torch_numbers.hpp"

namespace nw {
namespace {

constexpr std::int64_t classes = 4;

struct Predictions {
  std::vector<std::int64_t> label;
  std::vector<float> probability;
};

Predictions made_up() {
  Predictions p;
  for (std::int64_t i = 0; i < 300; ++i) {
    const auto label = static_cast<std::int64_t>(std::floor(test::unit(test::fnv("labels"), i) * 3.5));
    std::vector<float> row;
    float sum = 0;
    for (std::int64_t c = 0; c < classes; ++c) {
      row.push_back(static_cast<float>(std::floor(test::unit(test::fnv("scores"), classes * i + c) * 40) / 40 +
                                       (c == label ? 0.75 : 0)));
      sum += row.back();
    }
    p.label.push_back(label);
    for (const float s : row) p.probability.push_back(s / sum);
  }
  return p;
}

struct Reference {
  Reference() { std::ifstream(test::tests_folder() + "/reference/metrics.json") >> want; }
  Json want;
  Predictions p = made_up();
  Metrics m = metrics_of(p.label, p.probability, classes);
};

TEST(Metrics, OfEachClassAreScikitLearns) {
  const Reference r;
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(r.m.classes[c].support, r.want["support"][c].get<std::int64_t>());
    EXPECT_NEAR(r.m.classes[c].precision, r.want["precision"][c].get<double>(), 1e-12);
    EXPECT_NEAR(r.m.classes[c].recall, r.want["recall"][c].get<double>(), 1e-12);
    EXPECT_NEAR(r.m.classes[c].f1, r.want["f1"][c].get<double>(), 1e-12);
    EXPECT_NEAR(r.m.classes[c].roc_auc, r.want["roc_auc"][c].get<double>(), 1e-12);
    EXPECT_NEAR(r.m.classes[c].average_precision, r.want["average_precision"][c].get<double>(), 1e-12);
  }
  for (const auto& [got, name] : {std::pair{r.m.macro, "macro"}, std::pair{r.m.weighted, "weighted"}}) {
    EXPECT_NEAR(got.precision, r.want[name][0].get<double>(), 1e-12) << name;
    EXPECT_NEAR(got.recall, r.want[name][1].get<double>(), 1e-12) << name;
    EXPECT_NEAR(got.f1, r.want[name][2].get<double>(), 1e-12) << name;
  }
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(r.m.top_k[k], r.want["top_k"][k].get<double>(), 1e-12) << k + 1;
}

void expect_curve(const Curve& got, const Json& want) {
  const auto x = want[0].get<std::vector<double>>(), y = want[1].get<std::vector<double>>();
  ASSERT_EQ(got.x.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(got.x[i], x[i], 1e-12) << i;
    EXPECT_NEAR(got.y[i], y[i], 1e-12) << i;
  }
}

TEST(Metrics, CurvesAreScikitLearnsPointByPoint) {
  const Reference r;
  const OneVsRest one = one_against_rest(r.p.label, r.p.probability, classes, 1);
  expect_curve(roc_curve(one.score, one.positive), r.want["roc"]);
  expect_curve(precision_recall_curve(one.score, one.positive), r.want["precision_recall"]);
}

TEST(Metrics, CalibrationIsScikitLearnsAndItsErrorTheWeightedGap) {
  const Reference r;
  std::size_t filled = 0;
  double error = 0, largest = 0;
  for (const CalibrationBin& bin : r.m.calibration.bins) {
    if (bin.count == 0) continue;
    EXPECT_NEAR(bin.confidence, r.want["calibration"][0][filled].get<double>(), 1e-6);
    EXPECT_NEAR(bin.accuracy, r.want["calibration"][1][filled].get<double>(), 1e-12);
    error += static_cast<double>(bin.count) / 300 * std::abs(bin.confidence - bin.accuracy);
    largest = std::max(largest, std::abs(bin.confidence - bin.accuracy));
    ++filled;
  }
  EXPECT_EQ(filled, r.want["calibration"][0].size());
  EXPECT_NEAR(r.m.calibration.expected_error, error, 1e-12);
  EXPECT_NEAR(r.m.calibration.largest_error, largest, 1e-12);
}

TEST(Metrics, OfLabelsAreScikitLearns) {
  const Reference r;
  const Json& want = r.want["labels"];
  std::vector<float> truth, p;
  for (std::int64_t i = 0; i < 300 * classes; ++i) {
    const auto label = static_cast<std::int64_t>(std::floor(test::unit(test::fnv("labels"), i / classes) * 3.5));
    truth.push_back(test::unit(test::fnv("many"), i) < 0.4 ? 1.0F : 0.0F);
    p.push_back(std::min(1.0F, static_cast<float>(std::floor(test::unit(test::fnv("scores"), i) * 40) / 40 +
                                                  (i % classes == label ? 0.75 : 0))));
  }
  const Metrics m = metrics_of_labels(truth, p, classes);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(m.classes[c].support, want["support"][c].get<std::int64_t>());
    EXPECT_NEAR(m.classes[c].precision, want["precision"][c].get<double>(), 1e-12);
    EXPECT_NEAR(m.classes[c].recall, want["recall"][c].get<double>(), 1e-12);
    EXPECT_NEAR(m.classes[c].f1, want["f1"][c].get<double>(), 1e-12);
    EXPECT_NEAR(m.classes[c].roc_auc, want["roc_auc"][c].get<double>(), 1e-12);
    EXPECT_NEAR(m.classes[c].average_precision, want["average_precision"][c].get<double>(), 1e-12);
  }
  EXPECT_NEAR(m.macro.f1, want["macro_f1"].get<double>(), 1e-12);
  EXPECT_NEAR(predicting::measure(TargetKind::labels, truth, p, classes), want["subset_accuracy"].get<double>(), 1e-12);
}

TEST(Metrics, OfNumbersAreScikitLearns) {
  const Reference r;
  const Json& want = r.want["values"];
  std::vector<float> truth, predicted;
  for (std::int64_t i = 0; i < 600; ++i) {
    truth.push_back(static_cast<float>(10 * test::unit(test::fnv("true"), i)));
    predicted.push_back(static_cast<float>(static_cast<double>(truth.back()) + test::unit(test::fnv("off"), i) - 0.5));
  }
  const auto m = metrics_of_values(truth, predicted, 2);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(m[k].mean_absolute_error, want["mae"][k].get<double>(), 1e-6);
    EXPECT_NEAR(m[k].root_mean_squared_error, want["rmse"][k].get<double>(), 1e-6);
    EXPECT_NEAR(m[k].r2, want["r2"][k].get<double>(), 1e-9);
  }
  EXPECT_NEAR(predicting::measure(TargetKind::values, truth, predicted, 2), want["r2_of_all"].get<double>(), 1e-9);
}

TEST(Metrics, AreZeroInsteadOfADivisionByZero) {
  const std::vector<std::int64_t> label{0, 0, -1, 7};
  const std::vector<float> probability{1, 0, 0, 1, 1, 0, 1, 0};
  const Metrics m = metrics_of(label, probability, 2);
  EXPECT_EQ(m.classes[0].support, 2);
  EXPECT_DOUBLE_EQ(m.classes[0].precision, 1);
  EXPECT_DOUBLE_EQ(m.classes[0].recall, 0.5);
  EXPECT_DOUBLE_EQ(m.classes[1].precision, 0);
  EXPECT_DOUBLE_EQ(m.classes[1].f1, 0);
  EXPECT_TRUE(std::isnan(m.classes[1].roc_auc)) << "nobody is of class 1";
  EXPECT_TRUE(roc_curve(std::vector<float>{1, 2}, {true, true}).x.empty());
  EXPECT_TRUE(precision_recall_curve({}, {}).x.empty());
  EXPECT_TRUE(metrics_of({}, {}, 3).classes[2].f1 == 0);
}

// Three labels: one without positives, one without negatives, one with both. scikit-learn refuses the area of the first
// two, and warns about the average precision of the first.
TEST(Metrics, UndefinedFiguresAreLeftOutOfTheMeans) {
  const std::vector<float> targets{0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0};
  const std::vector<float> p{0.1F, 0.9F, 0.8F, 0.2F, 0.7F, 0.6F, 0.3F, 0.2F, 0.4F, 0.9F, 0.8F, 0.5F};
  const Metrics m = metrics_of_labels(targets, p, 3);
  EXPECT_TRUE(std::isnan(m.classes[0].roc_auc) && std::isnan(m.classes[0].average_precision));
  EXPECT_TRUE(std::isnan(m.classes[1].roc_auc));
  EXPECT_DOUBLE_EQ(m.classes[1].average_precision, 1);
  EXPECT_DOUBLE_EQ(m.classes[2].roc_auc, 0.5);
  for (const ClassMetrics& mean : {m.macro, m.weighted}) EXPECT_DOUBLE_EQ(mean.roc_auc, 0.5);
  EXPECT_DOUBLE_EQ(m.macro.average_precision, (1 + m.classes[2].average_precision) / 2);
  EXPECT_DOUBLE_EQ(m.weighted.average_precision, (4 + 2 * m.classes[2].average_precision) / 6);
  EXPECT_DOUBLE_EQ(m.macro.precision, (m.classes[1].precision + m.classes[2].precision) / 3) << "0 is a precision";
  const Json j = to_json(m, {"never", "always", "some"});
  EXPECT_TRUE(j["classes"][0]["roc_auc"].dump() == "null" && j["classes"][1]["roc_auc"].dump() == "null");
  const Metrics none = metrics_of({}, {}, 3);
  EXPECT_TRUE(std::isnan(none.macro.roc_auc) && std::isnan(none.weighted.average_precision));
}

// Rows and scores that are not numbers, anywhere: nothing crashes, and the others keep their figures.
TEST(Metrics, ScoresThatAreNotNumbersAreLeftOut) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const Reference r;
  const std::string wanted = to_json(r.m, {}).dump();
  for (unsigned seed = 0; seed < 60; ++seed) {
    Predictions p;
    std::uint32_t random = seed;
    const auto next = [&] { return (random = random * 1664525u + 1013904223u) >> 16; };
    for (std::size_t i = 0; i <= r.p.label.size(); ++i) {
      for (unsigned bad = seed == 0 ? 0 : next() % 3; bad > 0; --bad) {
        p.label.push_back(static_cast<std::int64_t>(next() % classes));
        const std::size_t first = p.probability.size();
        for (std::int64_t c = 0; c < classes; ++c) p.probability.push_back(next() % 2 ? nan : 0.5F);
        p.probability[first + next() % classes] = next() % 3 == 0 ? inf : next() % 2 ? -inf : nan;
      }
      if (i == r.p.label.size()) break;
      p.label.push_back(r.p.label[i]);
      for (std::size_t c = 0; c < classes; ++c) p.probability.push_back(r.p.probability[i * classes + c]);
    }
    EXPECT_EQ(to_json(metrics_of(p.label, p.probability, classes), {}).dump(), wanted) << seed;
    const OneVsRest one = one_against_rest(p.label, p.probability, classes, 2);
    EXPECT_EQ(one.score.size(), r.p.label.size());
  }
  std::vector<float> all(300 * classes, nan), truth(300 * classes);
  for (std::size_t i = 0; i < truth.size(); ++i) truth[i] = static_cast<float>(i % 3 == 0);
  const Metrics labels = metrics_of_labels(truth, all, classes), none = metrics_of(r.p.label, all, classes);
  for (const Metrics& m : {labels, none}) {
    EXPECT_TRUE(std::isnan(m.macro.roc_auc));
    EXPECT_EQ(m.calibration.expected_error, 0);
  }
  EXPECT_EQ(decisions_of(one_label(truth, all, classes, 0)).front().right_yes, 0);
  EXPECT_TRUE(std::isnan(metrics_of_values(truth, all, classes)[0].r2));
  EXPECT_EQ(predicting::measure(TargetKind::labels, std::vector<float>(8), std::vector<float>(8, nan), 2), 0);
  const Calibration c =
      calibration_of(std::vector<float>{nan, inf, -inf, 0.5F, 1e30F}, {true, true, false, true, true});
  EXPECT_EQ(c.bins.back().count, 2);
  EXPECT_EQ(c.bins.front().count, 1);
}

TEST(Metrics, RSquaredOfConstantTargetsIsUndefinedAndTheirErrorsAreNotOfTheOthers) {
  const Reference r;
  const Json& want = r.want["constant_values"];
  for (const float constant : {0.5F, 0.1F, -3e7F, 1e-30F}) {
    std::vector<float> truth, predicted;
    for (std::int64_t i = 0; i < 900; ++i) {
      const double scale = i % 3 == 0 ? 10 : 5;
      truth.push_back(i % 3 == 1 ? constant : static_cast<float>(scale * test::unit(test::fnv("true"), i)));
      predicted.push_back(
          static_cast<float>(static_cast<double>(truth.back()) + test::unit(test::fnv("off"), i) - 0.5));
    }
    const auto m = metrics_of_values(truth, predicted, 3);
    EXPECT_TRUE(std::isnan(m[1].r2)) << constant << ": " << m[1].r2;
    EXPECT_EQ(m[1].deviation, 0);
    EXPECT_EQ(m[1].mean, static_cast<double>(constant));
    EXPECT_NEAR(m[0].r2, want["r2"][0].get<double>(), 1e-9);
    EXPECT_NEAR(m[2].r2, want["r2"][2].get<double>(), 1e-9);
    EXPECT_NEAR(predicting::measure(TargetKind::values, truth, predicted, 3), want["r2_of_all"].get<double>(), 1e-9);
  }
  const std::vector<float> same(40, 0.1F), other(40, 0.3F);
  EXPECT_TRUE(std::isnan(predicting::measure(TargetKind::values, same, other, 2)));
  EXPECT_EQ(to_json(metrics_of_values(same, other, 2), {"a", "b"})[1]["r2"].dump(), "null");
}

TEST(Metrics, AThinnedCurveKeepsItsEnds) {
  Curve c;
  for (int i = 0; i <= 1000; ++i) {
    c.x.push_back(i);
    c.y.push_back(2 * i);
    c.threshold.push_back(-i);
  }
  const Curve t = thinned(c, 50);
  ASSERT_EQ(t.x.size(), 50u);
  EXPECT_EQ(t.x.front(), 0);
  EXPECT_EQ(t.x.back(), 1000);
  EXPECT_EQ(thinned(c, 5000).x.size(), 1001u);
}

}  // namespace
}  // namespace nw

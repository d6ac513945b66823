// SPDX-License-Identifier: Apache-2.0
// The learning-rate finder and the memorise test.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/train/memorise.hpp"
#include "engine/train/rate_finder.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {
namespace {

TrialSource source(const Trial::Change& change = {}, const std::string& network = "mlp") {
  TrialSource s;
  s.definition.doc = Trial::project(change, network);
  return s;
}

TEST(RateFinder, FindsWhereACurveFallsMostSteeply) {
  std::vector<double> rates, losses;
  for (int i = 0; i < 100; ++i) {
    rates.push_back(1e-6 * std::pow(10, i * 0.07));
    losses.push_back(3 - 2 / (1 + std::exp(-(i - 60) / 4.0)) + (i > 80 ? 0.2 * (i - 80) : 0));
  }
  EXPECT_NEAR(std::log10(steepest_rate(rates, losses)), std::log10(rates[60]), 0.25);
  EXPECT_EQ(steepest_rate(rates, std::vector<double>(100, 2.0)), 0) << "it falls nowhere";
  EXPECT_NEAR(std::log10(suggested_rate(rates, losses)), std::log10(std::sqrt(rates[60] * rates[80] / 10)), 0.15);
  EXPECT_EQ(suggested_rate(rates, std::vector<double>(100, 2.0)), 0);
}

TEST(RateFinder, GivesABandOverItsSeedsAndARateThatTrains) {
  const auto f = find_rate(source(), {.lowest = 1e-6, .highest = 10, .steps = 60, .seeds = 3});
  ASSERT_TRUE(f) << f.error().str();
  EXPECT_EQ(f->losses.size(), 3U);
  EXPECT_NE(f->losses[0], f->losses[1]);
  ASSERT_FALSE(f->middle.empty());
  const auto [low, high] = std::minmax_element(f->suggestions.begin(), f->suggestions.end());
  EXPECT_GE(f->suggestion, *low);
  EXPECT_LE(f->suggestion, *high);
  for (std::size_t i = 0; i < f->middle.size(); ++i) {
    EXPECT_LE(f->low[i], f->middle[i]);
    EXPECT_LE(f->middle[i], f->high[i]);
  }
  ASSERT_GT(f->suggestion, 0);
  Trial t([&](TrainSettings& s, DataChoice&) { s.learning_rate = f->suggestion; });
  ASSERT_TRUE(t.run());
  EXPECT_LT(t.sink.all<EpochEnd>().back().train_loss, t.sink.all<EpochEnd>().front().train_loss);
}

TEST(RateFinder, LeavesTheRunThatItForksAsItIs) {
  Trial t;
  ASSERT_TRUE(t.run());
  const auto files = [&] {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(t.request.run))
      if (entry.is_regular_file()) all[entry.path().string()] = *read_file(entry.path(), std::uint64_t{1} << 30);
    return all;
  };
  const auto before = files();
  TrialSource s;
  s.definition = *read_run_definition(t.request.run);
  s.run = t.request.run;
  const auto f = find_rate(std::move(s), {.steps = 20, .seeds = 2});
  ASSERT_TRUE(f) << f.error().str();
  EXPECT_LT(f->losses[0].front(), 2.2) << "it begins with the trained weights";
  EXPECT_EQ(files(), before);
}

TEST(RateFinder, RefusesARangeThatIsNone) {
  EXPECT_FALSE(find_rate(source(), {.lowest = 1, .highest = 1}));
  EXPECT_FALSE(find_rate(source(), {.lowest = 0}));
}

TEST(Memorise, ANetworkThatCanLearnSaysSoInLessThanFiveSeconds) {
  const auto begin = std::chrono::steady_clock::now();
  const auto m = memorise(source([](TrainSettings& s, DataChoice&) { s.batch = 64; }, "lenet5"));
  ASSERT_TRUE(m) << m.error().str();
  EXPECT_EQ(m->verdict, MemoriseVerdict::learns);
  EXPECT_EQ(m->accuracy, 1);
  EXPECT_EQ(m->samples, 64);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 5);
  EXPECT_NE(sentence_of(*m).str().find("can learn"), std::string::npos);
}

TEST(Memorise, SaysWhatStandsInTheWay) {
  const auto verdict = [](double rate) {
    const auto m = memorise(source([&](TrainSettings& s, DataChoice&) { s.learning_rate = rate; }), 2);
    EXPECT_TRUE(m);
    return m->verdict;
  };
  EXPECT_EQ(verdict(1e-7), MemoriseVerdict::does_not_learn) << "ten times as much does not suffice either";
  EXPECT_EQ(verdict(1e30), MemoriseVerdict::not_finite);
}

}  // namespace
}  // namespace nw

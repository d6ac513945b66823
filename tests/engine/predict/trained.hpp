// SPDX-License-Identifier: Apache-2.0
// One small training run per test program, shared by the tests that predict with it.
#pragma once
#include <gtest/gtest.h>

#include "engine/data/cache/open.hpp"
#include "engine/data/split/split.hpp"
#include "engine/predict/predictor.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {

/// LeNet-5 trained on 2,000 synthetic digits; the first call trains it.
inline Trial& trained() {
  static Trial* trial = [] {
    auto* t = new Trial(
        [](TrainSettings& s, DataChoice& d) {
          d.synthetic_train = 2000;
          d.synthetic_test = 300;
          s.epochs = 3;
          s.optimizer.choose("adam");
          s.learning_rate = 1e-3;
        },
        "lenet5");
    const auto result = t->run();
    EXPECT_TRUE(result) << result.error().str();
    return t;
  }();
  return *trial;
}

/// The data set with the splits of the run, to get the test set that the run was evaluated on.
inline SplitData data_of(const Predictor& p) {
  SplitData d;
  d.data = *open_data(p.definition().doc.data(), p.definition().data_dir, true);
  d.splits = *split_data(d.data, p.definition().doc.data());
  return d;
}

inline std::vector<std::uint8_t> pixels(const SplitData& d, std::int64_t i) {
  std::vector<std::uint8_t> hwc(static_cast<std::size_t>(d.data.test->bytes()));
  EXPECT_TRUE(d.data.test->pixels(i, hwc));
  return hwc;
}

}  // namespace nw

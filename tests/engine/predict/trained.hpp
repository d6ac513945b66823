// SPDX-License-Identifier: Apache-2.0
// One small training per test program, for those who predict with it.
#pragma once
#include <gtest/gtest.h>

#include "engine/data/cache/open.hpp"
#include "engine/data/split/split.hpp"
#include "engine/predict/predictor.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {

/// LeNet-5 that has seen 2,000 synthetic digits; trained when first asked for.
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

/// The test set that the run was measured on.
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

// SPDX-License-Identifier: Apache-2.0
// Functors of blocks, thread by thread, on numbers whose sums are known.
#include <gmock/gmock.h>

#include <cmath>
#include <memory>

#include "kernels/cuda/blocks/list.hpp"

namespace nw::cuda {
namespace {

template <class F>
void run(const F& f, i64 blocks) {
  for (i64 block = 0; block < blocks; ++block) {
    auto shared = std::make_unique<typename F::Shared>();
    for (int phase = 0; phase < F::phases; ++phase)
      for (int thread = 0; thread < F::threads; ++thread) f(block, thread, phase, *shared);
  }
}

/// Six samples of one pixel and four channels, of which four are valid.
struct ShortBatch {
  static constexpr int channels = 4;
  alignas(16) float x[6 * channels];
  StepBlock step{};
  RowBlocks rows{6, 6, channels, 1, 1};
  ShortBatch() {
    for (int i = 0; i < 6 * channels; ++i) x[i] = static_cast<float>(i);
    step.valid = 4;
  }
  std::vector<double> sums(bool padding) const {
    std::vector<double> parts(2 * channels);
    run(SumRows<NormSums<float, channels>>{rows, {x}, parts.data(), 1, &step, padding}, 1);
    return parts;
  }
};

TEST(CudaBlocks, SumsAreOfTheValidSamplesOrOfThePadding) {
  const ShortBatch batch;
  EXPECT_THAT(batch.sums(false), testing::ElementsAre(24, 28, 32, 36, 224, 276, 336, 404));
  EXPECT_THAT(batch.sums(true), testing::ElementsAre(36, 38, 40, 42, 656, 730, 808, 890));
}

/// As cuDNN gives them: over the whole batch.
TEST(CudaBlocks, SumsOfTheWholeBatchLessThoseOfThePaddingAreThoseOfTheValidSamples) {
  const ShortBatch batch;
  const float sums[] = {60, 66, 72, 78}, squares[] = {880, 1006, 1144, 1294};
  const std::vector<double> padding = batch.sums(true);
  std::vector<double> stats(2 * ShortBatch::channels);
  const SubtractPadding less{sums, squares, stats.data(), ShortBatch::channels};
  run(SumColumns<SubtractPadding>{padding.data(), less, std::ssize(stats), 1, 8}, 1);
  EXPECT_EQ(stats, batch.sums(false));
}

TEST(CudaBlocks, SmoothedLabelsShareOneAmongTheClasses) {
  const float x[] = {0, 0};
  float dx[2];
  const i64 label = 0;
  LossPart part{};
  StepBlock step{};
  step.valid = 1;
  step.loss_divisor = 1;
  run(CrossEntropy<float>{{x, dx, 2, &part, &step, nullptr}, &label, 0.2}, 1);
  EXPECT_THAT(dx, testing::ElementsAre(testing::FloatEq(-0.4F), testing::FloatEq(0.4F)));
  EXPECT_NEAR(part.loss, std::log(2.0), 1e-12);
  EXPECT_EQ(part.correct, 1);
}

TEST(CudaBlocks, OfEqualScoresTheFirstClassCounts) {
  const float x[] = {1, 3, 3};
  StepBlock step{};
  step.valid = 1;
  step.loss_divisor = 1;
  for (const i64 label : {1, 2}) {
    LossPart part{};
    run(CrossEntropy<float>{{x, nullptr, 3, &part, &step, nullptr}, &label, 0}, 1);
    EXPECT_EQ(part.correct, label == 1);
  }
}

}  // namespace
}  // namespace nw::cuda

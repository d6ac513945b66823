// SPDX-License-Identifier: Apache-2.0
// Sums of whole blocks in the interpreter, at sizes that no number of threads divides. Small integers are added, so
// that every order gives the same sum.
#include <gmock/gmock.h>

#include <numeric>

#include "kernels/cuda/launches.hpp"
#include "tests/kernels/cuda/proof/simt.hpp"

namespace nw::proof {
namespace {

using cuda::i64;

template <class T>
std::vector<T> integers(std::size_t count) {
  std::vector<T> v(count);
  for (std::size_t i = 0; i < count; ++i) v[i] = static_cast<T>(static_cast<int>(i * 37 % 19) - 7);
  return v;
}
template <class F>
void run(const F& f, i64 count) {
  for (const i64 blocks : {count, (count + 2) / 3})
    EXPECT_THAT(interpret(metered_kernel(cuda::element_name<F>), &f, count, static_cast<unsigned>(blocks),
                          static_cast<unsigned>(count)),
                testing::IsEmpty());
}

std::vector<double> sums_of_columns(const std::vector<double>& parts, std::size_t count) {
  std::vector<double> sums(count);
  for (std::size_t i = 0; i < parts.size(); ++i) sums[i % count] += parts[i];
  return sums;
}

TEST(SimtSums, OfColumnsAddUp) {
  for (const i64 slices : {1, 2, 17, 255, 257, 1001})
    for (const i64 count : {1, 3, 16, 37})
      for (const int across : {1, 4, 16}) {
        const auto parts = integers<double>(static_cast<std::size_t>(slices * count));
        std::vector<double> sums(static_cast<std::size_t>(count));
        run(cuda::SumColumns<cuda::StoreSum<double>>{parts.data(), {sums.data()}, count, slices, across},
            (count + across - 1) / across);
        EXPECT_EQ(sums, sums_of_columns(parts, sums.size())) << slices << " slices, " << across << " across";
      }
}
TEST(SimtSums, OfPaddingAreSubtracted) {
  for (const i64 slices : {1, 63, 128, 301})
    for (const i64 channels : {1, 5, 24}) {
      const auto count = static_cast<std::size_t>(2 * channels);
      const auto parts = integers<double>(count * static_cast<std::size_t>(slices));
      const auto whole = integers<float>(count);
      std::vector<double> stats(count), wanted = sums_of_columns(parts, count);
      for (std::size_t i = 0; i < count; ++i) wanted[i] = static_cast<double>(whole[i]) - wanted[i];
      const cuda::SubtractPadding less{whole.data(), whole.data() + channels, stats.data(), channels};
      run(cuda::SumColumns<cuda::SubtractPadding>{parts.data(), less, 2 * channels, slices, 2}, channels);
      EXPECT_EQ(stats, wanted) << slices << " slices of " << channels << " channels";
    }
}
TEST(SimtSums, OfLossesAddUp) {
  for (const i64 count : {1, 3, 255, 257, 1000}) {
    const auto losses = integers<double>(static_cast<std::size_t>(count));
    std::vector<cuda::LossPart> parts;
    for (const double l : losses) parts.push_back({l, l > 0, 1});
    cuda::StepBlock step{};
    EXPECT_THAT(interpret(metered_kernel("nw_collect_loss"),
                          std::vector<cuda::CollectLoss>{{parts.data(), count, &step}}.data(), 1, 1, 3),
                testing::IsEmpty());
    EXPECT_EQ(step.loss_sum, std::accumulate(losses.begin(), losses.end(), 0.0));
    EXPECT_EQ(step.samples, count);
  }
}

struct Image {
  i64 samples, channels, pixels;
  std::vector<float> numbers = integers<float>(static_cast<std::size_t>(samples * channels * pixels));
  cuda::Sizes sizes() const { return {samples, channels, pixels, 1}; }
};
TEST(SimtSums, OfRowsAddUpByChannel) {
  for (const Image& x : {Image{3, 4, 1}, Image{5, 12, 7}, Image{3, 132, 81}, Image{7, 8, 1301}}) {
    cuda::StepBlock step{};
    step.valid = x.samples - 1;
    std::vector<double> wanted(static_cast<std::size_t>(x.channels));
    for (i64 i = 0; i < step.valid * x.pixels * x.channels; ++i)
      wanted[static_cast<std::size_t>(i % x.channels)] += static_cast<double>(x.numbers[static_cast<std::size_t>(i)]);
    using Term = cuda::SumOfChannel<float, 4>;
    const cuda::RowBlocks rows = cuda::row_blocks(x.sizes(), 4, 64, 8, 256);
    const i64 slices = (rows.rows + rows.rows_per_slice - 1) / rows.rows_per_slice;
    std::vector<double> parts(static_cast<std::size_t>(slices * x.channels));
    run(cuda::SumRows<Term>{rows, {x.numbers.data()}, parts.data(), x.pixels, &step, false}, slices * rows.tiles);
    EXPECT_EQ(sums_of_columns(parts, wanted.size()), wanted) << x.channels << " channels";
  }
}
TEST(SimtSums, OfProductsOverPixelsAddUp) {
  for (const Image& x : {Image{2, 1, 1}, Image{1, 3, 301}, Image{3, 17, 5}, Image{2, 40, 49}})
    for (const int across : {1, 2, 16}) {
      std::vector<float> dx(static_cast<std::size_t>(x.samples * x.channels)), wanted(dx.size());
      cuda::Factors<float> f{{x.numbers.data(), x.numbers.data()}, {}, 2, x.channels, x.pixels};
      for (std::size_t i = 0; i < x.numbers.size(); ++i) {
        const auto c = static_cast<i64>(i) % x.channels, n = static_cast<i64>(i) / (x.channels * x.pixels);
        wanted[static_cast<std::size_t>(n * x.channels + c)] += x.numbers[i] * x.numbers[i];
      }
      using Blocks = cuda::SumPixels<cuda::MultiplyGradScale<float>>;
      run(Blocks{{f, dx.data()}, x.channels, x.pixels, across}, x.samples * Blocks::tiles(x.channels, across));
      EXPECT_EQ(dx, wanted) << x.channels << " channels, " << across << " across";
    }
}

}  // namespace
}  // namespace nw::proof

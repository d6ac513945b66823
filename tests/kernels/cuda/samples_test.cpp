// SPDX-License-Identifier: Apache-2.0
// Images made on the device from pixels that lie there are those that the engine makes, byte for byte.
#include <gtest/gtest.h>

#include "engine/data/batches/batch.hpp"
#include "engine/data/dataset.hpp"
#include "kernels/cuda/elements/samples.hpp"
#include "kernels/fill_inputs.hpp"

namespace nw::test {
namespace {

/// Pixels by a rule, in memory.
class Noise final : public Dataset {
 public:
  Noise(std::int64_t count, std::int64_t height, std::int64_t width, std::int64_t channels)
      : count_(count),
        height_(height),
        width_(width),
        channels_(channels),
        pixels_(static_cast<std::size_t>(count * bytes())) {
    for (std::size_t i = 0; i < pixels_.size(); ++i) pixels_[i] = static_cast<std::uint8_t>(i * 2654435761u >> 9);
  }
  std::int64_t size() const override { return count_; }
  std::int64_t channels() const override { return channels_; }
  std::int64_t height() const override { return height_; }
  std::int64_t width() const override { return width_; }
  Status pixels(std::int64_t i, std::span<std::uint8_t> hwc) const override {
    std::copy_n(in_memory(i), bytes(), hwc.begin());
    return {};
  }
  const std::uint8_t* in_memory(std::int64_t i) const override { return pixels_.data() + i * bytes(); }
  std::int64_t label(std::int64_t i) const override { return i % 10; }
  std::string origin(std::int64_t) const override { return "noise"; }

 private:
  const std::int64_t count_, height_, width_, channels_;
  std::vector<std::uint8_t> pixels_;
};

struct Case {
  std::int64_t height, width, channels;
  Augmentation augmentation;
};
class Gathered : public testing::TestWithParam<Case> {};

TEST_P(Gathered, AreTheImagesThatTheEngineMakes) {
  const Case& c = GetParam();
  constexpr std::int64_t batch = 16, valid = 13;
  constexpr std::uint64_t seed = 0x123456789abcdef;
  const auto data = std::make_shared<Noise>(50, c.height, c.width, c.channels);
  Normalization norm{{0.4F, 0.5F, 0.3F}, {0.2F, 0.25F, 0.3F}};
  norm.mean.resize(static_cast<std::size_t>(c.channels));
  norm.deviation.resize(static_cast<std::size_t>(c.channels));
  const BatchBuilder maker(data, {}, norm, c.augmentation, seed);
  std::vector<std::int64_t> order;
  for (std::int64_t n = 0; n < batch; ++n) order.push_back(n * 31 % 50);
  const auto elements = static_cast<std::size_t>(batch * data->bytes());
  for (const std::int64_t epoch : {0, 7}) {
    std::vector<float> wanted(elements, 0), got(elements, -1);
    ASSERT_TRUE(maker.fill(std::span(order).first(valid), epoch, true,
                           std::span(wanted).first(static_cast<std::size_t>(valid * data->bytes()))));
    const auto set = maker.samples();
    ASSERT_TRUE(set.has_value());
    const std::vector<float> table = pixel_table(set->scales);
    cuda::StepBlock block{};
    block.seed = seed;
    block.epoch = epoch;
    block.valid = valid;
    cuda::Burst burst{};
    burst.source = {data->in_memory(0), nullptr,           table.data(), c.height,     c.width,
                    c.channels,         set->crop_padding, set->mirror,  set->crop_op, set->flip_op};
    const cuda::GatherImages gather{got.data(), &burst, &block, order.data()};
    for (std::size_t i = 0; i < elements; ++i) gather(static_cast<cuda::i64>(i));
    EXPECT_EQ(got, wanted) << "epoch " << epoch;
  }
}
INSTANTIATE_TEST_SUITE_P(Sets, Gathered,
                         testing::Values(Case{28, 28, 1, {}}, Case{28, 28, 1, {true, 4, false}},
                                         Case{9, 14, 3, {true, 2, true}}, Case{8, 8, 3, {false, 4, true}}));

}  // namespace
}  // namespace nw::test

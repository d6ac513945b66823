// SPDX-License-Identifier: Apache-2.0
// Images that are computed, or read as bytes from memory, while a step runs.
#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "kernels/cpu/instruction_set.hpp"
#include "kernels/cpu/tiles/tile_check.hpp"
#include "tests/kernels/lenet_plan.hpp"
#include "tests/kernels/memory_pixels.hpp"

namespace nw::test {
namespace {

/// Images from memory; those from `broken` on fail.
struct MemoryImages final : StepInputs {
  std::vector<float> all;
  std::int64_t per_image = 1, broken = std::numeric_limits<std::int64_t>::max();
  Status images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const override {
    if (first + count > broken) return fail(Errc::bad_input, "image {0} is gone", broken);
    for (std::int64_t i = 0; i < count * per_image; ++i) {
      const auto at = static_cast<std::size_t>(first * per_image + i);
      nhwc[static_cast<std::size_t>(i)] = at < all.size() ? all[at] : 0.0F;
    }
    return {};
  }
};

TEST(StepImages, ImagesCreatedDuringTheStepGiveTheSameResult) {
  NetBuilder n = lenet(40);
  n.train("sgd", sgd_attrs());
  Bench written(n.tiny, *device_of(cpu_backend()), 2), made(n.tiny, *device_of(cpu_backend()), 3);
  for (Bench* b : {&written, &made}) {
    initialise(*b);
    load_digits(*b);
  }
  MemoryImages images;
  images.all = made.read("images");
  images.per_image = static_cast<std::int64_t>(images.all.size()) / 40;
  made.write("images", std::vector<float>(images.all.size(), 7.0F));  // these are not read
  StepArgs args = step_args(0, 37, 0.1);
  ASSERT_TRUE(static_cast<bool>(written.executable().run(args)));
  args.inputs = &images;
  ASSERT_TRUE(static_cast<bool>(made.executable().run(args)));
  EXPECT_EQ(written.executable().metrics().loss_sum, made.executable().metrics().loss_sum);
  EXPECT_EQ(weights_of(written), weights_of(made));
}

TEST(StepImages, PixelsReadInPlaceGiveTheSameResult) {
  NetBuilder n = lenet(40);
  n.train("sgd", sgd_attrs());
  Bench a(n.tiny, *device_of(cpu_backend()), 2), b(n.tiny, *device_of(cpu_backend()), 3);
  MemoryPixels in_place;
  for (Bench* bench : {&a, &b}) {
    initialise(*bench);
    load_digits(*bench);
  }
  in_place.pixels.resize(a.read("images").size());
  in_place.per_image = std::ssize(in_place.pixels) / 40;
  for (std::size_t i = 0; i < in_place.pixels.size(); ++i) in_place.pixels[i] = static_cast<std::uint8_t>(i * i % 251);
  const MemoryPixels made = in_place;
  in_place.missing = 20;  // the images of its shard are computed
  StepArgs args = step_args(0, 37, 0.1);
  args.inputs = &in_place;
  ASSERT_TRUE(static_cast<bool>(a.executable().run(args)));
  std::vector<float> images(in_place.pixels.size());
  ASSERT_TRUE(static_cast<bool>(made.images(0, 37, {images.data(), static_cast<std::size_t>(37 * made.per_image)})));
  b.write("images", images);
  args.inputs = nullptr;
  ASSERT_TRUE(static_cast<bool>(b.executable().run(args)));
  EXPECT_EQ(a.executable().metrics().loss_sum, b.executable().metrics().loss_sum);
  EXPECT_EQ(weights_of(a), weights_of(b));
}

/// Checks the range of samples and the size of the buffer.
struct CountedImages final : StepInputs {
  std::int64_t per_image = 1, batch = 1;
  mutable std::atomic<bool> beyond = false;
  Status images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const override {
    if (first + count > batch || std::ssize(nhwc) != count * per_image) beyond = true;
    return {};
  }
};

// Large images are written to the area in host layout, which has space for exactly one batch.
TEST(StepImages, NoImageBeyondTheBatchIsRequested) {
  for (const std::int64_t batch : {1, 20}) {
    NetBuilder n(batch, {batch, 3, 48, 48});
    n.conv("conv1", 2, 3);
    n.flatten();
    n.linear("fc1", 10);
    n.train("sgd", sgd_attrs());
    Bench b(n.tiny, *device_of(cpu_backend()), 2);
    initialise(b);
    b.write("labels", std::vector<std::int64_t>(static_cast<std::size_t>(batch)));
    CountedImages images;
    images.per_image = 3 * 48 * 48;
    images.batch = batch;
    StepArgs args = step_args(0, batch, 0.1);
    args.inputs = &images;
    ASSERT_TRUE(static_cast<bool>(b.executable().run(args)));
    EXPECT_FALSE(images.beyond) << "batch " << batch;
  }
}

TEST(StepImages, AFailedImageEndsTheStepAndKeepsTheWeights) {
  NetBuilder n = lenet(40);
  n.train("adam", adam_attrs());
  Bench b(n.tiny, *device_of(cpu_backend()), 2);
  initialise(b);
  load_digits(b);
  MemoryImages images;
  images.all = b.read("images");
  images.per_image = static_cast<std::int64_t>(images.all.size()) / 40;
  images.broken = 20;
  StepArgs args = step_args(0, 40, 0.1);
  args.inputs = &images;
  const std::vector<float> before = weights_of(b);
  const Status status = b.executable().run(args);
  ASSERT_FALSE(static_cast<bool>(status));
  EXPECT_EQ(status.error().what.str(), "image 20 is gone");
  EXPECT_EQ(weights_of(b), before);
}

#if defined(__x86_64__)
// Every byte value with several divisors: the quotients must be bitwise equal to those of the scaled rows.
TEST(StepImages, BytesAreScaledIntoLanesExactlyAsRows) {
  std::vector<const cpu::VectorKernels*> all{&cpu::portable::vector_kernels()};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all.push_back(&cpu::avx2::vector_kernels());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
    all.push_back(&cpu::avx512::vector_kernels());
  const float mean[] = {0.4914F, 0.33333F, 7.0F};
  float deviation[] = {0.2023F, 1.0F, 0.0071F};
  for (const cpu::VectorKernels* k : all)
    for (const std::int64_t channels : {1, 3})
      for (const std::int64_t pixels : {1, 5, 16, 49, 784}) {
        const std::int64_t elements = channels * pixels;
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(16 * elements));
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 % 256);
        for (float& d : deviation) d *= 1.013F;
        const std::uint8_t* samples[16];
        std::vector<float> rows(bytes.size()), wanted(bytes.size()), got(bytes.size());
        for (std::int64_t lane = 0; lane < 16; ++lane) samples[lane] = bytes.data() + lane * elements;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const std::size_t c = i % static_cast<std::size_t>(channels);
          rows[i] = (static_cast<float>(bytes[i]) / 255.0F - mean[c]) / deviation[c];
        }
        k->lanes_from_rows(rows.data(), channels, pixels, 16, wanted.data());
        k->lanes_from_bytes({samples, channels, pixels, mean, deviation, got.data()});
        EXPECT_EQ(got, wanted) << k->isa << ", " << channels << " x " << pixels;
      }
}
#endif

}  // namespace
}  // namespace nw::test

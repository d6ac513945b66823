// SPDX-License-Identifier: Apache-2.0
// The int8 kernels of every instruction set that this processor has, against plain integer loops: equal bytes.
#include "kernels/int8.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "tests/kernels/int8_images.hpp"
#include "tests/kernels/tile_trap.hpp"

namespace nw::int8 {
namespace {

using Random = std::mt19937;
std::int64_t pick(Random& r, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(r() % static_cast<unsigned>(most - least + 1));
}

std::uint8_t number_of(float v, const Rounding& r) {
  const float least = static_cast<float>(r.least - r.zero), most = static_cast<float>(r.most - r.zero);
  return static_cast<std::uint8_t>(std::nearbyint(std::clamp(v, least, most)) + static_cast<float>(r.zero));
}
Rounding some_rounding(Random& r) {
  const auto zero = static_cast<std::int32_t>(pick(r, 0, 255));
  return pick(r, 0, 1) ? Rounding{zero, 0, 255} : Rounding{zero, zero, static_cast<std::int32_t>(pick(r, zero, 255))};
}

/// A convolution of random sizes with all that it needs; `groups` parts of it are products of their own.
struct Case {
  std::int64_t images, height, width, in, out, groups, ky, kx, stride, padding, dilation, oh, ow;
  std::vector<std::int8_t> weights;  // (out, in / groups, ky, kx)
  std::vector<std::int32_t> bias;
  std::vector<float> factor;
  Rounding rounding;
  std::int32_t zero;

  explicit Case(Random& r) {
    groups = pick(r, 0, 3) ? 1 : pick(r, 2, 3);
    images = pick(r, 1, 3);
    height = pick(r, 5, 9);
    width = pick(r, 5, 9);
    in = groups * pick(r, 1, 21);
    out = groups * pick(r, 1, 40);
    ky = pick(r, 1, 3);
    kx = pick(r, 1, 3);
    stride = pick(r, 1, 2);
    padding = pick(r, 0, 2);
    dilation = pick(r, 1, 2);
    oh = (height + 2 * padding - dilation * (ky - 1) - 1) / stride + 1;
    ow = (width + 2 * padding - dilation * (kx - 1) - 1) / stride + 1;
    rounding = some_rounding(r);
    zero = static_cast<std::int32_t>(pick(r, 0, 255));
    for (std::int64_t i = 0; i < out * in / groups * ky * kx; ++i)
      weights.push_back(static_cast<std::int8_t>(pick(r, 0, 9) ? pick(r, -127, 127) : pick(r, 0, 1) * 254 - 127));
    for (std::int64_t i = 0; i < out; ++i) {
      bias.push_back(static_cast<std::int32_t>(pick(r, -5000, 5000)));
      factor.push_back(static_cast<float>(pick(r, 1, 1000)) * 1e-5F);
    }
  }
  std::int64_t weight(std::int64_t o, std::int64_t c, std::int64_t y, std::int64_t x) const {
    return weights[static_cast<std::size_t>(((o * in / groups + c) * ky + y) * kx + x)];
  }
  /// The sum without the part of the zero point.
  std::int64_t sum(Images& from, std::int64_t n, std::int64_t oy, std::int64_t ox, std::int64_t o) const {
    std::int64_t all = bias[static_cast<std::size_t>(o)];
    const std::int64_t first = o / (out / groups) * (in / groups);
    for (std::int64_t c = 0; c < in / groups; ++c)
      for (std::int64_t y = 0; y < ky; ++y)
        for (std::int64_t x = 0; x < kx; ++x) {
          const std::int64_t iy = oy * stride - padding + y * dilation, ix = ox * stride - padding + x * dilation;
          const bool inside = iy >= 0 && iy < height && ix >= 0 && ix < width;
          all += weight(o, c, y, x) * ((inside ? from.at(n, iy, ix, first + c) : zero) - zero);
        }
    return all;
  }
};

template <class T>
std::vector<T> whole_blocks(std::vector<T> v) {
  v.resize((v.size() + block - 1) / block * block);
  return v;
}

Product product_of(const Kernels& k, const Case& c, std::int64_t group, const View& in, const View& out) {
  const std::int64_t each = c.in / c.groups, outputs = c.out / c.groups;
  Product p{.in = in, .out = out, .step_y = c.stride * in.row, .step_x = c.stride * in.channels};
  const bool joined = c.dilation == 1 && c.groups == 1;
  const std::int64_t taps = joined ? 1 : c.kx;
  for (std::int64_t y = 0; y < c.ky; ++y)
    for (std::int64_t x = 0; x < taps; ++x)
      p.runs.push_back((y * c.dilation - c.padding) * in.row + (x * c.dilation - c.padding) * in.channels +
                       group * each);
  p.run = joined ? c.kx * each : each;
  p.outputs = outputs;
  p.first_output = group * outputs;
  std::vector<std::int8_t> ordered;
  Constants constants;
  for (std::int64_t o = 0; o < outputs; ++o) {
    std::int32_t all = 0;
    for (std::int64_t y = 0; y < c.ky; ++y)
      for (std::int64_t x = 0; x < c.kx; ++x)
        for (std::int64_t i = 0; i < each; ++i) {
          ordered.push_back(static_cast<std::int8_t>(c.weight(group * outputs + o, i, y, x)));
          all += ordered.back();
        }
    const auto at = static_cast<std::size_t>(group * outputs + o);
    constants.bias.push_back(c.bias[at] - c.zero * all);
    constants.factor.push_back(c.factor[at]);
  }
  constants = {pack(k, ordered, outputs, std::ssize(p.runs), p.run), whole_blocks(constants.bias),
               whole_blocks(constants.factor)};
  p.constants = std::make_shared<Constants>(std::move(constants));
  p.rounding = c.rounding;
  return p;
}

/// In two parts of the pixels and two of the blocks.
void run_in_parts(const Kernels& k, const Product& p, std::int64_t images) {
  const std::int64_t pixels = images * p.out.height * p.out.width, blocks = (p.outputs + block - 1) / block;
  for (const Range pixel : {Range{0, pixels / 3}, Range{pixels / 3, pixels}})
    for (const Range part : {Range{0, blocks / 2}, Range{blocks / 2, blocks}}) k.product(p, pixel, part);
}

void check_convolution(const Kernels& k, const Case& c, Random& r) {
  Images in(c.images, c.height, c.width, c.in, c.padding, c.zero), out(c.images, c.oh, c.ow, c.out, 1, 7);
  in.fill(r);
  for (std::int64_t g = 0; g < c.groups; ++g) run_in_parts(k, product_of(k, c, g, in.view(), out.view()), c.images);
  Images wanted(c.images, c.oh, c.ow, c.out, 1, 7);
  for (std::int64_t n = 0; n < c.images; ++n)
    for (std::int64_t y = 0; y < c.oh; ++y)
      for (std::int64_t x = 0; x < c.ow; ++x)
        for (std::int64_t o = 0; o < c.out; ++o)
          wanted.at(n, y, x, o) =
              number_of(static_cast<float>(c.sum(in, n, y, x, o)) * c.factor[static_cast<std::size_t>(o)], c.rounding);
  EXPECT_TRUE(out.bytes == wanted.bytes) << k.name << ": borders and what lies behind stay, too";
}

TEST(Int8, ConvolutionsAreThoseOfPlainLoopsOnEveryInstructionSet) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random r(seed);
    const Case c(r);
    for (const Kernels* k : all_kernels()) {
      Random same(seed + 1000);
      check_convolution(*k, c, same);
      ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
  }
}

TEST(Int8, ConvolutionsByTilesAreThoseOfPlainLoops) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random r(seed), same(seed + 1000);
    check_convolution(emulated_tiles(), Case(r), same);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST(Int8, TheMachineCodeOfAmxIsThatOfPlainLoopsOnTheEmulatedUnit) {
  if (!test::TileTrap::possible()) GTEST_SKIP() << "this processor cannot run what lies between the tile instructions";
  const bool own = std::string(all_kernels().front()->name) == "amx";
  const test::TileTrap trap;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Random r(seed), same(seed + 1000);
    check_convolution(amx_kernels(), Case(r), same);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_TRUE(same_products(amx_kernels(), *all_kernels().back()));
  EXPECT_TRUE(own || test::TileTrap::count() > 100);
}

TEST(Int8, AUnitWithWrongProductsIsFound) {
  Kernels wrong = *all_kernels().back();
  wrong.product = [](const Product& p, Range pixels, Range blocks) {
    all_kernels().back()->product(p, pixels, blocks);
    p.scores[1000] += 1;
  };
  EXPECT_FALSE(same_products(wrong, *all_kernels().back()));
  EXPECT_TRUE(same_products(emulated_tiles(), *all_kernels().back()));
}

TEST(Int8, TheLargestNumbersDoNotSaturate) {
  std::vector<const Kernels*> every = all_kernels();
  every.push_back(&emulated_tiles());
  for (const Kernels* k : every) {
    Images in(1, 1, 1, 400, 0, 0), out(1, 1, 1, 1, 0, 0);
    std::fill_n(in.bytes.begin(), 400, std::uint8_t{255});
    float score = 0;
    Product p{.in = in.view(), .out = out.view(), .runs = {0}, .run = 400, .outputs = 1, .scores = &score};
    const std::vector<std::int8_t> weights(400, 127);
    p.constants = std::make_shared<Constants>(
        Constants{pack(*k, weights, 1, 1, 400), std::vector<std::int32_t>(block), std::vector<float>(block, 1)});
    k->product(p, {0, 1}, {0, 1});
    EXPECT_EQ(score, 400.0F * 255 * 127) << k->name;
  }
}

TEST(Int8, HalvesAreRoundedToEvenAndLimitsHold) {
  for (const Kernels* k : all_kernels()) {
    std::vector<float> from{0.5F, 1.5F, 2.5F, -0.5F, -1.5F, 1e9F, -1e9F, INFINITY, -INFINITY, NAN, 0.49999997F};
    std::vector<std::uint8_t> to(from.size() + slack_bytes, 3);
    k->quantize(from.data(), to.data(), std::ssize(from), 1, 10);
    const std::vector<std::uint8_t> wanted{10, 12, 12, 10, 8, 255, 0, 255, 0, 10, 10, 3};
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), to.begin())) << k->name;
  }
}

TEST(Int8, DepthwiseConvolutionsAreThoseOfPlainLoops) {
  for (unsigned seed = 0; seed < 60; ++seed)
    for (const Kernels* k : all_kernels()) {
      Random r(seed);
      const std::int64_t n = 2, h = 6, w = 7, ch = pick(r, 1, 37), oh = (h - 1) / 2 + 1, ow = (w - 1) / 2 + 1;
      const auto zero = static_cast<std::int32_t>(pick(r, 0, 255));
      Images in(n, h, w, ch, 1, zero), out(n, oh, ow, ch, 0, 0);
      in.fill(r);
      Depthwise d{.in = in.view(), .out = out.view(), .step_y = 2 * in.row(), .step_x = 2 * ch};
      for (std::int64_t t = 0; t < 9; ++t) d.taps.push_back((t / 3 - 1) * in.row() + (t % 3 - 1) * ch);
      const std::int64_t whole = (ch + block - 1) / block * block;
      Constants constants;
      for (std::int64_t i = 0; i < 9 * whole; ++i)
        constants.weights.push_back(static_cast<std::int8_t>(pick(r, -127, 127)));
      for (std::int64_t i = 0; i < whole; ++i) {
        constants.bias.push_back(static_cast<std::int32_t>(pick(r, -999, 999)));
        constants.factor.push_back(static_cast<float>(pick(r, 1, 100)) * 1e-4F);
      }
      d.constants = std::make_shared<Constants>(constants);
      d.rounding = some_rounding(r);
      k->depthwise(d, {0, oh});
      k->depthwise(d, {oh, n * oh});
      for (std::int64_t i = 0; i < n * oh * ow * ch; ++i) {
        const std::int64_t c = i % ch, x = i / ch % ow, y = i / ch / ow % oh, image = i / ch / ow / oh;
        std::int32_t sum = constants.bias[static_cast<std::size_t>(c)];
        for (std::int64_t t = 0; t < 9; ++t)
          sum += in.at(image, 2 * y + t / 3 - 1, 2 * x + t % 3 - 1, c) *
                 constants.weights[static_cast<std::size_t>(t * whole + c)];
        ASSERT_EQ(out.at(image, y, x, c),
                  number_of(static_cast<float>(sum) * constants.factor[static_cast<std::size_t>(c)], d.rounding))
            << k->name << ", seed " << seed;
      }
    }
}

/// A pooled number by plain loops.
std::uint8_t pooled(const Pool& p, Images& in, std::int64_t n, std::int64_t oy, std::int64_t ox, std::int64_t c) {
  std::int32_t most = 0, sum = 0, inside = 0, padded = 0;
  for (std::int64_t y = oy * p.stride_y - p.padding_y; y < oy * p.stride_y - p.padding_y + p.kernel_y; ++y)
    for (std::int64_t x = ox * p.stride_x - p.padding_x; x < ox * p.stride_x - p.padding_x + p.kernel_x; ++x) {
      if (y < in.height + p.padding_y && x < in.width + p.padding_x) ++padded;
      if (y < 0 || y >= in.height || x < 0 || x >= in.width) continue;
      most = std::max<std::int32_t>(most, in.at(n, y, x, c));
      sum += in.at(n, y, x, c) - p.zero;
      ++inside;
    }
  if (!p.mean) return static_cast<std::uint8_t>(most);
  const float factor = p.factor / static_cast<float>(p.counts_padding ? padded : inside);
  return number_of(static_cast<float>(sum) * factor, p.rounding);
}

TEST(Int8, PoolingIsThatOfPlainLoops) {
  for (unsigned seed = 0; seed < 120; ++seed)
    for (const Kernels* k : all_kernels()) {
      Random r(seed);
      const std::int64_t h = pick(r, 4, 8), w = pick(r, 4, 8), ch = pick(r, 1, 40);
      Images in(2, h, w, ch, 1, 200);
      in.fill(r);
      Pool p{.in = in.view(), .kernel_y = pick(r, 2, 3), .kernel_x = pick(r, 2, 3), .stride_y = pick(r, 1, 2)};
      p.stride_x = p.stride_y;
      p.padding_y = p.padding_x = pick(r, 0, 1);
      p.mean = pick(r, 0, 1);
      p.counts_padding = pick(r, 0, 1);
      p.zero = static_cast<std::int32_t>(pick(r, 0, 255));
      p.factor = 0.9F;
      p.rounding = some_rounding(r);
      const std::int64_t oh = (h + 2 * p.padding_y - p.kernel_y) / p.stride_y + 1,
                         ow = (w + 2 * p.padding_x - p.kernel_x) / p.stride_x + 1;
      Images out(2, oh, ow, ch, 0, 0);
      p.out = out.view();
      k->pool(p, {0, 1});
      k->pool(p, {1, 2 * oh});
      for (std::int64_t i = 0; i < 2 * oh * ow * ch; ++i) {
        const std::int64_t c = i % ch, x = i / ch % ow, y = i / ch / ow % oh, n = i / ch / ow / oh;
        ASSERT_EQ(out.at(n, y, x, c), pooled(p, in, n, y, x, c)) << k->name << ", seed " << seed;
      }
    }
}

TEST(Int8, SumsAndProductsOfTwoValuesAreThoseOfPlainLoops) {
  for (unsigned seed = 0; seed < 120; ++seed)
    for (const Kernels* k : all_kernels()) {
      Random r(seed);
      const std::int64_t h = pick(r, 1, 5), w = pick(r, 1, 5), ch = pick(r, 1, 40);
      const bool one = pick(r, 0, 1);
      Images a(2, h, w, ch, 1, 0), b(2, one ? 1 : h, one ? 1 : w, ch, one ? 0 : 2, 0), out(2, h, w, ch, 1, 9);
      a.fill(r);
      b.fill(r);
      Pair p{a.view(), b.view(), out.view(), static_cast<std::int32_t>(pick(r, 0, 255)), 128, 0.37F, 0.21F};
      p.multiplies = pick(r, 0, 1);
      if (p.multiplies) p.factor_a = 0.003F;
      p.rounding = some_rounding(r);
      k->pair(p, {0, 2 * h});
      for (std::int64_t i = 0; i < 2 * h * w * ch; ++i) {
        const std::int64_t c = i % ch, x = i / ch % w, y = i / ch / w % h, n = i / ch / w / h;
        const int va = a.at(n, y, x, c) - p.zero_a, vb = b.at(n, one ? 0 : y, one ? 0 : x, c) - p.zero_b;
        const volatile float fa = static_cast<float>(va) * p.factor_a, fb = static_cast<float>(vb) * p.factor_b;
        ASSERT_EQ(out.at(n, y, x, c),
                  number_of(p.multiplies ? static_cast<float>(va * vb) * p.factor_a : fa + fb, p.rounding))
            << k->name << ", seed " << seed;
      }
    }
}

TEST(Int8, TheEnvironmentNamesAnInstructionSet) {
  ASSERT_EQ(setenv("NETWRIGHT_INT8", "portable", 1), 0);
  EXPECT_STREQ(best_kernels().name, "portable");
  ASSERT_EQ(setenv("NETWRIGHT_INT8", "none such", 1), 0);
  EXPECT_STREQ(best_kernels().name, all_kernels().front()->name);
  unsetenv("NETWRIGHT_INT8");
}

}  // namespace
}  // namespace nw::int8

// SPDX-License-Identifier: Apache-2.0
// How other programs write layers that work on ranges of channels, or on channels that lie last.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/exchange/tiny_model.hpp"

namespace nw::exchange {
namespace {

using testing::HasSubstr;
using testing::Not;
using Ints = std::vector<std::int64_t>;

std::string imported(TinyModel& t, const std::string& value, std::int64_t features) {
  t.classify(t.node("Flatten", {value}), features);
  const auto n = t.imported();
  return n ? described(n->doc) : n.error().str();
}

std::string shuffled(TinyModel& t, const Ints& apart, const Ints& perm) {
  const std::string groups = t.node("Reshape", {"x", t.sizes("apart", apart)});
  return t.node("Reshape", {t.node("Transpose", {groups}, {{"perm", perm}}), t.sizes("image", {0, 6, 2, 2})});
}

TEST(OnnxChannels, AnExchangeOfGroupsAndTheirChannelsIsAShuffle) {
  TinyModel t({-1, 6, 2, 2});
  EXPECT_THAT(imported(t, shuffled(t, {0, 3, 2, 2, 2}, {0, 2, 1, 3, 4}), 24), HasSubstr("ChannelShuffle groups=3"));
  TinyModel flat({-1, 6, 2, 2});
  EXPECT_THAT(imported(flat, shuffled(flat, {0, 2, 3, 4}, {0, 2, 1, 3}), 24), HasSubstr("ChannelShuffle groups=2"));
}

TEST(OnnxChannels, AnExchangeWithPixelsIsNone) {
  for (const Ints& perm : {Ints{0, 3, 2, 1, 4}, Ints{0, 1, 3, 2, 4}, Ints{0, 2, 1, 4, 3}}) {
    TinyModel t({-1, 6, 2, 2});
    EXPECT_THAT(imported(t, shuffled(t, {0, 3, 2, 2, 2}, perm), 24), HasSubstr("other axes"));
  }
  TinyModel rows({-1, 6, 2, 2});  // the groups are of pixels
  EXPECT_THAT(imported(rows, shuffled(rows, {0, 12, 2, 1}, {0, 2, 1, 3}), 24), HasSubstr("other axes"));
}

/// A Split with these inputs and attributes, whose outputs are "a", "b" and so on.
void split(TinyModel& t, std::vector<std::string> in, Attributes attributes, std::size_t parts) {
  t.node("Split", std::move(in), std::move(attributes));
  t.model.nodes.back().outputs.clear();
  for (std::size_t i = 0; i < parts; ++i)
    t.model.nodes.back().outputs.push_back(std::string(1, static_cast<char>('a' + i)));
}

TEST(OnnxChannels, ASplitIsASliceForEachPartThatIsRead) {
  TinyModel t({-1, 6, 4, 5});
  split(t, {"x", t.sizes("parts", {1, 3, 2})}, {{"axis", std::int64_t{1}}}, 3);
  const std::string joined = t.node("Concat", {"c", t.node("Relu", {"a"})}, {{"axis", std::int64_t{1}}});
  const std::string read = imported(t, joined, 60);
  EXPECT_THAT(read, HasSubstr("Slice dim=channels end=1 start=0"));
  EXPECT_THAT(read, HasSubstr("Slice dim=channels end=6 start=4"));
  EXPECT_THAT(read, Not(HasSubstr("end=4 start=1"))) << "nothing reads the second part";
}

TEST(OnnxChannels, TheSizesOfPartsAreThoseOfTheirVersion) {
  TinyModel equal({-1, 6, 4, 5}, 13);  // no sizes: as many equal parts as outputs
  split(equal, {"x"}, {{"axis", std::int64_t{1}}}, 2);
  EXPECT_THAT(imported(equal, "b", 60), HasSubstr("Slice dim=channels end=6 start=3"));
  TinyModel uneven({-1, 3, 7, 5}, 18);  // version 18: the last part may be smaller
  split(uneven, {"x"}, {{"axis", std::int64_t{-2}}, {"num_outputs", std::int64_t{3}}}, 3);
  EXPECT_THAT(imported(uneven, "c", 15), HasSubstr("Slice dim=rows end=7 start=6"));
  TinyModel old({-1, 6, 4, 5}, 11);  // before version 13 the sizes are an attribute
  split(old, {"x"}, {{"axis", std::int64_t{1}}, {"split", Ints{5, 1}}}, 2);
  EXPECT_THAT(imported(old, "b", 20), HasSubstr("Slice dim=channels end=6 start=5"));
}

TEST(OnnxChannels, ASplitThatDoesNotFitIsRefused) {
  for (const Ints& parts : {Ints{1, 3, 3}, Ints{7, -1, 0}, Ints{1, 5}, Ints{}}) {
    TinyModel t({-1, 6, 4, 5});
    split(t, {"x", t.sizes("parts", parts)}, {{"axis", std::int64_t{1}}}, 3);
    EXPECT_THAT(imported(t, "a", 20), Not(HasSubstr("Slice"))) << parts.size();
  }
  TinyModel images({-1, 6, 4, 5});
  split(images, {"x"}, {{"axis", std::int64_t{0}}}, 2);
  EXPECT_THAT(imported(images, "a", 120), Not(HasSubstr("Slice")));
}

std::string sliced(TinyModel& t, const Ints& from, const Ints& to, const Ints& axes, const Ints& steps = {1}) {
  return t.node("Slice", {"x", t.sizes("from", from), t.sizes("to", to), t.sizes("axes", axes), t.sizes("by", steps)});
}

TEST(OnnxChannels, ARangeOfAnAxisIsASlice) {
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  TinyModel channels({-1, 6, 4, 5});
  EXPECT_THAT(imported(channels, sliced(channels, {2}, {far}, {1}), 80), HasSubstr("Slice dim=channels end=6 start=2"));
  TinyModel rows({-1, 6, 4, 5});
  EXPECT_THAT(imported(rows, sliced(rows, {-3}, {-1}, {-2}), 60), HasSubstr("Slice dim=rows end=3 start=1"));
  TinyModel columns({-1, 6, 4, 5});
  EXPECT_THAT(imported(columns, sliced(columns, {-far}, {2}, {3}), 48), HasSubstr("Slice dim=columns end=2"));
}

TEST(OnnxChannels, OtherSlicesAreNotComputed) {
  struct Case {
    Ints from, to, axes, steps;
  };
  for (const Case& c : {Case{{0}, {6}, {1}, {2}}, Case{{5}, {0}, {1}, {-1}}, Case{{0}, {1}, {0}, {1}},
                        Case{{0, 0}, {2, 2}, {1, 2}, {1, 1}}, Case{{0}, {2}, {9}, {1}}, Case{{4}, {4}, {1}, {1}}}) {
    TinyModel t({-1, 6, 4, 5});
    EXPECT_THAT(imported(t, sliced(t, c.from, c.to, c.axes, c.steps), 1), HasSubstr("Slice is not computed here"));
  }
}

/// A ConvNeXt block's way: channels last, normalized, two linear layers, back.
TEST(OnnxChannels, LayersOnChannelsThatLieLastAreThoseOfTheImage) {
  TinyModel t({-1, 3, 2, 2});
  std::string v = t.node("Transpose", {"x"}, {{"perm", Ints{0, 2, 3, 1}}});
  v = t.node("LayerNormalization", {v, t.weight("norm.weight", {3}), t.weight("norm.bias", {3})},
             {{"axis", std::int64_t{-1}}, {"epsilon", 1e-6F}});
  v = t.node("MatMul", {v, t.weight("matrix", {3, 5})});
  v = t.node("Add", {v, t.numbers("plus", {5}, {1, 2, 3, 4, 5})});
  v = t.node("Transpose", {t.node("Relu", {v})}, {{"perm", Ints{0, 3, 1, 2}}});
  v = t.node("Mul", {t.numbers("scale", {5, 1, 1}, {2, 3, 4, 5, 6}), v});
  t.classify(t.node("Flatten", {v}), 20);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(types_of(n), "LayerNorm2d ChannelLinear ReLU LayerScale Flatten Linear");
  EXPECT_THAT(described(n->doc), HasSubstr("eps=1e-06"));
  const auto matrix = *onnx::floats_of(t.model.initializers[2]);
  const std::vector<float> x = noise(12), norm = *onnx::floats_of(t.model.initializers[0]),
                           shift = *onnx::floats_of(t.model.initializers[1]);
  std::vector<float> features(20);
  for (std::size_t p = 0; p < 4; ++p) {
    double mean = 0, square = 0;
    for (std::size_t c = 0; c < 3; ++c) mean += static_cast<double>(x[c * 4 + p]) / 3;
    for (std::size_t c = 0; c < 3; ++c) square += std::pow(static_cast<double>(x[c * 4 + p]) - mean, 2) / 3;
    for (std::size_t o = 0; o < 5; ++o) {
      double sum = static_cast<double>(o) + 1;
      for (std::size_t c = 0; c < 3; ++c) {
        const double normed = (static_cast<double>(x[c * 4 + p]) - mean) / std::sqrt(square + 1e-6);
        sum += (normed * static_cast<double>(norm[c]) + static_cast<double>(shift[c])) *
               static_cast<double>(matrix[c * 5 + o]);
      }
      features[o * 4 + p] = static_cast<float>(std::max(sum, 0.0) * (static_cast<double>(o) + 2));
    }
  }
  const auto weight = *onnx::floats_of(t.model.initializers[5]), bias = *onnx::floats_of(t.model.initializers[6]);
  const auto scores = run_network(n->doc, n->weights, x, 1);
  ASSERT_TRUE(scores) << scores.error().str();
  for (std::size_t k = 0; k < 4; ++k) {
    double wanted = static_cast<double>(bias[k]);
    for (std::size_t i = 0; i < 20; ++i)
      wanted += static_cast<double>(features[i]) * static_cast<double>(weight[k * 20 + i]);
    EXPECT_NEAR((*scores)[k], wanted, 1e-4) << k;
  }
}

}  // namespace
}  // namespace nw::exchange

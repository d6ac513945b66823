// SPDX-License-Identifier: Apache-2.0
// The C library computes what the engine computes: random networks of all layers, and single layers.
#include <set>

#include "engine/deploy/layers/c_layer.hpp"
#include "engine/design/project_file.hpp"
#include "tests/engine/deploy/compiled.hpp"
#include "tests/engine/exchange/random_network.hpp"
#include "tests/support/sanitized.hpp"

namespace nw::deploy {
namespace {

using Int = std::int64_t;
std::vector<Int> two(Int h, Int w) { return {h, w}; }

/// A network of one layer behind a picture of 6 × 7 × 9.
exchange::ExportSource with(const std::string& type, AttrMap attrs) {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", Int{6}}, {"height", Int{7}}, {"width", Int{9}}});
  d.add(type, "layer", std::move(attrs));
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", {{"out_features", Int{5}}});
  d.add("CrossEntropy", "loss");
  return exchange::source_of(doc);
}

TEST(CNetworks, RandomOnesComputeTheSame) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const exchange::ExportSource source = exchange::source_of(exchange::RandomNetwork(seed).make());
    std::vector<std::string> command{compilers()[seed % compilers().size()], seed % 4 == 0 ? "-DNW_PLAIN" : "-O1"};
    if (seed % 4 == 1) command = {command[0], "-fsanitize=address,undefined", "-fno-sanitize-recover=all"};
    expect_equal(source, command);
    if (HasFailure()) break;
  }
}

TEST(CNetworks, ConvolutionsOfEveryGeometry) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  for (const char* flag : {"-O1", "-mavx2", "-DNW_PLAIN"})
    for (const Int channels : {1, 4, 7, 12, 15, 16, 35})
      for (const Int groups : {1, 3, 6}) {
        if (channels % groups != 0 && groups > 1 && channels != 12) continue;
        const Int out = groups == 6 ? 6 * (channels % 2 + 1) : groups == 3 ? 9 : channels;
        SCOPED_TRACE(fmt::format("{} channels {} groups {}", flag, out, groups));
        expect_equal(with("Conv2d", {{"out_channels", out},
                                     {"kernel_size", two(3, 2)},
                                     {"stride", two(channels % 2 + 1, 1)},
                                     {"padding", two(1, channels % 3)},
                                     {"dilation", two(1, groups % 2 + 1)},
                                     {"groups", groups}}),
                     {compilers().front(), flag});
        if (HasFailure()) return;
      }
}

TEST(CNetworks, TemplatesComputeTheSame) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  constexpr std::size_t most = test::sanitized ? 500'000 : 3'000'000;  // weights; tests/deploy/bundles.py takes all
  for (const Template& t : all_templates()) {
    const exchange::ExportSource source = exchange::source_of(t.make());
    std::size_t count = 0;
    for (const auto& [name, weight] : source.weights) count += weight.values.size();
    if (count > most) continue;
    SCOPED_TRACE(t.name);
    expect_equal(source, {compilers().back(), "-O2"}, true);
  }
}

TEST(CNetworks, EveryLayerIsWrittenOrKnownNotToBe) {
  const std::set<std::string_view> not_written{"Formula", "Opaque", "BlockInput", "BlockOutput", "Input"};
  for (const LayerType* type : all_layers())
    if (!type->loss) EXPECT_EQ(c_layer(type->name) == nullptr, not_written.contains(type->name)) << type->name;
}

TEST(CNetworks, LayersThatRandomNetworksLack) {
  if (compilers().empty()) GTEST_SKIP() << "no C compiler is installed";
  const std::vector<std::pair<std::string, AttrMap>> layers{
      {"AdaptiveAvgPool2d", {{"output_size", two(3, 4)}}},
      {"GlobalMaxPool2d", {}},
      {"MaxPool2d", {{"kernel_size", two(3, 2)}, {"stride", two(2, 1)}, {"padding", two(1, 1)}}},
      {"AvgPool2d",
       {{"kernel_size", two(3, 3)}, {"stride", two(2, 2)}, {"padding", two(1, 1)}, {"count_include_pad", false}}},
      {"LocalResponseNorm", {{"size", Int{4}}, {"alpha", 0.5}, {"beta", 0.7}, {"k", 2.0}}},
      {"GroupNorm", {{"num_groups", Int{3}}}},
      {"InstanceNorm2d", {}},
      {"LayerNorm", {}},
      {"LayerNorm2d", {}},
      {"BatchNorm2d", {}},
      {"LayerScale", {{"init_value", 0.3}}},
      {"PReLU", {}},
      {"ChannelShuffle", {{"groups", Int{3}}}},
      {"Slice", {{"dim", std::string("columns")}, {"start", Int{2}}, {"end", Int{7}}}},
      {"Slice", {{"dim", std::string("rows")}, {"start", Int{1}}}},
      {"Slice", {{"dim", std::string("channels")}, {"start", Int{1}}, {"end", Int{4}}}},
      {"Reshape", {{"channels", Int{9}}, {"height", Int{6}}, {"width", Int{7}}}},
      {"Transpose", {{"dim0", Int{1}}, {"dim1", Int{3}}}},
      {"Upsample", {{"scale_factor", two(2, 3)}, {"mode", std::string("bilinear")}}},
      {"Upsample", {{"scale_factor", two(3, 1)}}},
      {"ZeroPad2d",
       {{"padding_top", Int{1}}, {"padding_left", Int{2}}, {"padding_right", Int{3}}, {"padding_bottom", Int{0}}}},
      {"ConvTranspose2d",
       {{"out_channels", Int{4}},
        {"kernel_size", two(3, 2)},
        {"stride", two(2, 1)},
        {"padding", two(1, 0)},
        {"groups", Int{2}}}},
      {"ChannelLinear", {{"out_features", Int{11}}}},
      {"ClassToken", {}},
      {"PositionalEmbedding", {}},
      {"MultiheadAttention", {{"num_heads", Int{3}}}},
      {"Softmax", {}},
      {"GELU", {}},
      {"GELU", {{"approximate", std::string("tanh")}}}};
  for (const auto& [type, attrs] : layers) {
    SCOPED_TRACE(type);
    for (const char* flag : {"-O1", "-DNW_PLAIN"}) expect_equal(with(type, attrs), {compilers().front(), flag});
  }
}

}  // namespace
}  // namespace nw::deploy

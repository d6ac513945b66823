// SPDX-License-Identifier: Apache-2.0
// Random networks: layers of every type, odd sizes, branches, blocks.
#pragma once
#include <random>

#include "engine/compile/flat_network.hpp"
#include "engine/design/draft.hpp"

namespace nw::exchange {

class RandomNetwork {
 public:
  explicit RandomNetwork(unsigned seed) : random_(seed) {}

  GraphDoc make() {
    channels_ = pick({1, 2, 3, 4});
    height_ = 5 + below(8);
    width_ = 5 + below(8);
    Draft d(doc_);
    last_ = d.add("Input", "images", {{"channels", channels_}, {"height", height_}, {"width", width_}});
    for (int i = 0, n = 3 + below(5); i < n; ++i) image_layer(d);
    if (below(2) == 0) add(d, "GlobalAvgPool2d");
    add(d, "Flatten");
    for (int i = 0, n = below(3); i < n; ++i) vector_layer(d);
    add(d, "Linear", {{"out_features", 2 + below(5)}});
    d.add("CrossEntropy", "loss");
    return doc_;
  }

 private:
  using Int = std::int64_t;
  Int below(Int n) { return static_cast<Int>(random_() % static_cast<unsigned>(n)); }
  Int pick(std::initializer_list<Int> of) { return *(of.begin() + below(static_cast<Int>(of.size()))); }
  static std::vector<Int> two(Int h, Int w) { return {h, w}; }

  NodeId add(Draft& d, const std::string& type, AttrMap attrs = {}) {
    return last_ = d.add(type, type + std::to_string(++number_), std::move(attrs));
  }

  /// The shape behind the last layer, by the compiler.
  void measure() {
    const Analysis a = analyse(doc_, {});
    const Shape s = a.facts.at("").at(last_).output;
    if (s.rank() != 4) return;
    channels_ = s[1];
    height_ = s[2];
    width_ = s[3];
  }

  void activation(Draft& d) {
    static const char* all[] = {"ReLU", "Sigmoid", "Tanh", "SELU", "Hardsigmoid", "Hardswish", "SiLU", "Mish", "ReLU6"};
    switch (below(13)) {
      case 0:
        add(d, "ELU", {{"alpha", 0.5}});
        break;
      case 1:
        add(d, "LeakyReLU", {{"negative_slope", 0.2}});
        break;
      case 2:
        add(d, "Softplus", {{"beta", below(2) ? 1.0 : 2.5}});
        break;
      case 3:
        add(d, "GELU", {{"approximate", std::string(below(2) ? "tanh" : "none")}});
        break;
      case 4:
        add(d, "PReLU", {{"num_parameters", std::string(below(2) ? "1" : "channels")}});
        break;
      default:
        add(d, all[below(9)]);
    }
  }

  void image_layer(Draft& d) {
    measure();
    const Int kh = 1 + below(std::min<Int>(3, height_)), kw = 1 + below(std::min<Int>(3, width_));
    switch (below(15)) {
      case 0:
      case 1: {
        const Int groups = below(3) == 0 ? channels_ : 1;
        add(d, "Conv2d",
            {{"out_channels", groups * (1 + below(4))},
             {"kernel_size", two(kh, kw)},
             {"groups", groups},
             {"padding", two(below(2), below(2))},
             {"stride", two(1 + below(2), 1 + below(2))},
             {"bias", below(2) == 0}});
        break;
      }
      case 2:
        add(d, "ConvTranspose2d",
            {{"out_channels", 1 + below(4)},
             {"kernel_size", two(2, 3)},
             {"stride", two(2, 1)},
             {"output_padding", two(below(2), 0)},
             {"bias", below(2) == 0}});
        break;
      case 3:
        add(d, "MaxPool2d", {{"kernel_size", two(kh, kw)}, {"stride", two(1 + below(2), 1 + below(2))}});
        break;
      case 4:
        add(d, "AvgPool2d",
            {{"kernel_size", two(kh, kw)},
             {"stride", two(1 + below(2), 1)},
             {"padding", two(kh > 1 ? below(2) : 0, 0)},
             {"count_include_pad", below(2) == 0}});
        break;
      case 5:
        add(d, "AdaptiveAvgPool2d", {{"output_size", two(1 + below(height_), 1 + below(width_))}});
        break;
      case 6:
        add(d, "BatchNorm2d", {{"eps", 1e-4}, {"momentum", 0.05}});
        break;
      case 7:
        add(d, "GroupNorm", {{"num_groups", channels_ % 2 == 0 ? 2 : 1}, {"affine", below(2) == 0}});
        break;
      case 8:
        add(d, "LayerNorm", {{"elementwise_affine", below(2) == 0}});
        break;
      case 9:
        add(d, "Upsample",
            {{"scale_factor", two(1 + below(2), 2)}, {"mode", std::string(below(2) ? "nearest" : "bilinear")}});
        break;
      case 10:
        add(d, "ZeroPad2d",
            {{"padding_left", below(3)},
             {"padding_right", below(3)},
             {"padding_top", below(3)},
             {"padding_bottom", below(3)}});
        break;
      case 11:
        branch(d, "Add");
        break;
      case 12:
        branch(d, "Multiply");
        break;
      case 13:
        branch(d, "Concat");
        break;
      default:
        activation(d);
    }
  }

  /// The last value and activations of it, joined.
  void branch(Draft& d, const char* join) {
    const NodeId from = last_;
    std::vector<NodeId> parts;
    for (int i = 0, n = 1 + static_cast<int>(below(2)); i < n; ++i) {
      const NodeId part = d.add(below(2) ? "Tanh" : "ReLU", "part" + std::to_string(++number_));
      if (i > 0) {
        // fed by the branching point instead of the part before
        EXPECT_TRUE(doc_.apply(nw::connect(doc_, "", {from, 0, part, 0})));
      }
      parts.push_back(part);
    }
    const NodeId joined = add(d, join);
    Int port = 0;
    for (const NodeId p : parts)
      EXPECT_TRUE(doc_.apply(nw::connect(doc_, "", {p, 0, joined, static_cast<int>(port++)})));
    EXPECT_TRUE(doc_.apply(nw::connect(doc_, "", {from, 0, joined, static_cast<int>(port)})));
  }

  void vector_layer(Draft& d) {
    switch (below(5)) {
      case 0:
        add(d, "Linear", {{"out_features", 2 + below(6)}, {"bias", below(2) == 0}});
        break;
      case 1:
        add(d, "LayerNorm");
        break;
      case 2:
        add(d, "Dropout", {{"p", 0.3}});
        break;
      case 3:
        add(d, "Softmax");
        break;
      default:
        activation(d);
    }
  }

  std::mt19937 random_;
  GraphDoc doc_;
  NodeId last_ = 0;
  Int channels_ = 1, height_ = 1, width_ = 1;
  int number_ = 0;
};

}  // namespace nw::exchange

// SPDX-License-Identifier: Apache-2.0
// Networks for photos with few operations or few weights: SqueezeNet, MobileNetV2, EfficientNet. Layer names and sizes
// are torchvision's, so that its weights fit.
#include <algorithm>

#include "engine/design/template_parts.hpp"

namespace nw::drawing {
namespace {

AttrMap depthwise(const char* kernel, const char* padding, Attr stride) {
  AttrMap attrs = plain_conv(formula("$expand"), formula(kernel), formula(padding), std::move(stride));
  attrs["groups"] = formula("$expand");
  return attrs;
}

AttrMap pool(Int kernel, Int stride) { return {{"kernel_size", both(kernel)}, {"stride", both(stride)}}; }

/// Fire module: 1×1 to few channels, then 1×1 and 3×3 beside each other (Iandola et al., "SqueezeNet", 2016).
void define_fire(GraphDoc& doc) {
  define_block(doc, "Fire", {{"squeeze", 16}, {"expand", 64}});
  Draft d(doc, "Fire");
  d.add("BlockInput", "in");
  d.add("Conv2d", "squeeze", {{"out_channels", formula("$squeeze")}, {"kernel_size", both(1)}});
  const NodeId squeezed = d.add("ReLU", "squeeze_activation");
  const double x = d.x(), below = d.bottom();
  d.add("Conv2d", "expand1x1", {{"out_channels", formula("$expand")}, {"kernel_size", both(1)}});
  const NodeId narrow = d.add("ReLU", "expand1x1_activation");
  const double bottom = d.bottom();
  d.branch(squeezed, below);
  d.add("Conv2d", "expand3x3", {{"out_channels", formula("$expand")}, {"kernel_size", both(3)}, {"padding", both(1)}});
  const NodeId wide = d.add("ReLU", "expand3x3_activation");
  d.back_to(narrow, x, std::max(bottom, d.bottom()));
  d.connect(wide, d.add("Concat", "cat"), 1);
  d.add("BlockOutput", "out");
}

void add_fires(Draft& d, Int first, const std::vector<std::pair<Int, Int>>& sizes) {
  for (const auto& [squeeze, expand] : sizes)
    d.add("Block", "features." + std::to_string(first++),
          instance_of("Fire", {{"squeeze", squeeze}, {"expand", expand}}));
}

/// Convolution, batch norm and activation with torchvision's names "0", "1" and "2" after `prefix`.
void add_unit(Draft& d, const std::string& prefix, AttrMap conv, const char* activation) {
  d.add("Conv2d", prefix + "0", std::move(conv));
  d.add("BatchNorm2d", prefix + "1");
  d.add(activation, prefix + "2");
}

/// Inverted residual with ReLU6 and a linear end (Sandler et al., "MobileNetV2", 2018). `expands`: begins with a 1×1
/// convolution to more channels; `skip`: the input is added.
void define_residual(GraphDoc& doc, const std::string& name, bool expands, bool skip) {
  std::vector<BlockParameter> parameters{{"expand", expands ? 144 : 32}, {"filters", expands ? 24 : 16}};
  if (!skip) parameters.push_back({"stride", expands ? 2 : 1});
  define_block(doc, name, std::move(parameters));
  Draft d(doc, name);
  const NodeId in = d.add("BlockInput", "in");
  Int part = 0;
  const auto next = [&] { return "conv." + std::to_string(part++); };
  if (expands) add_unit(d, next() + ".", plain_conv(formula("$expand"), Int{1}, Int{0}), "ReLU6");
  AttrMap each = plain_conv(formula("$expand"), Int{3}, Int{1}, skip ? Attr(both(1)) : formula("$stride"));
  each["groups"] = formula("$expand");
  add_unit(d, next() + ".", std::move(each), "ReLU6");
  d.add("Conv2d", next(), plain_conv(formula("$filters"), Int{1}, Int{0}));
  d.add("BatchNorm2d", next());
  if (skip) d.connect(in, d.add("Add", "add"), 1);
  d.add("BlockOutput", "out");
}

/// Scales each channel by a function of the channel means (Hu, Shen and Sun, "Squeeze-and-excitation networks", 2018);
/// names of torchvision.ops.SqueezeExcitation.
void define_squeeze_excitation(GraphDoc& doc) {
  define_block(doc, "SqueezeExcitation", {{"channels", 96}, {"squeeze", 4}});
  Draft d(doc, "SqueezeExcitation");
  const NodeId in = d.add("BlockInput", "in");
  const double x = d.x(), below = d.bottom();
  d.branch(in, below / 2);
  d.add("GlobalAvgPool2d", "avgpool");
  d.add("Conv2d", "fc1", {{"out_channels", formula("$squeeze")}, {"kernel_size", both(1)}});
  d.add("SiLU", "activation");
  d.add("Conv2d", "fc2", {{"out_channels", formula("$channels")}, {"kernel_size", both(1)}});
  const NodeId scale = d.add("Sigmoid", "scale_activation");
  d.back_to(in, x, std::max(below, d.bottom()));
  d.connect(scale, d.add("Multiply", "scale"), 1);
  d.add("BlockOutput", "out");
}

/// MBConv of EfficientNet (Tan and Le, 2019): as MobileNetV2's block, with squeeze-and-excitation and SiLU.
void define_mbconv(GraphDoc& doc, const std::string& name, bool expands, bool skip) {
  std::vector<BlockParameter> parameters{
      {"expand", expands ? 96 : 32}, {"filters", expands ? 24 : 16}, {"kernel", 3}, {"squeeze", expands ? 4 : 8}};
  parameters.push_back(skip ? BlockParameter{"layer", 1} : BlockParameter{"stride", expands ? 2 : 1});
  define_block(doc, name, std::move(parameters));
  Draft d(doc, name);
  const NodeId in = d.add("BlockInput", "in");
  Int part = 0;
  const auto next = [&] { return "block." + std::to_string(part++); };
  if (expands) add_unit(d, next() + ".", plain_conv(formula("$expand"), Int{1}, Int{0}), "SiLU");
  add_unit(d, next() + ".", depthwise("$kernel", "($kernel-1)/2", skip ? Attr(both(1)) : formula("$stride")), "SiLU");
  d.add("Block", next(),
        instance_of("SqueezeExcitation", {{"channels", formula("$expand")}, {"squeeze", formula("$squeeze")}}));
  const std::string last = next();
  d.add("Conv2d", last + ".0", plain_conv(formula("$filters"), Int{1}, Int{0}));
  d.add("BatchNorm2d", last + ".1");
  if (skip) {
    d.add("StochasticDepth", "stochastic_depth", {{"layer", formula("$layer")}, {"layers", Int{16}}});
    d.connect(in, d.add("Add", "add"), 1);
  }
  d.add("BlockOutput", "out");
}

void add_classifier(Draft& d, double dropout, const char* name) {
  d.add("GlobalAvgPool2d", "avgpool");
  d.add("Flatten", "flatten");
  d.add("Dropout", std::string(name) + ".0", {{"p", dropout}});
  d.add("Linear", std::string(name) + ".1", outputs(1000));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
}

/// A stage of the tables of MobileNetV2 and EfficientNet.
struct Stage {
  Int expansion, filters, times, stride, kernel = 3;
};

void add_mbconvs(Draft& d, Int number, Int in, const Stage& s, Int& layer) {
  for (Int k = 0; k < s.times; ++k, in = s.filters, ++layer) {
    const bool skip = k > 0;
    AttrMap attrs{{"expand", in * s.expansion},
                  {"filters", s.filters},
                  {"kernel", s.kernel},
                  {"squeeze", std::max<Int>(1, in / 4)}};
    if (skip)
      attrs["layer"] = layer;
    else
      attrs["stride"] = s.stride;
    const char* block = s.expansion == 1 ? "MBConv1" : skip ? "MBConvSkip" : "MBConv";
    d.add("Block", "features." + std::to_string(number) + "." + std::to_string(k),
          instance_of(block, std::move(attrs)));
  }
}

}  // namespace

GraphDoc squeezenet1_1() {
  GraphDoc doc;
  define_fire(doc);
  Draft d(doc);
  d.add("Input", "images", image(3, 224));
  d.add("Conv2d", "features.0", {{"out_channels", Int{64}}, {"kernel_size", both(3)}, {"stride", both(2)}});
  d.add("ReLU", "features.1");
  d.add("MaxPool2d", "features.2", pool(3, 2));
  d.frame("Stem");
  d.column();
  add_fires(d, 3, {{16, 64}, {16, 64}});
  d.add("MaxPool2d", "features.5", pool(3, 2));
  add_fires(d, 6, {{32, 128}, {32, 128}});
  d.add("MaxPool2d", "features.8", pool(3, 2));
  add_fires(d, 9, {{48, 192}, {48, 192}, {64, 256}, {64, 256}});
  d.frame("Fire modules");
  d.column();
  d.add("Dropout", "classifier.0");
  d.add("Conv2d", "classifier.1", {{"out_channels", Int{1000}}, {"kernel_size", both(1)}});
  d.add("ReLU", "classifier.2");
  d.add("GlobalAvgPool2d", "classifier.3");
  d.add("Flatten", "flatten");
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  set(doc, own_images(224), photo_settings(0.0025));
  return doc;
}

GraphDoc mobilenet_v2() {
  GraphDoc doc;
  define_residual(doc, "Residual1", false, false);
  define_residual(doc, "Residual", true, false);
  define_residual(doc, "ResidualSkip", true, true);
  Draft d(doc);
  d.add("Input", "images", image(3, 224));
  add_unit(d, "features.0.", plain_conv(Int{32}, Int{3}, Int{1}, both(2)), "ReLU6");
  d.frame("Stem");
  d.column();
  d.add("Block", "features.1",
        instance_of("Residual1", {{"expand", Int{32}}, {"filters", Int{16}}, {"stride", Int{1}}}));
  const Stage stages[] = {{6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  Int number = 2, in = 16;
  for (const Stage& s : stages) {
    d.add("Block", "features." + std::to_string(number),
          instance_of("Residual", {{"expand", in * s.expansion}, {"filters", s.filters}, {"stride", s.stride}}));
    AttrMap others{{"expand", s.filters * s.expansion}, {"filters", s.filters}};
    if (s.times > 2) others["repeat"] = s.times - 1;
    if (s.times > 1)
      d.add("Block", "features." + std::to_string(number + 1), instance_of("ResidualSkip", std::move(others)));
    number += s.times;
    in = s.filters;
  }
  d.frame("Inverted residuals");
  d.column();
  add_unit(d, "features.18.", plain_conv(Int{1280}, Int{1}, Int{0}), "ReLU6");
  add_classifier(d, 0.2, "classifier");
  set(doc, own_images(224), photo_settings(0.0125));
  return doc;
}

GraphDoc efficientnet_b0() {
  GraphDoc doc;
  define_squeeze_excitation(doc);
  define_mbconv(doc, "MBConv1", false, false);
  define_mbconv(doc, "MBConv", true, false);
  define_mbconv(doc, "MBConvSkip", true, true);
  Draft d(doc);
  d.add("Input", "images", image(3, 224));
  add_unit(d, "features.0.", plain_conv(Int{32}, Int{3}, Int{1}, both(2)), "SiLU");
  d.frame("Stem");
  d.column();
  const Stage stages[] = {{1, 16, 1, 1, 3},  {6, 24, 2, 2, 3},  {6, 40, 2, 2, 5}, {6, 80, 3, 2, 3},
                          {6, 112, 3, 1, 5}, {6, 192, 4, 2, 5}, {6, 320, 1, 1, 3}};
  Int number = 1, in = 32, layer = 0;
  for (const Stage& s : stages) {
    add_mbconvs(d, number++, in, s, layer);
    in = s.filters;
    if (number != 5) continue;
    d.frame("MBConv stages");
    d.column();
  }
  d.frame("MBConv stages");
  d.column();
  add_unit(d, "features.8.", plain_conv(Int{1280}, Int{1}, Int{0}), "SiLU");
  add_classifier(d, 0.2, "classifier");
  set(doc, own_images(224), photo_settings(0.0125));
  return doc;
}

}  // namespace nw::drawing

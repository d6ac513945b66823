// SPDX-License-Identifier: Apache-2.0
// Networks that a processor without a GPU trains on CIFAR-10 in minutes.
#include <algorithm>

#include "engine/design/template_parts.hpp"

namespace nw::drawing {
namespace {

void define_conv_stage(GraphDoc& doc) {
  define_block(doc, "ConvStage", {{"filters", 32}});
  Draft d(doc, "ConvStage");
  d.add("BlockInput", "in");
  d.add("Conv2d", "conv", plain_conv(formula("$filters"), Int{3}, Int{1}));
  d.add("BatchNorm2d", "bn");
  d.add("ReLU", "relu");
  d.add("MaxPool2d", "pool");
  d.add("BlockOutput", "out");
}

/// Squeeze-and-excitation: scales each channel by a function of the channel means (Hu, Shen and Sun,
/// "Squeeze-and-excitation networks", 2018).
void add_gate(Draft& d, NodeId gated) {
  const double x = d.x(), below = d.bottom();
  d.branch(gated, below / 2);
  d.add("GlobalAvgPool2d", "gate.pool");
  d.add("Conv2d", "gate.fc1", {{"out_channels", formula("$squeeze")}, {"kernel_size", both(1)}});
  d.add("ReLU", "gate.relu");
  d.add("Conv2d", "gate.fc2", {{"out_channels", formula("$expand")}, {"kernel_size", both(1)}});
  const NodeId scale = d.add("Sigmoid", "gate.sigmoid");
  d.back_to(gated, x, std::max(below, d.bottom()));
  d.connect(scale, d.add("Multiply", "scale"), 1);
}

/// Inverted residual block: 1×1 to `expand` channels, depthwise convolution, squeeze-and-excitation, 1×1 to `filters`;
/// with `skip` the input is added. Howard et al., "Searching for MobileNetV3", 2019.
void define_inverted(GraphDoc& doc, const std::string& name, bool skip) {
  std::vector<BlockParameter> parameters{{"expand", 72}, {"filters", 24}, {"kernel", 3}, {"squeeze", 24}};
  if (!skip) parameters.push_back({"stride", 2});
  define_block(doc, name, std::move(parameters));
  Draft d(doc, name);
  const NodeId in = d.add("BlockInput", "in");
  d.add("Conv2d", "expand", plain_conv(formula("$expand"), Int{1}, Int{0}));
  d.add("BatchNorm2d", "bn1");
  d.add("Hardswish", "act1");
  AttrMap depthwise = plain_conv(formula("$expand"), formula("$kernel"), formula("($kernel-1)/2"),
                                 skip ? Attr(both(1)) : formula("$stride"));
  depthwise["groups"] = formula("$expand");
  d.add("Conv2d", "depthwise", std::move(depthwise));
  d.add("BatchNorm2d", "bn2");
  add_gate(d, d.add("Hardswish", "act2"));
  d.add("Conv2d", "project", plain_conv(formula("$filters"), Int{1}, Int{0}));
  d.add("BatchNorm2d", "bn3");
  if (skip) d.connect(in, d.add("Add", "add"), 1);
  d.add("BlockOutput", "out");
}

struct Row {
  Int expand, filters, kernel, stride, times;  // stride 0: a block with a skip connection
};

void add_row(Draft& d, const std::string& name, const Row& r) {
  const Int squeeze = std::max<Int>(8, r.expand / 4 / 8 * 8);
  AttrMap attrs{{"expand", r.expand}, {"filters", r.filters}, {"kernel", r.kernel}, {"squeeze", squeeze}};
  if (r.stride > 0) attrs["stride"] = r.stride;
  if (r.times > 1) attrs["repeat"] = r.times;
  d.add("Block", name, instance_of(r.stride > 0 ? "Inverted" : "InvertedSkip", std::move(attrs)));
}

}  // namespace

GraphDoc convnet_tiny() {
  GraphDoc doc;
  define_conv_stage(doc);
  Draft d(doc);
  d.add("Input", "images", image(3, 32));
  Int stage = 0;
  for (const Int filters : {32, 64, 128})
    d.add("Block", "stage" + std::to_string(++stage), instance_of("ConvStage", {{"filters", filters}}));
  d.add("Conv2d", "conv", plain_conv(Int{128}, Int{3}, Int{1}));
  d.add("BatchNorm2d", "bn");
  d.add("ReLU", "relu");
  d.frame("Feature extractor");
  d.column();
  d.add("GlobalAvgPool2d", "avgpool");
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", outputs(10));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  TrainSettings s = cifar_settings(0.1);
  s.epochs = 10;
  set(doc, from(SourceKind::cifar), s);
  return doc;
}

GraphDoc mobilenet_small() {
  GraphDoc doc;
  define_inverted(doc, "Inverted", false);
  define_inverted(doc, "InvertedSkip", true);
  Draft d(doc);
  d.add("Input", "images", image(3, 32));
  d.add("Conv2d", "conv1", plain_conv(Int{16}, Int{3}, Int{1}));
  d.add("BatchNorm2d", "bn1");
  d.add("Hardswish", "act1");
  d.frame("Stem");
  d.column();
  // The table of MobileNetV3-Small, with strides for small images.
  const Row rows[] = {{16, 16, 3, 2, 1},  {72, 24, 3, 1, 1},  {88, 24, 3, 0, 1},  {96, 40, 5, 2, 1}, {240, 40, 5, 0, 2},
                      {120, 48, 5, 1, 1}, {144, 48, 5, 0, 1}, {288, 96, 5, 2, 1}, {576, 96, 5, 0, 2}};
  Int number = 0;
  for (const Row& r : rows) add_row(d, "block" + std::to_string(++number), r);
  d.frame("Inverted residuals");
  d.column();
  d.add("Conv2d", "conv2", plain_conv(Int{576}, Int{1}, Int{0}));
  d.add("BatchNorm2d", "bn2");
  d.add("Hardswish", "act2");
  d.add("GlobalAvgPool2d", "avgpool");
  d.add("Flatten", "flatten");
  d.add("Linear", "fc1", outputs(1024));
  d.add("Hardswish", "act3");
  d.add("Dropout", "dropout", {{"p", 0.2}});
  d.add("Linear", "fc2", outputs(10));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  set(doc, from(SourceKind::cifar), cifar_settings(0.05));
  return doc;
}

}  // namespace nw::drawing

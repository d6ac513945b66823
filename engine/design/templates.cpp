// SPDX-License-Identifier: Apache-2.0
// Ready-made projects: the networks of the peers' benchmark, drawn and with the settings they train well with.
#include "engine/design/draft.hpp"
#include "engine/design/project_file.hpp"

namespace nw {
namespace {

using Int = std::int64_t;

void set(GraphDoc& doc, const DataChoice& data, const TrainSettings& settings) {
  const auto undo = doc.apply({PutData{data}, PutSettings{settings}});
  assert(undo);
  (void)undo;
}

AttrMap image(Int channels, Int size) { return {{"channels", channels}, {"height", size}, {"width", size}}; }
AttrMap outputs(Int n) { return {{"out_features", n}}; }
AttrMap conv(Int filters, Int kernel, Int padding) {
  AttrMap attrs = {{"out_channels", filters}, {"kernel_size", both(kernel)}};
  if (padding > 0) attrs["padding"] = both(padding);
  return attrs;
}
/// In front of a batch norm, which takes any bias away again.
AttrMap plain_conv(Attr filters, Int kernel, Int padding, Attr stride = both(1)) {
  AttrMap attrs = {{"out_channels", std::move(filters)}, {"kernel_size", both(kernel)}, {"bias", false}};
  if (padding > 0) attrs["padding"] = both(padding);
  if (stride != Attr(both(1))) attrs["stride"] = std::move(stride);
  return attrs;
}

TrainSettings adam() {
  TrainSettings s;
  s.optimizer = OptimizerKind::adam;
  s.learning_rate = 1e-3;
  return s;
}

/// What He et al., "Deep residual learning", 2015 train CIFAR-10 with, the steps replaced by a cosine.
TrainSettings cifar_settings(double learning_rate) {
  TrainSettings s;
  s.epochs = 30;
  s.batch = 128;
  s.learning_rate = learning_rate;
  s.l2 = 5e-4;
  s.schedule = ScheduleKind::cosine;
  s.warmup_epochs = 1;
  s.random_crop = true;
  s.horizontal_flip = true;
  return s;
}

DataChoice from(SourceKind kind) {
  DataChoice d;
  d.kind = kind;
  return d;
}

void hidden_layers(Draft& d) {
  d.add("Input", "images", image(1, 28));
  d.add("Flatten", "flatten");
  d.add("Linear", "fc1", outputs(128));
  d.add("ReLU", "relu1");
  d.add("Linear", "fc2", outputs(64));
  d.add("ReLU", "relu2");
  d.frame("Hidden layers");
  d.column();
}

GraphDoc mlp() {
  GraphDoc doc;
  Draft d(doc);
  hidden_layers(d);
  d.add("Linear", "fc3", outputs(10));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  set(doc, from(SourceKind::mnist), adam());
  return doc;
}

GraphDoc mlp_binary() {
  GraphDoc doc;
  Draft d(doc);
  hidden_layers(d);
  d.add("Linear", "fc3", outputs(1));
  d.add("Sigmoid", "sigmoid");
  d.add("BCE", "loss");
  d.frame("Odd or even");
  DataChoice data = from(SourceKind::mnist);
  data.target = "odd";
  set(doc, data, adam());
  return doc;
}

GraphDoc lenet5() {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", image(1, 28));
  d.add("Conv2d", "conv1", conv(6, 5, 2));
  d.add("ReLU", "relu1");
  d.add("MaxPool2d", "pool1");
  d.add("Conv2d", "conv2", conv(16, 5, 0));
  d.add("ReLU", "relu2");
  d.add("MaxPool2d", "pool2");
  d.frame("Feature extractor");
  d.column();
  d.add("Flatten", "flatten");
  d.add("Linear", "fc1", outputs(120));
  d.add("ReLU", "relu3");
  d.add("Linear", "fc2", outputs(84));
  d.add("ReLU", "relu4");
  d.add("Linear", "fc3", outputs(10));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  set(doc, from(SourceKind::mnist), TrainSettings{});
  return doc;
}

GraphDoc vgg13_cifar() {
  GraphDoc doc;
  Draft d(doc);
  Int stage = 0;
  for (const Int filters : {64, 128, 256, 512, 512}) {
    const std::string number = std::to_string(++stage);
    if (stage == 1) d.add("Input", "images", image(3, 32));
    for (const char* which : {"_1", "_2"}) {
      d.add("Conv2d", "conv" + number + which, plain_conv(filters, 3, 1));
      d.add("BatchNorm2d", "bn" + number + which);
      d.add("ReLU", "relu" + number + which);
    }
    d.add("MaxPool2d", "pool" + number);
    d.frame("Stage " + number);
    d.column();
  }
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", outputs(10));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  set(doc, from(SourceKind::cifar), cifar_settings(0.05));
  return doc;
}

/// Two 3×3 convolutions and a shortcut: the input itself, or (`down`) a strided 1×1 convolution of it.
void define_residual_block(GraphDoc& doc, const std::string& name, bool down) {
  Block block{.parameters = {{"filters", down ? 128 : 64}}};
  if (down) block.parameters.push_back({"stride", 2});
  const auto undo = doc.apply({PutBlock{name, block}});
  assert(undo);
  (void)undo;
  Draft d(doc, name);
  const Attr filters = std::string("$filters");
  const NodeId in = d.add("BlockInput", "in");
  d.add("Conv2d", "conv1", plain_conv(filters, 3, 1, down ? Attr(std::string("$stride")) : Attr(both(1))));
  d.add("BatchNorm2d", "bn1");
  d.add("ReLU", "relu1");
  d.add("Conv2d", "conv2", plain_conv(filters, 3, 1));
  const NodeId main = d.add("BatchNorm2d", "bn2");
  const double x = d.x(), below = d.bottom();
  NodeId shortcut = in;
  if (down) {
    d.branch(in, below / 2);
    d.add("Conv2d", "downsample.0", plain_conv(filters, 1, 0, std::string("$stride")));
    shortcut = d.add("BatchNorm2d", "downsample.1");
  }
  d.back_to(main, x, below);
  const NodeId sum = d.add("Add", "add");
  d.connect(shortcut, sum, 1);
  d.add("ReLU", "relu2");
  d.add("BlockOutput", "out");
}

GraphDoc resnet18_cifar() {
  GraphDoc doc;
  define_residual_block(doc, "BasicBlock", false);
  define_residual_block(doc, "DownBlock", true);
  Draft d(doc);
  d.add("Input", "images", image(3, 32));
  d.add("Conv2d", "conv1", plain_conv(Int{64}, 3, 1));
  d.add("BatchNorm2d", "bn1");
  d.add("ReLU", "relu");
  d.frame("Stem");
  d.column();
  d.add("Block", "layer1", instance_of("BasicBlock", {{"repeat", Int{2}}, {"filters", Int{64}}}));
  Int stage = 1;
  for (const Int filters : {128, 256, 512}) {
    const std::string name = "layer" + std::to_string(++stage);
    d.add("Block", name + ".0", instance_of("DownBlock", {{"filters", filters}, {"stride", Int{2}}}));
    d.add("Block", name + ".1", instance_of("BasicBlock", {{"filters", filters}}));
  }
  d.frame("Residual stages");
  d.column();
  d.add("GlobalAvgPool2d", "avgpool");
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", outputs(10));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  set(doc, from(SourceKind::cifar), cifar_settings(0.1));
  return doc;
}

}  // namespace

std::span<const Template> all_templates() {
  static const Template list[] = {
      {"mlp", text(NW_TR("Multilayer perceptron")), text(NW_TR("Three linear layers: the smallest network that learns digits.")), "MNIST", mlp},
      {"mlp-binary", text(NW_TR("Odd or even")), text(NW_TR("A perceptron with one output: is the digit odd?")), "MNIST", mlp_binary},
      {"lenet5", text(NW_TR("LeNet-5")), text(NW_TR("Two convolutions and three linear layers; reads handwritten digits.")), "MNIST", lenet5},
      {"vgg13-cifar", text(NW_TR("VGG-13 for CIFAR-10")), text(NW_TR("Ten convolutions in five stages, with batch normalisation.")), "CIFAR-10", vgg13_cifar},
      {"resnet18-cifar", text(NW_TR("ResNet-18 for CIFAR-10")), text(NW_TR("Residual blocks in four stages, drawn once and repeated.")), "CIFAR-10", resnet18_cifar},
  };
  return list;
}

const Template* find_template(std::string_view name) {
  for (const Template& t : all_templates())
    if (t.name == name) return &t;
  return nullptr;
}

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Templates: networks with their layout and suitable settings. Most networks are in files of their own.
#include "engine/design/project_file.hpp"
#include "engine/design/template_parts.hpp"

namespace nw {
namespace {

using namespace drawing;

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
      d.add("Conv2d", "conv" + number + which, plain_conv(filters, Int{3}, Int{1}));
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

GraphDoc vgg13() {
  GraphDoc doc;
  define_block(doc, "Stage", {{"filters", 64}});
  Draft stage(doc, "Stage");
  stage.add("BlockInput", "in");
  for (const char* number : {"1", "2"}) {
    stage.add("Conv2d", std::string("conv") + number,
              {{"out_channels", std::string("$filters")}, {"kernel_size", both(3)}, {"padding", both(1)}});
    stage.add("BatchNorm2d", std::string("bn") + number);
    stage.add("ReLU", std::string("relu") + number);
  }
  stage.add("MaxPool2d", "pool");
  stage.add("BlockOutput", "out");
  Draft d(doc);
  d.add("Input", "images", image(3, 224));
  Int number = 0;
  for (const Int filters : {64, 128, 256, 512, 512})
    d.add("Block", "stage" + std::to_string(++number), instance_of("Stage", {{"filters", filters}}));
  d.frame("Feature extractor");
  d.column();
  d.add("AdaptiveAvgPool2d", "avgpool", {{"output_size", both(7)}});
  d.add("Flatten", "flatten");
  for (const char* which : {"1", "2"}) {
    d.add("Linear", std::string("fc") + which, outputs(4096));
    d.add("ReLU", std::string("relu") + which);
    d.add("Dropout", std::string("dropout") + which);
  }
  d.add("Linear", "fc3", outputs(1000));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  set(doc, own_images(224), photo_settings(0.01));
  return doc;
}

}  // namespace

std::span<const Template> all_templates() {
  static const Template list[] = {
      {"mlp", text(NW_TR("Multilayer perceptron")),
       text(NW_TR("Three linear layers: the smallest network that learns digits.")), "MNIST", mlp},
      {"mlp-binary", text(NW_TR("Odd or even")), text(NW_TR("A perceptron with one output: is the digit odd?")),
       "MNIST", mlp_binary},
      {"lenet5", text(NW_TR("LeNet-5")),
       text(NW_TR("Two convolutions and three linear layers; reads handwritten digits.")), "MNIST", lenet5},
      {"convnet-tiny", text(NW_TR("Small ConvNet for CIFAR-10")),
       text(NW_TR("Four convolutions for colour photos; minutes on a laptop.")), "CIFAR-10", drawing::convnet_tiny},
      {"mlp-moons", text(NW_TR("Two moons")),
       text(NW_TR("A small perceptron that separates points of two half circles.")), NW_TR("Synthetic"),
       drawing::mlp_moons},
      {"shapes-labels", text(NW_TR("Which shapes?")),
       text(NW_TR("Any number of labels in an image: circle, square, triangle.")), NW_TR("Synthetic"),
       drawing::shapes_labels},
      {"shapes-values", text(NW_TR("Where is the shape?")),
       text(NW_TR("The same network predicts numbers: the position and size of a shape.")), NW_TR("Synthetic"),
       drawing::shapes_values},
      {"mobilenet-small", text(NW_TR("Small MobileNet for CIFAR-10")),
       text(NW_TR("Depthwise convolutions and channel gates: few operations.")), "CIFAR-10", drawing::mobilenet_small},
      {"vgg13-cifar", text(NW_TR("VGG-13 for CIFAR-10")),
       text(NW_TR("Ten convolutions in five stages, with batch normalization.")), "CIFAR-10", vgg13_cifar},
      {"resnet18-cifar", text(NW_TR("ResNet-18 for CIFAR-10")),
       text(NW_TR("Residual blocks in four stages, drawn once and repeated.")), "CIFAR-10", drawing::resnet18_cifar},
      {"resnet34-cifar", text(NW_TR("ResNet-34 for CIFAR-10")),
       text(NW_TR("Twice as deep as ResNet-18, from the same two blocks.")), "CIFAR-10", drawing::resnet34_cifar},
      {"resnet18", text(NW_TR("ResNet-18")), text(NW_TR("For a folder of your photos, 224 pixels wide and high.")), "",
       drawing::resnet18},
      {"resnet50", text(NW_TR("ResNet-50")),
       text(NW_TR("Bottleneck blocks, 50 layers deep, for photos of 224 pixels.")), "", drawing::resnet50},
      {"vgg13", text(NW_TR("VGG-13")),
       text(NW_TR("Ten convolutions with batch normalization and large linear layers, for photos of 224 pixels.")), "",
       vgg13},
      {"squeezenet1_1", text(NW_TR("SqueezeNet 1.1")),
       text(NW_TR("Fire modules: photos with a million weights, without linear layers.")), "", drawing::squeezenet1_1},
      {"mobilenet_v2", text(NW_TR("MobileNetV2")),
       text(NW_TR("Inverted residual blocks with depthwise convolutions, for photos of 224 pixels.")), "",
       drawing::mobilenet_v2},
      {"densenet121", text(NW_TR("DenseNet-121")),
       text(NW_TR("Each layer sees the channels of all layers before it, for photos of 224 pixels.")), "",
       drawing::densenet121},
      {"efficientnet_b0", text(NW_TR("EfficientNet-B0")),
       text(NW_TR("Inverted residuals with squeeze-and-excitation: accurate with few operations.")), "",
       drawing::efficientnet_b0},
      {"convnext_tiny", text(NW_TR("ConvNeXt-T")),
       text(NW_TR("Large depthwise convolutions and layer norms, for photos of 224 pixels.")), "",
       drawing::convnext_tiny},
      {"vit_tiny", text(NW_TR("Vision transformer, tiny")),
       text(NW_TR("Attention between patches of 16 pixels; needs many photos.")), "", drawing::vit_tiny},
  };
  return list;
}

GraphDoc new_project(const Template& t) {
  GraphDoc doc = t.make();
  TrainSettings s = doc.settings();
  s.precision = std::nullopt;
  (void)static_cast<bool>(doc.apply({PutSettings{s}}));
  return doc;
}

const Template* find_template(std::string_view name) {
  for (const Template& t : all_templates())
    if (t.name == name) return &t;
  return nullptr;
}

}  // namespace nw

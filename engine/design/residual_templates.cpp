// SPDX-License-Identifier: Apache-2.0
// Residual networks (He et al., "Deep residual learning", 2015). Two blocks are defined once; the networks differ in
// how often each is repeated, and in their stems. Layer names are torchvision's.
#include "engine/design/template_parts.hpp"

namespace nw::drawing {
namespace {

const Attr filters = std::string("$filters"), wide = std::string("$filters*4"), stride = std::string("$stride"),
           once = both(1);

/// Ends a block whose main path ends in `main`: adds the shortcut from `in` and the sum.
void join(Draft& d, NodeId in, NodeId main, bool down, const Attr& outputs, const std::string& last_relu) {
  const double x = d.x(), below = d.bottom();
  NodeId shortcut = in;
  if (down) {
    d.branch(in, below / 2);
    d.add("Conv2d", "downsample.0", plain_conv(outputs, Int{1}, Int{0}, stride));
    shortcut = d.add("BatchNorm2d", "downsample.1");
  }
  d.back_to(main, x, below);
  const NodeId sum = d.add("Add", "add");
  d.connect(shortcut, sum, 1);
  d.add("ReLU", last_relu);
  d.add("BlockOutput", "out");
}

std::vector<BlockParameter> parameters(bool down, Int usual) {
  if (!down) return {{"filters", usual}};
  return {{"filters", 2 * usual}, {"stride", 2}};
}

/// Basic block: two 3×3 convolutions and a shortcut, which is the input or (`down`) a strided 1×1 convolution of the
/// input.
void define_basic(GraphDoc& doc, const std::string& name, bool down) {
  define_block(doc, name, parameters(down, 64));
  Draft d(doc, name);
  const NodeId in = d.add("BlockInput", "in");
  d.add("Conv2d", "conv1", plain_conv(filters, Int{3}, Int{1}, down ? stride : once));
  d.add("BatchNorm2d", "bn1");
  d.add("ReLU", "relu1");
  d.add("Conv2d", "conv2", plain_conv(filters, Int{3}, Int{1}));
  join(d, in, d.add("BatchNorm2d", "bn2"), down, filters, "relu2");
}

/// Bottleneck block: 1×1 to `filters` channels, 3×3, 1×1 to four times as many channels.
void define_bottleneck(GraphDoc& doc, const std::string& name, bool down) {
  define_block(doc, name, parameters(down, 64));
  Draft d(doc, name);
  const NodeId in = d.add("BlockInput", "in");
  d.add("Conv2d", "conv1", plain_conv(filters, Int{1}, Int{0}));
  d.add("BatchNorm2d", "bn1");
  d.add("ReLU", "relu1");
  d.add("Conv2d", "conv2", plain_conv(filters, Int{3}, Int{1}, down ? stride : once));
  d.add("BatchNorm2d", "bn2");
  d.add("ReLU", "relu2");
  d.add("Conv2d", "conv3", plain_conv(wide, Int{1}, Int{0}));
  join(d, in, d.add("BatchNorm2d", "bn3"), down, wide, "relu3");
}

void stem(Draft& d, bool photos) {
  d.add("Input", "images", image(3, photos ? 224 : 32));
  d.add("Conv2d", "conv1", photos ? plain_conv(Int{64}, Int{7}, Int{3}, Int{2}) : plain_conv(Int{64}, Int{3}, Int{1}));
  d.add("BatchNorm2d", "bn1");
  d.add("ReLU", "relu");
  if (photos) d.add("MaxPool2d", "maxpool", {{"kernel_size", both(3)}, {"stride", both(2)}, {"padding", both(1)}});
  d.frame("Stem");
  d.column();
}

void repeated(Draft& d, const std::string& name, const std::string& block, Int width, Int times) {
  AttrMap attrs = instance_of(block, {{"filters", width}});
  if (times > 1) attrs["repeat"] = times;
  d.add("Block", name, std::move(attrs));
}

/// Four stages of `blocks[i]` blocks. The first block of every stage but the first halves the image; the others are
/// repeats of one block.
void stages(Draft& d, const std::string& first, const std::string& others, const std::vector<Int>& blocks,
            bool bottleneck) {
  Int width = 64, number = 0;
  for (const Int times : blocks) {
    const std::string name = "layer" + std::to_string(++number);
    if (number == 1 && !bottleneck) {
      repeated(d, name, others, width, times);
    } else {
      d.add("Block", name + ".0", instance_of(first, {{"filters", width}, {"stride", Int{number == 1 ? 1 : 2}}}));
      repeated(d, name + ".1", others, width, times - 1);
    }
    width *= 2;
  }
  d.frame("Residual stages");
  d.column();
}

GraphDoc resnet(const std::vector<Int>& blocks, bool bottleneck, bool photos) {
  GraphDoc doc;
  const std::string first = bottleneck ? "DownBottleneck" : "DownBlock",
                    others = bottleneck ? "Bottleneck" : "BasicBlock";
  for (const bool down : {false, true})
    bottleneck ? define_bottleneck(doc, down ? first : others, down) : define_basic(doc, down ? first : others, down);
  Draft d(doc);
  stem(d, photos);
  stages(d, first, others, blocks, bottleneck);
  d.add("GlobalAvgPool2d", "avgpool");
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", outputs(photos ? 1000 : 10));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  if (photos)
    set(doc, own_images(224), photo_settings(0.0125));
  else
    set(doc, from(SourceKind::cifar), cifar_settings(0.1));
  return doc;
}

}  // namespace

GraphDoc resnet18_cifar() { return resnet({2, 2, 2, 2}, false, false); }
GraphDoc resnet34_cifar() { return resnet({3, 4, 6, 3}, false, false); }
GraphDoc resnet18() { return resnet({2, 2, 2, 2}, false, true); }
GraphDoc resnet50() { return resnet({3, 4, 6, 3}, true, true); }

}  // namespace nw::drawing

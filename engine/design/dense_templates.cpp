// SPDX-License-Identifier: Apache-2.0
// DenseNet, ConvNeXt and a small vision transformer for photos. Layer names and sizes are torchvision's, so that its
// weights fit.
#include "engine/design/template_parts.hpp"

namespace nw::drawing {
namespace {

/// Two convolutions whose 32 channels are joined with all channels before (Huang et al., "Densely connected
/// convolutional networks", 2017).
void define_dense_layer(GraphDoc& doc) {
  define_block(doc, "DenseLayer", {});
  Draft d(doc, "DenseLayer");
  const NodeId in = d.add("BlockInput", "in");
  d.add("BatchNorm2d", "norm1");
  d.add("ReLU", "relu1");
  d.add("Conv2d", "conv1", plain_conv(Int{128}, Int{1}, Int{0}));
  d.add("BatchNorm2d", "norm2");
  d.add("ReLU", "relu2");
  const NodeId last = d.add("Conv2d", "conv2", plain_conv(Int{32}, Int{3}, Int{1}));
  d.back_to(in, d.x(), d.bottom());
  d.connect(last, d.add("Concat", "cat"), 1);
  d.add("BlockOutput", "out");
}

void define_dense_block(GraphDoc& doc, const std::string& name, Int layers) {
  define_block(doc, name, {});
  Draft d(doc, name);
  d.add("BlockInput", "in");
  for (Int k = 1; k <= layers; ++k) {
    d.add("Block", "denselayer" + std::to_string(k), instance_of("DenseLayer", {}));
    if (k % 8 == 0 && k < layers) d.column();
  }
  d.add("BlockOutput", "out");
}

void define_transition(GraphDoc& doc) {
  define_block(doc, "Transition", {{"filters", 128}});
  Draft d(doc, "Transition");
  d.add("BlockInput", "in");
  d.add("BatchNorm2d", "norm");
  d.add("ReLU", "relu");
  d.add("Conv2d", "conv", plain_conv(formula("$filters"), Int{1}, Int{0}));
  d.add("AvgPool2d", "pool");
  d.add("BlockOutput", "out");
}

/// Depthwise 7×7, then two linear layers over the channels of each pixel (Liu et al., "A ConvNet for the 2020s", 2022).
void define_convnext_block(GraphDoc& doc) {
  define_block(doc, "CNBlock", {{"dim", 96}, {"layer", 1}});
  Draft d(doc, "CNBlock");
  const NodeId in = d.add("BlockInput", "in");
  d.add(
      "Conv2d", "block.0",
      {{"out_channels", formula("$dim")}, {"kernel_size", both(7)}, {"padding", both(3)}, {"groups", formula("$dim")}});
  d.add("LayerNorm2d", "block.2");
  d.add("ChannelLinear", "block.3", {{"out_features", formula("$dim*4")}});
  d.add("GELU", "block.4");
  d.add("ChannelLinear", "block.5", {{"out_features", formula("$dim")}});
  d.add("LayerScale", "layer_scale");
  d.add("StochasticDepth", "stochastic_depth", {{"p", 0.1}, {"layer", formula("$layer")}, {"layers", Int{17}}});
  d.connect(in, d.add("Add", "add"), 1);
  d.add("BlockOutput", "out");
}

/// Attention, then two linear layers for each token, each with a shortcut (Dosovitskiy et al., "An image is worth 16x16
/// words", 2021).
void define_encoder_block(GraphDoc& doc) {
  define_block(doc, "EncoderBlock", {{"dim", 192}, {"heads", 3}});
  Draft d(doc, "EncoderBlock");
  const NodeId in = d.add("BlockInput", "in");
  d.add("LayerNorm2d", "ln_1");
  d.add("MultiheadAttention", "self_attention", {{"num_heads", formula("$heads")}});
  const NodeId middle = d.add("Add", "add1");
  d.connect(in, middle, 1);
  d.add("LayerNorm2d", "ln_2");
  d.add("ChannelLinear", "mlp.0", {{"out_features", formula("$dim*4")}});
  d.add("GELU", "mlp.1");
  d.add("ChannelLinear", "mlp.3", {{"out_features", formula("$dim")}});
  d.connect(middle, d.add("Add", "add2"), 1);
  d.add("BlockOutput", "out");
}

/// AdamW with a cosine schedule, as both papers train.
TrainSettings adamw_settings() {
  TrainSettings s = photo_settings(5e-4);
  s.optimizer.choose("adamw");
  s.optimizer.set("weight_decay", 0.05);
  s.l2 = 0;
  return s;
}

}  // namespace

GraphDoc densenet121() {
  GraphDoc doc;
  const Int layers[] = {6, 12, 24, 16};
  define_dense_layer(doc);
  for (const Int n : layers) define_dense_block(doc, "Dense" + std::to_string(n), n);
  define_transition(doc);
  Draft d(doc);
  d.add("Input", "images", image(3, 224));
  d.add("Conv2d", "features.conv0", plain_conv(Int{64}, Int{7}, Int{3}, both(2)));
  d.add("BatchNorm2d", "features.norm0");
  d.add("ReLU", "features.relu0");
  d.add("MaxPool2d", "features.pool0", {{"kernel_size", both(3)}, {"stride", both(2)}, {"padding", both(1)}});
  d.frame("Stem");
  d.column();
  Int number = 0, channels = 64;
  for (const Int n : layers) {
    const std::string which = std::to_string(++number);
    d.add("Block", "features.denseblock" + which, instance_of("Dense" + std::to_string(n), {}));
    channels = (channels + 32 * n) / 2;
    if (number < 4) d.add("Block", "features.transition" + which, instance_of("Transition", {{"filters", channels}}));
  }
  d.frame("Dense blocks");
  d.column();
  d.add("BatchNorm2d", "features.norm5");
  d.add("ReLU", "relu");
  d.add("GlobalAvgPool2d", "avgpool");
  d.add("Flatten", "flatten");
  d.add("Linear", "classifier", outputs(1000));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  set(doc, own_images(224), photo_settings(0.0125));
  return doc;
}

GraphDoc convnext_tiny() {
  GraphDoc doc;
  define_convnext_block(doc);
  Draft d(doc);
  d.add("Input", "images", image(3, 224));
  d.add("Conv2d", "features.0.0", {{"out_channels", Int{96}}, {"kernel_size", both(4)}, {"stride", both(4)}});
  d.add("LayerNorm2d", "features.0.1");
  d.frame("Stem");
  Int number = 0, layer = 0, dim = 96;
  for (const Int times : {3, 3, 9, 3}) {
    d.column();
    if (number > 0) {
      const std::string down = "features." + std::to_string(number) + ".";
      d.add("LayerNorm2d", down + "0");
      d.add("Conv2d", down + "1", {{"out_channels", dim *= 2}, {"kernel_size", both(2)}, {"stride", both(2)}});
    }
    const std::string stage = "features." + std::to_string(number + 1) + ".";
    for (Int k = 0; k < times; ++k)
      d.add("Block", stage + std::to_string(k), instance_of("CNBlock", {{"dim", dim}, {"layer", layer++}}));
    number += 2;
    d.frame("Stage " + std::to_string(number / 2));
  }
  d.column();
  d.add("GlobalAvgPool2d", "avgpool");
  d.add("LayerNorm2d", "classifier.0");
  d.add("Flatten", "classifier.1");
  d.add("Linear", "classifier.2", outputs(1000));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  set(doc, own_images(224), adamw_settings());
  return doc;
}

GraphDoc vit_tiny() {
  GraphDoc doc;
  define_encoder_block(doc);
  Draft d(doc);
  d.add("Input", "images", image(3, 224));
  d.add("PatchEmbedding", "conv_proj", {{"embed_dim", Int{192}}, {"patch_size", Int{16}}});
  d.add("ClassToken", "class_token");
  d.add("PositionalEmbedding", "encoder.pos_embedding");
  d.frame("Patches");
  d.column();
  for (Int k = 0; k < 12; ++k) {
    d.add("Block", "encoder.layers.encoder_layer_" + std::to_string(k),
          instance_of("EncoderBlock", {{"dim", Int{192}}, {"heads", Int{3}}}));
    if (k != 5) continue;
    d.frame("Encoder");
    d.column();
  }
  d.frame("Encoder");
  d.column();
  d.add("LayerNorm2d", "encoder.ln");
  d.add("Slice", "token", {{"dim", std::string("rows")}, {"end", Int{1}}});
  d.add("Flatten", "flatten");
  d.add("Linear", "heads.head", outputs(1000));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  set(doc, own_images(224), adamw_settings());
  return doc;
}

}  // namespace nw::drawing

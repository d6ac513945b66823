// SPDX-License-Identifier: Apache-2.0
// Shared by the template files: short forms of attributes, data and settings, and the networks defined in separate
// files.
#pragma once
#include "engine/design/draft.hpp"

namespace nw::drawing {

using Int = std::int64_t;

void set(GraphDoc&, const DataChoice&, const TrainSettings&);
void define_block(GraphDoc&, const std::string& name, std::vector<BlockParameter> parameters);

AttrMap image(Int channels, Int size);
TrainSettings adam(double learning_rate = 1e-3);
AttrMap outputs(Int n);
/// An attribute computed from a block's parameters: "$filters*2".
inline Attr formula(const char* text) { return std::string(text); }
AttrMap conv(Int filters, Int kernel, Int padding);
/// Without a bias, for a convolution before a batch norm, which would cancel it.
AttrMap plain_conv(Attr filters, Attr kernel, Attr padding, Attr stride = both(1));

DataChoice from(SourceKind);
/// A folder of images that the user chooses later, resized to one size.
DataChoice own_images(Int size);

/// The settings of He et al., "Deep residual learning", 2015 for CIFAR-10, with a cosine schedule instead of steps.
TrainSettings cifar_settings(double learning_rate);
/// The same for images of 224 pixels, with batches that fit into the memory of a desktop GPU.
TrainSettings photo_settings(double learning_rate);

GraphDoc mlp_moons();
GraphDoc shapes_labels();
GraphDoc shapes_values();
GraphDoc convnet_tiny();
GraphDoc mobilenet_small();
GraphDoc resnet18_cifar();
GraphDoc resnet34_cifar();
GraphDoc resnet18();
GraphDoc resnet50();
GraphDoc squeezenet1_1();
GraphDoc mobilenet_v2();
GraphDoc efficientnet_b0();
GraphDoc densenet121();
GraphDoc convnext_tiny();
GraphDoc vit_tiny();

}  // namespace nw::drawing

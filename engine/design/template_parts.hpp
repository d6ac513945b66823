// SPDX-License-Identifier: Apache-2.0
// What the files of templates share: attributes in short, data and settings, and the networks that have a file of their
// own.
#pragma once
#include "engine/design/draft.hpp"

namespace nw::drawing {

using Int = std::int64_t;

void set(GraphDoc&, const DataChoice&, const TrainSettings&);
void define_block(GraphDoc&, const std::string& name, std::vector<BlockParameter> parameters);

AttrMap image(Int channels, Int size);
TrainSettings adam(double learning_rate = 1e-3);
AttrMap outputs(Int n);
AttrMap conv(Int filters, Int kernel, Int padding);
/// In front of a batch norm, which takes any bias away again.
AttrMap plain_conv(Attr filters, Attr kernel, Attr padding, Attr stride = both(1));

DataChoice from(SourceKind);
/// A folder of images that is still to be chosen, brought to one size.
DataChoice own_images(Int size);

/// What He et al., "Deep residual learning", 2015 train CIFAR-10 with, the steps replaced by a cosine.
TrainSettings cifar_settings(double learning_rate);
/// The same for photos of 224 pixels, in batches that fit a desktop's memory.
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

}  // namespace nw::drawing

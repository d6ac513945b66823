// SPDX-License-Identifier: Apache-2.0
// Settings of a training as Python source: one record for each optimizer, transform and data source. Private to
// engine/exchange/source.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/design/graph_doc.hpp"
#include "engine/design/layer_type.hpp"

namespace nw::exchange {

struct OptimizerSource {
  std::string_view name;  // Optimizer::name
  std::string_view
      torch;  // with a field's name in {}: "torch.optim.SGD(groups, lr=LEARNING_RATE, momentum={momentum})"
  std::string_view keras;   // the same; "": Keras has none
  bool decoupled = false;   // l2 is no part of it
  std::string_view helper;  // its class, where PyTorch has none
};
std::span<const OptimizerSource> optimizer_sources();
const OptimizerSource* optimizer_source(std::string_view name);
/// The pattern with the document's values.
std::string filled(std::string_view pattern, const OptimizerChoice&);

struct TransformSource {
  std::string_view name;   // Transform::type
  std::string_view torch;  // of torchvision.transforms.v2, with {field}; "": mixes batches
};
std::span<const TransformSource> transform_sources();
/// The transforms of images, in their order: crop, flip, then the list.
std::vector<std::string> augmentation_lines(const TrainSettings&, std::int64_t height, std::int64_t width);
/// "MixUp", p and alpha of each row that mixes batches: ("mixup", 0.5, 0.2).
std::vector<std::string> mixing_rows(const TrainSettings&);

/// Python's lines of `load_data(path)`, which returns the training and the test set.
std::string_view data_reader(const DataChoice&);
std::string_view data_help(const DataChoice&);  // what --train takes

/// The constants that the schedule's formula uses beside the learning rate.
std::vector<std::pair<const char*, double>> schedule_constants(const TrainSettings&);
/// What the project's training does and the program does not: lines of comments; empty: nothing.
std::vector<std::string> left_out_of(const TrainSettings&);
/// The numbers of a loss's class_weights or pos_weight; empty where there are none, or where they are balanced.
std::vector<double> listed_weights_of(const Attrs& loss);
/// The same for the attributes of the loss. `takes_lists`: the program has a list of weights.
std::vector<std::string> left_out_of_loss(const Attrs& loss, bool takes_lists);

}  // namespace nw::exchange

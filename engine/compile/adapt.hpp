// SPDX-License-Identifier: Apache-2.0
// Adapts a trained network to other data: a new last layer, the same preprocessing, and early layers that are trained
// later and more slowly than the last ones (Howard & Ruder, "Universal Language Model Fine-tuning", 2018: gradual
// unfreezing and discriminative learning rates).
#pragma once
#include <string>
#include <vector>

#include "engine/design/data_facts.hpp"
#include "engine/design/graph_doc.hpp"

namespace nw {

/// A network and the images that its weights were trained with.
struct AdaptSource {
  GraphDoc doc;
  std::int64_t channels = 0, height = 0, width = 0;
  std::vector<float> mean, deviation;  // for each channel; empty: not known
  bool normalize = true;               // where mean and deviation are not known: by those of the new images
};

struct AdaptOptions {
  // a node of the network: it and all nodes before it are never trained; empty: as recommended for the data
  std::string frozen_up_to;
  std::int64_t epochs = 0;  // 0: as recommended
  bool binary = false;      // two classes: one output, which is the second class's score
};

/// Nodes of the network, one behind another, that begin to train together.
struct AdaptStage {
  std::vector<std::string> nodes;
  std::int64_t from_epoch = 0;  // 0-based; -1: never
  double lr_scale = 1;
};

struct Adaptation {
  GraphDoc doc;
  std::string head;                // the layer whose weights begin anew, by its name in files of weights
  std::vector<AdaptStage> stages;  // from the input to the head; those without nodes are left out
};

/// `data`: what to train on; images are resized and normalized as those of the source were. `facts`: its targets and
/// number of training images. Errc::bad_input: the network has errors, no last layer that could be replaced (a Linear,
/// ChannelLinear or Conv2d behind which only layers without weights follow), no node of the given name, or the targets
/// are not binary although `binary` is set.
Result<Adaptation> adapt(const AdaptSource&, DataChoice data, const DataFacts& facts, const AdaptOptions& = {});

}  // namespace nw

// SPDX-License-Identifier: Apache-2.0
// Trains a network further while it computes with changed weights: rounded ones, or some that are zero. Gradients go
// straight through the change ("straight-through estimator": Bengio, Léonard, Courville, "Estimating or propagating
// gradients through stochastic neurons for conditional computation", 2013): the update that the optimizer makes to the
// changed weights is made to the trained ones.
#pragma once
#include <functional>

#include "engine/core/files.hpp"
#include "engine/design/graph_doc.hpp"
#include "engine/exchange/weights.hpp"

namespace nw::compress {

struct FineTuningProgress {
  std::int64_t epoch = 0, epochs = 0;  // epoch: 1-based
  std::int64_t batch = 0, batches = 0;
  double loss = 0;  // mean of the epoch so far
};

struct FineTuning {
  std::int64_t epochs = 0;   // 0: none
  double learning_rate = 0;  // at first, falling to 0 along half a cosine; 0: a tenth of the run's
  std::int64_t threads = 0;  // 0: as the run's settings say
  /// Called after each batch; false stops with Errc::stopped.
  std::function<bool(const FineTuningProgress&)> progress{};
};

/// Writes into `computed`, which holds the same names, what the network is to compute with.
using ChangeWeights = std::function<Status(const exchange::Weights& trained, exchange::Weights& computed)>;

struct FineTuned {
  exchange::Weights weights;  // the trained ones, not changed; running statistics are those of the changed network
  double learning_rate = 0;
  std::vector<double> losses;  // mean of each epoch's batches, training part
};

/// On the run's training part, augmented as in its training, with its optimizer, batch size and loss, in fp32 on the
/// processor; no layer is frozen, and labels are learned, not a teacher's outputs. `network`: the run's document, or
/// one that takes the same images and targets; `start`: all of its weights. Equal results for equal threads.
/// Errc::bad_input: the data are not there, or a weight does not fit; Errc::not_finite: the training diverged.
Result<FineTuned> fine_tune(const fs::path& run, const GraphDoc& network, exchange::Weights start, const ChangeWeights&,
                            const FineTuning&);

}  // namespace nw::compress

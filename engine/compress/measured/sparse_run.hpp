// SPDX-License-Identifier: Apache-2.0
// A run of its own, with single weights of a trained run that are zero.
#pragma once
#include "engine/compress/measured/fine_tune.hpp"
#include "engine/compress/pruning/unstructured.hpp"

namespace nw::compress {

struct SparseRun {
  fs::path run;
  std::string checkpoint;           // of the trained run
  std::vector<SparseLayer> layers;  // in the order of computation
  std::int64_t bytes = 0;           // of the file of weights, before and after
  std::int64_t deflated_before = 0, deflated_after = 0;
  std::int64_t sparse_bytes = 0;
  double learning_rate = 0;    // of the fine-tuning, at first
  std::vector<double> losses;  // mean of each epoch of the fine-tuning
};

/// Prunes, fine-tunes with the zeros in place (no epochs: not at all), and writes the folder `to`, or a new one among
/// the runs if it is empty. Errc::bad_input as of prune_weights() and fine_tune(); Errc::usage: `to` holds something.
Result<SparseRun> make_sparse_run(const fs::path& run, const std::string& checkpoint, const SparsityPlan&,
                                  const FineTuning&, fs::path to);

}  // namespace nw::compress

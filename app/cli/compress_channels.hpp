// SPDX-License-Identifier: Apache-2.0
// compress --prune and --layer: networks without some channels.
#pragma once
#include <map>

#include "engine/compress/pruning/prune.hpp"

namespace nw::cli {

struct CompressCommand {
  std::string run, output, checkpoint = "best", criterion = "l1";
  std::map<std::string, double> layers;  // shares of channels to remove; empty: by `prune`
  compress::PruneOptions prune;
  std::int64_t epochs = 0;
  double learning_rate = 0;
  std::string teacher;  // run whose outputs the smaller network learns; empty: none
  bool force = false, json = false;
  double seconds = 0.5;  // of each measurement of a trial
};

/// Writes the project and its weights. Returns the exit code.
int compress_network(const CompressCommand&);
/// Measures the latency of the smaller network and writes nothing. Returns the exit code.
int try_network(const CompressCommand&);

}  // namespace nw::cli

// SPDX-License-Identifier: Apache-2.0
// compress --unstructured.
#pragma once
#include "engine/compress/measured/fine_tune.hpp"
#include "engine/compress/pruning/unstructured.hpp"

namespace nw::cli {

struct SparseCommand {
  std::string run, to, checkpoint = "best";
  compress::SparsityPlan plan;
  compress::FineTuning fine_tuning{};
  bool json = false;
};

/// Makes the run, and evaluates both. Returns the exit code.
int compress_sparse(SparseCommand);

}  // namespace nw::cli

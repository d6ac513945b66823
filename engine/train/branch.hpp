// SPDX-License-Identifier: Apache-2.0
// A branch: a new run that begins with the full state of another run's checkpoint, with or without changes. Its folder
// has the parent's history up to that step, so charts show where it comes from, and it is then resumed like any run.
#pragma once
#include "engine/train/checkpoint.hpp"
#include "engine/train/trainer.hpp"

namespace nw {

struct BranchPlan {
  fs::path parent, run;               // folders; `run` must not hold a run
  std::string from = "latest";        // "latest", "best", a step "1200", or the end of an epoch "epoch3"
  std::vector<std::string> settings;  // "weight_decay=0.01", see with_setting()
  std::optional<GraphDoc> project;    // another network, data or settings; `settings` are applied to it
  std::vector<std::string> devices;   // empty: the parent's
};

/// A weight of the branch's network and whether the checkpoint has it.
struct CarriedWeight {
  std::string name;
  std::vector<std::int64_t> shape, in_parent;  // in_parent is empty: the parent has no weight of this name
  bool carried() const { return shape == in_parent; }
};

struct Branch {
  TrainRequest request;  // trains it
  Progress progress;     // of its first checkpoint
  std::int64_t step = 0;
  std::vector<CarriedWeight> weights;
  bool same_network = true;  // every weight is carried
  bool bit_exact = true;     // without changes its numbers are those of the uninterrupted run
};

/// Finds the checkpoint, applies the changes and compares the networks; writes nothing.
Result<Branch> plan_branch(const BranchPlan&);
/// Writes the folder of the planned branch. Errc::usage: it holds a run already.
Status write_branch(const BranchPlan&, const Branch&);

}  // namespace nw

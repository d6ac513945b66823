// SPDX-License-Identifier: Apache-2.0
// What four devices of a run did, of which the last is slower: for tests and screenshots.
#pragma once
#include "engine/runs/rank_times.hpp"

namespace nw::test {

inline RankUse rank_use(int rank, double compute_s, double communication_s, double wait_s) {
  RankUse r{.rank = rank, .host = "node1", .device = "cpu:" + std::to_string(rank), .steps = 20, .seconds = 1};
  r.compute_s = compute_s;
  r.communication_s = communication_s;
  r.wait_s = wait_s;
  r.input_s = 1 - compute_s - communication_s - wait_s;
  r.busy = compute_s;
  r.memory_bytes = 212e6;
  if (rank == 0) r.power_w = 84, r.energy_j = 5400;
  return r;
}

/// A step of 50 ms: three buckets, of which two are on their way in the backward pass.
inline std::vector<StepSpan> step_spans(double slower_s = 0) {
  const double back = 0.03 + slower_s, all = 0.046;
  return {
      {StepPart::forward, 0, 0, 0.012}, {StepPart::backward, 0, 0.012, back},  {StepPart::wait, 0, back, all},
      {StepPart::update, 0, all, 0.05}, {StepPart::bucket, 1, 0.016, 0.026},   {StepPart::bucket, 2, 0.022, 0.038},
      {StepPart::bucket, 3, back, all}, {StepPart::exchange, 0, 0.016, 0.017}, {StepPart::exchange, 0, 0.025, 0.027}};
}

inline RankTimes four_ranks(bool whole_epoch = false) {
  RankTimes t{.epoch = 3, .step = 2000, .whole_epoch = whole_epoch};
  t.ranks = {rank_use(0, 0.56, 0.1, 0.3), rank_use(1, 0.58, 0.1, 0.28), rank_use(2, 0.55, 0.12, 0.29),
             rank_use(3, 0.86, 0.1, 0.0)};
  name_slowest(t, 0.2);
  for (RankUse& r : t.ranks)
    if (whole_epoch) r.spans = step_spans(r.rank == 3 ? 0.014 : 0);
  return t;
}

}  // namespace nw::test

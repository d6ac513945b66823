// SPDX-License-Identifier: Apache-2.0
// What every device of a training did: seconds in computing, communication and waiting, memory, power. A device is
// named by its rank: its number among all devices, or processes, of the run; a run on one device has rank 0 alone.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/json.hpp"
#include "engine/runs/step_spans.hpp"

namespace nw {

/// Of one device, in one interval. Quantities that are not known are nullopt, and absent in JSON.
struct RankUse {
  int rank = 0;
  std::string host = {}, device = {};  // "node7"; "cpu:1", a stage's "cpu:1"
  std::int64_t steps = 0;              // training steps in the interval
  double seconds = 0;  // in them, with the wait for their images; the four below add up to it where all are known
  std::optional<double> compute_s = {},
                        communication_s = {};  // sending, receiving and adding gradients, once all have arrived
  std::optional<double> wait_s = {};           // for devices that arrived later
  std::optional<double> input_s = {};          // for images, and for the program between two steps
  std::optional<double> busy = {};             // share of the time in which it computed, 0…1
  std::optional<double> memory_bytes = {};     // of weights, gradients, optimizer and activations
  // of a GPU; of all processors of a host in that host's first rank that is a processor, other programs included
  std::optional<double> power_w = {}, energy_j = {};
  // of one step at the end of an epoch, where gradients are summed over devices; empty: not known
  std::vector<StepSpan> spans = {};
  bool operator==(const RankUse&) const = default;
};

/// Posted about once a second while training, and after each epoch for the epoch as a whole.
struct RankTimes {
  std::int64_t epoch = 0, step = 0;  // 1-based: of the last step in it
  bool whole_epoch = false;
  std::vector<RankUse> ranks = {};
  int slowest = -1;      // rank of a device that the others wait for; -1: none
  double slower_by = 0;  // 0.5: its own work takes 50 % longer than the median of the others'
  bool operator==(const RankTimes&) const = default;
};

/// A step's seconds; 0 without a step.
double step_seconds(const RankUse&);
/// Seconds of a step in which the device did not wait for others: computing and waiting for images. nullopt: not known.
std::optional<double> own_step_seconds(const RankUse&);
/// The scaling efficiency: the share of all devices' time that is neither communication nor waiting for other devices.
/// 1 on one device; nullopt: not known of every rank.
std::optional<double> scaling_efficiency(const RankTimes&);
/// Fills `slowest` and `slower_by`: the device whose own work takes longer than the median of the others' by more than
/// `margin` (0.2: 20 %).
void name_slowest(RankTimes&, double margin);

/// The mean over all devices whose spans are known; nullopt: of none.
std::optional<double> hidden_share(const RankTimes&);

inline constexpr std::size_t most_ranks_recorded = 1024;
inline constexpr std::size_t most_ranks_with_spans = 32;

Json to_json(const RankTimes&);
/// Parses one record. Problems are recorded in the reader.
RankTimes rank_times_from(JsonReader&);

}  // namespace nw

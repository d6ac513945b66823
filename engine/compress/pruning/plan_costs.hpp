// SPDX-License-Identifier: Apache-2.0
// What a network costs when layers keep fewer channels: from the sizes of its layers alone, without weights.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "engine/compress/pruning/channel_groups.hpp"

namespace nw::compress {

/// How many of `channels` are left when the share `removed`, in [0, 1), goes; at least one.
std::int64_t channels_left(std::int64_t channels, double removed);

struct PlanCosts {
  std::int64_t multiply_adds = 0, parameters = 0;
  std::int64_t bytes = 0;       // of the weights in fp32, running statistics among them; without a file's header
  std::int64_t int8_bytes = 0;  // of the weights in 8 bits: numbers, and a scale and a bias for each output channel
  bool operator==(const PlanCosts&) const = default;
};

/// A layer that makes channels, with those that lose theirs with it.
struct PlannedLayer {
  std::string name, type;           // of the first; the type's name: "Conv2d"
  std::vector<std::string> layers;  // all of them, in the order of computation
  std::int64_t channels = 0;
  bool fixed = false;  // keeps its channels by necessity
};

class PlanCostTable {
 public:
  /// Errc::bad_input: the network has errors.
  static Result<PlanCostTable> of(const GraphDoc&);
  /// In the order of computation.
  const std::vector<PlannedLayer>& layers() const { return layers_; }
  /// `removed`: shares of the channels by the names of layers(), as of choose_channels_of(); others are ignored.
  PlanCosts costs(const std::map<std::string, double>& removed) const;

 private:
  PlanCostTable() = default;
  FlatNetwork network_;
  ChannelGroups groups_;
  std::vector<PlannedLayer> layers_;
  std::vector<std::size_t> group_;  // of each of them
};

}  // namespace nw::compress

// SPDX-License-Identifier: Apache-2.0
// Which channels of a network can only be removed together. A channel of a convolution's output is a row of its weight,
// an entry of the batch norm behind it and a column of every layer that reads it; additions tie the channels of several
// layers to each other (Fang et al., "DepGraph", CVPR 2023).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/compile/flat_network.hpp"

namespace nw::compress {

/// Where the channels of a group lie in a weight: in dimension `dim`, channel c has `each` indices from
/// first + c * each on.
struct ChannelAxis {
  std::string weight;  // name in files
  int dim = 0;
  std::int64_t first = 0, each = 1;
  bool counts = true;  // false: says little of a channel's importance, such as a bias or a running mean
  bool reads = false;  // true: the weight of a layer that reads the channel and mixes it with others
  bool operator==(const ChannelAxis&) const = default;
};

struct ChannelGroup {
  std::int64_t channels = 0;
  bool fixed = false;          // the network's inputs and outputs, and what no rule is known for
  std::vector<int> producers;  // layers whose number of outputs is the group's
  std::vector<ChannelAxis> axes;
};

/// Consecutive channels of a layer's output that belong to one group, `each` numbers for each channel (more than one
/// after Flatten).
struct ChannelRun {
  int group = -1;
  std::int64_t each = 1;
  bool operator==(const ChannelRun&) const = default;
};

struct ChannelGroups {
  std::vector<ChannelGroup> groups;
  std::vector<std::vector<ChannelRun>> outputs;  // by layer: its output's channels, in order
  std::vector<int> depthwise;                    // convolutions with as many groups as channels
};

ChannelGroups find_channel_groups(const FlatNetwork&);

/// The multiply-adds of each layer are proportional to the channels that it reads, to those that it makes, or both.
/// `kept`: how many channels of each group there are. Without arguments that differ: the network's own.
std::int64_t multiply_adds(const FlatNetwork&, const ChannelGroups&, const std::vector<std::int64_t>& kept);

}  // namespace nw::compress

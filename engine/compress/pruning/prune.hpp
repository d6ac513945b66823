// SPDX-License-Identifier: Apache-2.0
// Structured pruning: a smaller network of the channels that matter most, with the weights that they had. Its training
// continues from there.
#pragma once
#include <map>

#include "engine/compress/pruning/channel_groups.hpp"
#include "engine/exchange/weights.hpp"

namespace nw::compress {

struct PruneOptions {
  double share = 0.5;            // of the multiply-adds, to be removed; in (0, 1)
  double least_kept = 0.1;       // of every group's channels
  std::int64_t multiple_of = 4;  // numbers of channels are kept at multiples of it where a group has twice as many
};

/// Errc::bad_input: one of the network's weights is missing, or has other sizes.
Status check_weights(const FlatNetwork&, const exchange::Weights&);

/// By group and channel: the magnitudes of its part of each weight, relative to their mean over the group's channels,
/// on average over the weights (group L1 of Fang et al., 2023); without biases and running statistics. Fixed groups:
/// empty.
std::vector<std::vector<double>> channel_scores(const ChannelGroups&, const exchange::Weights&);

/// By group: the channels that are kept, ascending. Those of the lowest scores go first, over all groups, until the
/// multiply-adds are at most (1 - share) of the network's. Errc::bad_input: that cannot be reached.
Result<std::vector<std::vector<std::int64_t>>> choose_channels(const FlatNetwork&, const ChannelGroups&,
                                                               const std::vector<std::vector<double>>& scores,
                                                               const PruneOptions&);

/// The same with a share in [0, 1) of the channels removed from each named layer and from what belongs to it; the other
/// layers keep theirs. Errc::bad_input: a layer does not exist, keeps its channels by necessity, or shares them with
/// another one that is named.
Result<std::vector<std::vector<std::int64_t>>> choose_channels_of(const FlatNetwork&, const ChannelGroups&,
                                                                  const std::vector<std::vector<double>>& scores,
                                                                  const std::map<std::string, double>& removed);
/// The numbers of the `count` channels of the highest scores, ascending.
std::vector<std::int64_t> best_channels(const std::vector<double>& scores, std::int64_t count);

struct PrunedNetwork {
  GraphDoc doc;  // without blocks: their instances have different sizes now
  exchange::Weights weights;
  struct Row {
    std::string layer;
    std::int64_t before = 0, after = 0;  // output channels
  };
  std::vector<Row> rows;  // of layers that make channels, in the order of computation
  std::int64_t multiply_adds_before = 0, multiply_adds_after = 0, parameters_before = 0, parameters_after = 0;
};
/// The document's network with the channels `kept` of each group of find_channel_groups(). `weights`: all of the
/// network's, by their names in files. Errc::bad_input: the network has errors, or a weight is missing.
Result<PrunedNetwork> keep_channels(const GraphDoc&, const exchange::Weights&,
                                    const std::vector<std::vector<std::int64_t>>& kept);
}  // namespace nw::compress

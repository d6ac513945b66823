// SPDX-License-Identifier: Apache-2.0
// What a trained network loses when channels of one layer are removed and of no other, before any training: which
// layers a plan of pruning may take from.
#pragma once
#include "engine/compress/measured/measured_network.hpp"
#include "engine/compress/pruning/channel_groups.hpp"

namespace nw::compress {

struct SensitivityPoint {
  std::int64_t kept = 0;  // channels
  MeasuredAnswers answers;
};
/// One group of channels that are removed together.
struct Sensitivity {
  std::vector<std::string> layers;  // that make the channels, in the order of computation
  std::int64_t channels = 0;
  std::vector<SensitivityPoint> points;  // by falling number of channels
};
struct Sensitivities {
  MeasuredAnswers whole;
  bool has_classes = true;          // the answers' accuracy counts
  std::vector<Sensitivity> groups;  // those that may lose channels
};

/// Eight numbers of channels for each group, fewer for small ones, those of the lowest `scores` removed first. `go_on`:
/// called with the number of measurements that are done and of all; false ends with Errc::stopped.
Result<Sensitivities> measure_sensitivities(MeasuredNetwork&, const ChannelGroups&,
                                            const std::vector<std::vector<double>>& scores,
                                            const std::function<bool(std::int64_t, std::int64_t)>& go_on = {});

/// The weights with zeros in every part that reads a channel that is not kept: the network's answers are those of the
/// pruned one. `kept`: ascending.
exchange::Weights without_channels(exchange::Weights, const ChannelGroup&, const std::vector<std::int64_t>& kept);

/// The largest share of each group's channels whose removal alone costs at most `loss` of the accuracy (0.002: 0.2
/// points), by the name of the group's first layer; groups without one are left out, and all where there are no
/// classes.
std::map<std::string, double> suggested_shares(const Sensitivities&, double loss);

}  // namespace nw::compress

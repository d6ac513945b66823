// SPDX-License-Identifier: Apache-2.0
// The criteria by which channels are pruned: compress and sensitivity.
#pragma once
#include "engine/compress/measured/measured_network.hpp"
#include "engine/compress/pruning/channel_groups.hpp"

namespace CLI {
class App;
}

namespace nw::cli {

/// Adds --criterion to a command.
void add_criterion(CLI::App&, std::string& to);
/// By "l1" or "fisher". `network`: measured only where the criterion needs it.
Result<std::vector<std::vector<double>>> prune_scores(compress::MeasuredNetwork& network,
                                                      const compress::ChannelGroups&, const std::string& criterion);

}  // namespace nw::cli

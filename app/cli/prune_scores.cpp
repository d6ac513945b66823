// SPDX-License-Identifier: Apache-2.0
#include "app/cli/prune_scores.hpp"

#include "app/cli/cli.hpp"
#include "engine/compress/measured/fisher.hpp"
#include "engine/compress/pruning/prune.hpp"

namespace nw::cli {

void add_criterion(CLI::App& command, std::string& to) {
  command
      .add_option("--criterion", to,
                  "Which channels go first: l1, those of the smallest weights; fisher, those whose removal costs the "
                  "least loss for the multiply-adds that it saves, by the gradients of training images")
      ->check(CLI::IsMember({"l1", "fisher"}))
      ->capture_default_str();
}

Result<std::vector<std::vector<double>>> prune_scores(compress::MeasuredNetwork& network,
                                                      const compress::ChannelGroups& groups,
                                                      const std::string& criterion) {
  if (criterion == "fisher") return compress::fisher_scores(network, groups);
  return compress::channel_scores(groups, network.weights());
}

}  // namespace nw::cli

// SPDX-License-Identifier: Apache-2.0
// What the loss loses with a channel, from the gradients of training batches: Liu et al., "Group Fisher pruning for
// practical network compression", ICML 2021.
#pragma once
#include "engine/compress/measured/measured_network.hpp"
#include "engine/compress/pruning/channel_groups.hpp"

namespace nw::compress {

/// By group and channel: the derivative of the loss with respect to a factor of the channel, squared and averaged over
/// the batches (the diagonal of Fisher's information, which stands for the Hessian), for each multiply-add that the
/// channel costs. The derivative is the sum of weight times gradient over all columns that read the channel. Fixed
/// groups: empty. `go_on`: called with the number of batches that are done; false ends with Errc::stopped.
Result<std::vector<std::vector<double>>> fisher_scores(MeasuredNetwork&, const ChannelGroups&,
                                                       const std::function<bool(std::int64_t)>& go_on = {});

}  // namespace nw::compress

// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/measured/fisher.hpp"

#include "engine/compress/pruning/channel_parts.hpp"

namespace nw::compress {
namespace {

using exchange::Weights;
using Scores = std::vector<std::vector<double>>;

/// The derivative of the loss with respect to a factor of each of the group's channels.
std::vector<double> derivatives(const ChannelGroup& group, const Weights& weights, const Weights& gradient) {
  std::vector<double> sums(static_cast<std::size_t>(group.channels), 0);
  for (const ChannelAxis& axis : group.axes) {
    const auto g = gradient.find(axis.weight);
    if (!axis.reads || g == gradient.end()) continue;
    const std::vector<float>& w = weights.at(axis.weight).values;
    for_each_part(axis, group.channels, g->second.dims, [&](std::int64_t c, std::int64_t first, std::int64_t count) {
      for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(first + count); ++i)
        sums[static_cast<std::size_t>(c)] += static_cast<double>(w[i]) * static_cast<double>(g->second.values[i]);
    });
  }
  return sums;
}

void add_squares(const ChannelGroups& groups, const Weights& weights, const Weights& gradient, Scores& scores) {
  for (std::size_t g = 0; g < scores.size(); ++g) {
    if (groups.groups[g].fixed) continue;
    const std::vector<double> d = derivatives(groups.groups[g], weights, gradient);
    for (std::size_t c = 0; c < d.size(); ++c) scores[g][c] += d[c] * d[c];
  }
}

/// The multiply-adds that one channel of each group costs while all others are there.
std::vector<double> costs(const FlatNetwork& network, const ChannelGroups& groups) {
  std::vector<std::int64_t> count;
  for (const ChannelGroup& g : groups.groups) count.push_back(g.channels);
  const std::int64_t all = multiply_adds(network, groups, count);
  std::vector<double> each;
  for (std::int64_t& n : count) {
    --n;
    each.push_back(static_cast<double>(std::max<std::int64_t>(1, all - multiply_adds(network, groups, count))));
    ++n;
  }
  return each;
}

}  // namespace

Result<Scores> fisher_scores(MeasuredNetwork& measured, const ChannelGroups& groups,
                             const std::function<bool(std::int64_t)>& go_on) {
  Scores scores;
  for (const ChannelGroup& g : groups.groups)
    scores.emplace_back(g.fixed ? 0 : static_cast<std::size_t>(g.channels), 0.0);
  std::int64_t batches = 0;
  NW_TRY(measured.gradients([&](const Weights& gradient) {
    add_squares(groups, measured.weights(), gradient, scores);
    ++batches;
    return !go_on || go_on(batches);
  }));
  const std::vector<double> cost = costs(measured.network(), groups);
  for (std::size_t g = 0; g < scores.size(); ++g)
    for (double& s : scores[g]) s /= cost[g] * static_cast<double>(std::max<std::int64_t>(batches, 1));
  return scores;
}

}  // namespace nw::compress

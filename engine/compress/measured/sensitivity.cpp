// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/measured/sensitivity.hpp"

#include <algorithm>

#include "engine/compress/pruning/channel_parts.hpp"
#include "engine/compress/pruning/prune.hpp"

namespace nw::compress {
namespace {

using exchange::Weights;

constexpr int points_of_a_group = 8;

/// Falling; every number once.
std::vector<std::int64_t> numbers_kept(std::int64_t channels) {
  std::vector<std::int64_t> kept;
  for (int i = points_of_a_group - 1; i >= 0; --i) {
    const std::int64_t n = std::max<std::int64_t>(1, (channels * i + points_of_a_group / 2) / points_of_a_group);
    if (n < channels && (kept.empty() || n < kept.back())) kept.push_back(n);
  }
  return kept;
}

std::vector<Sensitivity> planned(const FlatNetwork& network, const ChannelGroup& group) {
  if (group.fixed || group.channels < 2) return {};
  Sensitivity s{.layers = {}, .channels = group.channels, .points = {}};
  for (const int p : group.producers) s.layers.push_back(network.layers[static_cast<std::size_t>(p)].name);
  for (const std::int64_t kept : numbers_kept(group.channels)) s.points.push_back({kept, {}});
  return {s};
}

}  // namespace

Weights without_channels(Weights weights, const ChannelGroup& group, const std::vector<std::int64_t>& kept) {
  for (const ChannelAxis& axis : group.axes) {
    if (!axis.reads) continue;
    auto& w = weights.at(axis.weight);
    for_each_part(axis, group.channels, w.dims, [&](std::int64_t c, std::int64_t first, std::int64_t count) {
      if (!std::binary_search(kept.begin(), kept.end(), c)) std::fill_n(w.values.begin() + first, count, 0.0F);
    });
  }
  return weights;
}

Result<Sensitivities> measure_sensitivities(MeasuredNetwork& measured, const ChannelGroups& groups,
                                            const std::vector<std::vector<double>>& scores,
                                            const std::function<bool(std::int64_t, std::int64_t)>& go_on) {
  Sensitivities all{.whole = {}, .has_classes = measured.has_classes(), .groups = {}};
  std::vector<std::size_t> of;  // by entry: its group
  std::int64_t planned_points = 1, done = 0;
  for (std::size_t g = 0; g < groups.groups.size(); ++g)
    for (Sensitivity& s : planned(measured.network(), groups.groups[g])) {
      planned_points += std::ssize(s.points);
      all.groups.push_back(std::move(s));
      of.push_back(g);
    }
  const auto measure = [&](const Weights& weights) -> Result<MeasuredAnswers> {
    if (go_on && !go_on(done++, planned_points)) return fail(Errc::stopped, NW_TR("The measurement was stopped"));
    return measured.answers(weights);
  };
  NW_ASSIGN(all.whole, measure(measured.weights()));
  for (std::size_t i = 0; i < all.groups.size(); ++i)
    for (SensitivityPoint& p : all.groups[i].points) {
      const std::vector<std::int64_t> kept = best_channels(scores[of[i]], p.kept);
      NW_ASSIGN(p.answers, measure(without_channels(measured.weights(), groups.groups[of[i]], kept)));
    }
  return all;
}

std::map<std::string, double> suggested_shares(const Sensitivities& all, double loss) {
  std::map<std::string, double> shares;
  if (!all.has_classes) return shares;
  for (const Sensitivity& s : all.groups)
    for (const SensitivityPoint& p : s.points) {
      if (all.whole.accuracy() - p.answers.accuracy() > loss + 1e-12) break;  // what is removed beyond loses more
      shares[s.layers.front()] = 1 - static_cast<double>(p.kept) / static_cast<double>(s.channels);
    }
  return shares;
}

}  // namespace nw::compress

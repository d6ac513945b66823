// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/pruning/prune.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/compress/pruning/channel_parts.hpp"
#include "engine/compress/pruning/plan_costs.hpp"
#include "engine/design/block_edits.hpp"

namespace nw::compress {
namespace {

using exchange::NamedWeight;
using exchange::Weights;
using Kept = std::vector<std::vector<std::int64_t>>;

/// Adds to each channel the magnitudes of its part of a weight, relative to the mean over channels.
void add_magnitudes(const ChannelAxis& axis, const NamedWeight& weight, std::vector<double>& scores) {
  std::vector<double> sums(scores.size(), 0);
  for_each_part(axis, std::ssize(sums), weight.dims, [&](std::int64_t c, std::int64_t first, std::int64_t count) {
    for (std::int64_t i = first; i < first + count; ++i)
      sums[static_cast<std::size_t>(c)] += std::abs(static_cast<double>(weight.values[static_cast<std::size_t>(i)]));
  });
  const double mean = std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(sums.size());
  for (std::size_t c = 0; mean > 0 && c < sums.size(); ++c) scores[c] += sums[c] / mean;
}

/// One step of the choice: a number of channels of one group, those of the lowest scores among those that are left.
struct Removal {
  double score = 0;  // mean
  int group = 0;
  std::int64_t channels = 0;
  bool operator<(const Removal& other) const {
    return std::tie(score, group, channels) < std::tie(other.score, other.group, other.channels);
  }
};

/// The removals of one group, the cheapest first: `unit` channels each while enough are left.
void add_removals(int group, std::vector<double> scores, const PruneOptions& o, std::vector<Removal>& all) {
  std::sort(scores.begin(), scores.end());
  const auto count = std::ssize(scores);
  const std::int64_t unit = count >= 2 * o.multiple_of ? o.multiple_of : 1,
                     least = std::max<std::int64_t>(
                         1, static_cast<std::int64_t>(std::ceil(o.least_kept * static_cast<double>(count))));
  double highest = 0;
  for (std::int64_t left = count, at = 0; left > least;) {
    const std::int64_t next = std::max((left - 1) / unit * unit, least / unit * unit);
    if (next < least || next <= 0) break;
    const auto first = scores.begin() + at;
    const double mean = std::accumulate(first, first + (left - next), 0.0) / static_cast<double>(left - next);
    highest = std::max(highest, mean);
    all.push_back({highest, group, left - next});
    at += left - next;
    left = next;
  }
}

/// The part of a weight that is left when dimension `dim` keeps these indices.
NamedWeight selected(const NamedWeight& from, int dim, const std::vector<std::int64_t>& indices) {
  const auto d = static_cast<std::size_t>(dim);
  const std::int64_t size = from.dims[d], inner = elements(from.dims, d + 1, from.dims.size()),
                     outer = elements(from.dims, 0, d);
  NamedWeight to{.dims = from.dims};
  to.dims[d] = std::ssize(indices);
  to.values.reserve(static_cast<std::size_t>(outer * to.dims[d] * inner));
  for (std::int64_t o = 0; o < outer; ++o)
    for (const std::int64_t i : indices) {
      const auto begin = from.values.begin() + (o * size + i) * inner;
      to.values.insert(to.values.end(), begin, begin + inner);
    }
  return to;
}

/// By weight and dimension: the indices that are kept.
using Indices = std::map<std::pair<std::string, int>, std::vector<std::int64_t>>;
Indices indices_of(const ChannelGroups& groups, const Kept& kept) {
  std::map<std::pair<std::string, int>, std::map<std::int64_t, std::vector<std::int64_t>>> runs;
  for (std::size_t g = 0; g < groups.groups.size(); ++g)
    for (const ChannelAxis& axis : groups.groups[g].axes) {
      auto& run = runs[{axis.weight, axis.dim}][axis.first];
      for (const std::int64_t c : kept[g])
        for (std::int64_t i = 0; i < axis.each; ++i) run.push_back(axis.first + c * axis.each + i);
    }
  Indices all;
  for (const auto& [at, parts] : runs)
    for (const auto& [first, part] : parts) all[at].insert(all[at].end(), part.begin(), part.end());
  return all;
}

Status set_size(GraphDoc& doc, const std::string& layer, const std::vector<std::string>& fields, std::int64_t size) {
  for (const auto& [id, node] : doc.graph().nodes) {
    if (node.name != layer) continue;
    Node changed = node;
    for (const std::string& field : fields) changed.attrs[field] = size;
    NW_ASSIGN(const Edit undo, doc.apply({PutNode{"", id, std::move(changed)}}));
    (void)undo;
    return {};
  }
  return fail(Errc::bad_input, NW_TR("There is no layer {0}"), layer);
}
std::string field_of_size(const FlatLayer& layer) {
  return layer.type->name == "Linear" || layer.type->name == "ChannelLinear" ? "out_features" : "out_channels";
}

std::int64_t channels_of(const std::vector<ChannelRun>& runs, const Kept& kept) {
  std::int64_t all = 0;
  for (const ChannelRun& run : runs) all += std::ssize(kept[static_cast<std::size_t>(run.group)]);
  return all;
}

Status resize(PrunedNetwork& made, const FlatNetwork& network, const ChannelGroups& groups, const Kept& kept) {
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const FlatLayer& l = network.layers[i];
    const std::int64_t after = channels_of(groups.outputs[i], kept);
    const bool depthwise =
        std::find(groups.depthwise.begin(), groups.depthwise.end(), static_cast<int>(i)) != groups.depthwise.end();
    const auto makes = [&](const ChannelGroup& g) {
      return std::find(g.producers.begin(), g.producers.end(), static_cast<int>(i)) != g.producers.end();
    };
    if (!depthwise && std::none_of(groups.groups.begin(), groups.groups.end(), makes)) continue;
    made.rows.push_back({l.name, l.shape[1], after});
    if (after == l.shape[1]) continue;
    std::vector<std::string> fields{field_of_size(l)};
    if (depthwise) fields.emplace_back("groups");
    NW_TRY(set_size(made.doc, l.name, fields, after));
  }
  return {};
}

std::int64_t parameters(const FlatNetwork& network) {
  std::int64_t all = 0;
  for (const FlatLayer& l : network.layers)
    for (const Weight& w : l.weights)
      if (!w.buffer) all += w.shape.elements();
  return all;
}
std::int64_t multiply_adds(const FlatNetwork& network) {
  std::int64_t all = 0;
  for (const FlatLayer& l : network.layers)
    if (l.type->multiply_adds) all += l.type->multiply_adds(l.attrs, l.input_shapes, l.shape);
  return all;
}

}  // namespace

Status check_weights(const FlatNetwork& network, const Weights& weights) {
  for (const FlatLayer& l : network.layers)
    for (const Weight& w : l.weights) {
      if (w.shape.rank() == 0) continue;  // a counter
      const std::string name = exchange::weight_name(l.name, w.name);
      const auto found = weights.find(name);
      if (found == weights.end()) return fail(Errc::bad_input, NW_TR("There is no weight {0}"), name);
      if (found->second.dims != exchange::sizes_of(w.shape) ||
          std::ssize(found->second.values) != elements(found->second.dims, 0, found->second.dims.size()))
        return fail(Errc::bad_input, NW_TR("The weight {0} has other sizes than the network"), name);
    }
  return {};
}

std::vector<std::int64_t> best_channels(const std::vector<double>& scores, std::int64_t count) {
  std::vector<std::int64_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
  });
  order.resize(static_cast<std::size_t>(count));
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<std::vector<double>> channel_scores(const ChannelGroups& groups, const Weights& weights) {
  std::vector<std::vector<double>> all;
  for (const ChannelGroup& g : groups.groups) {
    std::vector<double>& scores = all.emplace_back();
    if (g.fixed) continue;
    scores.assign(static_cast<std::size_t>(g.channels), 0);
    double axes = 0;
    for (const ChannelAxis& axis : g.axes)
      if (axis.counts) add_magnitudes(axis, weights.at(axis.weight), scores), ++axes;
    for (double& s : scores) s /= std::max(axes, 1.0);
  }
  return all;
}

Result<Kept> choose_channels(const FlatNetwork& network, const ChannelGroups& groups,
                             const std::vector<std::vector<double>>& scores, const PruneOptions& options) {
  std::vector<std::int64_t> count;
  std::vector<Removal> removals;
  for (std::size_t g = 0; g < groups.groups.size(); ++g) {
    count.push_back(groups.groups[g].channels);
    if (!groups.groups[g].fixed) add_removals(static_cast<int>(g), scores[g], options, removals);
  }
  std::sort(removals.begin(), removals.end());
  const auto wanted =
      static_cast<std::int64_t>((1 - options.share) * static_cast<double>(multiply_adds(network, groups, count)));
  for (const Removal& r : removals) {
    if (multiply_adds(network, groups, count) <= wanted) break;
    count[static_cast<std::size_t>(r.group)] -= r.channels;
  }
  if (const std::int64_t left = multiply_adds(network, groups, count); left > wanted)
    return fail(
        Errc::bad_input,
        NW_TR("At least {0} multiply-adds stay when every layer keeps its least channels, and {1} are asked for; "
              "remove a smaller share"),
        left, wanted);
  Kept kept;
  for (std::size_t g = 0; g < groups.groups.size(); ++g) {
    std::vector<double> all = scores[g];
    all.resize(static_cast<std::size_t>(groups.groups[g].channels), 1);
    kept.push_back(best_channels(all, count[g]));
  }
  return kept;
}

namespace {
/// The group whose channels the layer makes; an error: there is no such layer, or they all stay.
Result<std::size_t> group_of(const FlatNetwork& network, const ChannelGroups& groups, const std::string& layer) {
  const auto found =
      std::find_if(network.layers.begin(), network.layers.end(), [&](const FlatLayer& l) { return l.name == layer; });
  if (found == network.layers.end()) return fail(Errc::bad_input, NW_TR("There is no layer {0}"), layer);
  const auto index = static_cast<int>(found - network.layers.begin());
  for (std::size_t g = 0; g < groups.groups.size(); ++g) {
    const auto& makers = groups.groups[g].producers;
    const bool makes = std::find(makers.begin(), makers.end(), index) != makers.end();
    if (makes && !groups.groups[g].fixed) return g;
  }
  return fail(Errc::bad_input,
              NW_TR("The channels of {0} all stay: they are the network's answer, it makes none of its own, or a layer "
                    "behind it needs all of them"),
              layer);
}
}  // namespace

Result<Kept> choose_channels_of(const FlatNetwork& network, const ChannelGroups& groups,
                                const std::vector<std::vector<double>>& scores,
                                const std::map<std::string, double>& removed) {
  std::vector<std::int64_t> count;
  std::map<std::size_t, std::string> named;
  for (const ChannelGroup& g : groups.groups) count.push_back(g.channels);
  for (const auto& [layer, share] : removed) {
    NW_ASSIGN(const std::size_t g, group_of(network, groups, layer));
    if (const auto [other, added] = named.emplace(g, layer); !added)
      return fail(Errc::bad_input, NW_TR("{0} and {1} share their channels: name one of them"), other->second, layer);
    count[g] = channels_left(groups.groups[g].channels, share);
  }
  Kept kept;
  for (std::size_t g = 0; g < groups.groups.size(); ++g) {
    std::vector<double> all = scores[g];
    all.resize(static_cast<std::size_t>(groups.groups[g].channels), 1);
    kept.push_back(best_channels(all, count[g]));
  }
  return kept;
}

Result<PrunedNetwork> keep_channels(const GraphDoc& doc, const Weights& weights, const Kept& kept) {
  NW_ASSIGN(const FlatNetwork network, flatten(doc, {.training = false, .batch = 1}));
  NW_TRY(check_weights(network, weights));
  const ChannelGroups groups = find_channel_groups(network);
  PrunedNetwork made;
  NW_ASSIGN(made.doc, without_blocks(doc));
  NW_TRY(resize(made, network, groups, kept));
  made.weights = weights;
  for (const auto& [at, indices] : indices_of(groups, kept))
    made.weights[at.first] = selected(made.weights.at(at.first), at.second, indices);
  NW_ASSIGN(const FlatNetwork smaller, flatten(made.doc, {.training = false, .batch = 1}));
  NW_TRY(check_weights(smaller, made.weights));
  made.multiply_adds_before = multiply_adds(network);
  made.multiply_adds_after = multiply_adds(smaller);
  made.parameters_before = parameters(network);
  made.parameters_after = parameters(smaller);
  return made;
}

}  // namespace nw::compress

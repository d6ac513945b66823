// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/pruning/channel_groups.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "engine/exchange/weights.hpp"

namespace nw::compress {
namespace {

using Runs = std::vector<ChannelRun>;

/// What a layer does with channels.
enum class Role : std::uint8_t {
  product,     // makes new ones of all that it reads: dimension 0 of its weight, 1 the ones read
  transposed,  // the same with the dimensions in the other order
  each,        // changes each by itself; its weights have an entry for each channel in dimension 0
  together,    // several inputs, channel by channel
  joined,      // several inputs one after another
  flattened,   // all pixels of a channel become numbers of a vector
  unknown      // no channel before or behind it is removed
};

constexpr std::array each_alone = {"AdaptiveAvgPool2d",
                                   "AvgPool2d",
                                   "BatchNorm2d",
                                   "Dropout",
                                   "Dropout2d",
                                   "ELU",
                                   "GELU",
                                   "GlobalAvgPool2d",
                                   "GlobalMaxPool2d",
                                   "Hardsigmoid",
                                   "Hardswish",
                                   "Hardtanh",
                                   "Identity",
                                   "InstanceNorm2d",
                                   "LayerScale",
                                   "LeakyReLU",
                                   "MaxPool2d",
                                   "Mish",
                                   "PReLU",
                                   "ReLU",
                                   "ReLU6",
                                   "SELU",
                                   "Sigmoid",
                                   "SiLU",
                                   "Softplus",
                                   "StochasticDepth",
                                   "Tanh",
                                   "Upsample",
                                   "ZeroPad2d"};

Role role_of(const FlatLayer& layer) {
  const std::string_view name = layer.type->name;
  if (name == "Conv2d" || name == "ConvTranspose2d") {
    const std::int64_t groups = layer.attrs.integer("groups");
    if (groups == 1) return name == "Conv2d" ? Role::product : Role::transposed;
    const bool depthwise = name == "Conv2d" && groups == layer.input_shapes[0][1] && groups == layer.shape[1];
    return depthwise ? Role::each : Role::unknown;
  }
  if (name == "Linear" || name == "ChannelLinear") return Role::product;
  if (name == "Add" || name == "Multiply" || name == "Formula") return Role::together;
  if (name == "Concat") return Role::joined;
  if (name == "Flatten") return Role::flattened;
  return std::find(each_alone.begin(), each_alone.end(), name) != each_alone.end() ? Role::each : Role::unknown;
}

class Finder {
 public:
  explicit Finder(const FlatNetwork& network) : network_(network) {}

  ChannelGroups find() {
    for (std::size_t i = 0; i < network_.layers.size(); ++i) made_.outputs.push_back(outputs_of(static_cast<int>(i)));
    fix(made_.outputs[static_cast<std::size_t>(network_.output)]);
    unite();
    return std::move(made_);
  }

 private:
  const FlatLayer& layer(int i) const { return network_.layers[static_cast<std::size_t>(i)]; }
  const Runs& input(int i, std::size_t port = 0) const {
    return made_.outputs[static_cast<std::size_t>(layer(i).inputs[port])];
  }
  Runs outputs_of(int i) {
    if (i == network_.input) return made(i, true);
    switch (role_of(layer(i))) {
      case Role::product:
        read(i, 1);
        return made(i, false, 0);
      case Role::transposed:
        read(i, 0);
        return made(i, false, 1);
      case Role::each:
        if (layer(i).type->name == "Conv2d") made_.depthwise.push_back(i);
        add_each(i);
        return input(i);
      case Role::together:
        for (std::size_t k = 1; k < layer(i).inputs.size(); ++k) tie(input(i), input(i, k));
        return input(i);
      case Role::joined:
        return joined(i);
      case Role::flattened:
        return flattened(i);
      case Role::unknown:
        break;
    }
    for (std::size_t k = 0; k < layer(i).inputs.size(); ++k) fix(input(i, k));
    return made(i, true);
  }

  /// A new group. `dim`: of the weight; the bias has one.
  Runs made(int i, bool fixed, int dim = 0) {
    ChannelGroup group{.channels = layer(i).shape.rank() > 1 ? layer(i).shape[1] : 1, .fixed = fixed};
    if (!fixed) {
      group.producers = {i};
      for (const Weight& w : layer(i).weights) {
        const bool bias = w.name == "bias";
        group.axes.push_back({exchange::weight_name(layer(i).name, w.name), bias ? 0 : dim, 0, 1, !bias});
      }
    }
    made_.groups.push_back(std::move(group));
    parent_.push_back(std::ssize(parent_));
    return {{static_cast<int>(made_.groups.size()) - 1}};
  }
  void add_axis(const Runs& runs, const std::string& weight, int dim, bool counts, bool reads = false) {
    std::int64_t first = 0;
    for (const ChannelRun& run : runs) {
      ChannelGroup& group = made_.groups[static_cast<std::size_t>(run.group)];
      group.axes.push_back({weight, dim, first, run.each, counts, reads});
      first += group.channels * run.each;
    }
  }
  void read(int i, int dim) { add_axis(input(i), exchange::weight_name(layer(i).name, "weight"), dim, true, true); }
  void add_each(int i) {
    const std::int64_t channels = layer(i).shape.rank() > 1 ? layer(i).shape[1] : 1;
    for (const Weight& w : layer(i).weights)
      if (w.shape.rank() > 0 && w.shape[0] == channels)
        add_axis(input(i), exchange::weight_name(layer(i).name, w.name), 0, !w.buffer && w.name != "bias");
  }

  Runs joined(int i) {
    Runs all;
    for (std::size_t k = 0; k < layer(i).inputs.size(); ++k)
      all.insert(all.end(), input(i, k).begin(), input(i, k).end());
    return all;
  }
  Runs flattened(int i) {
    const Shape& image = layer(i).input_shapes[0];
    Runs all = input(i);
    for (ChannelRun& run : all)
      if (image.rank() == 4) run.each *= image[2] * image[3];
    return all;
  }

  void fix(const Runs& runs) {
    for (const ChannelRun& run : runs) made_.groups[static_cast<std::size_t>(run.group)].fixed = true;
  }
  std::int64_t root(std::int64_t group) const {
    while (parent_[static_cast<std::size_t>(group)] != group) group = parent_[static_cast<std::size_t>(group)];
    return group;
  }
  /// The channels of both are removed together; neither, if they do not correspond one by one.
  void tie(const Runs& a, const Runs& b) {
    bool alike = a.size() == b.size();
    for (std::size_t i = 0; alike && i < a.size(); ++i)
      alike = a[i].each == b[i].each && channels(a[i]) == channels(b[i]);
    if (!alike) return fix(a), fix(b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::int64_t one = root(a[i].group), other = root(b[i].group);
      parent_[static_cast<std::size_t>(std::max(one, other))] = std::min(one, other);
    }
  }
  std::int64_t channels(const ChannelRun& run) const {
    return made_.groups[static_cast<std::size_t>(run.group)].channels;
  }

  void unite() {
    std::vector<int> place(made_.groups.size(), -1);
    std::vector<ChannelGroup> united;
    for (std::size_t i = 0; i < made_.groups.size(); ++i) {
      const auto of = static_cast<std::size_t>(root(static_cast<std::int64_t>(i)));
      if (place[of] < 0) {
        place[of] = static_cast<int>(united.size());
        united.push_back({.channels = made_.groups[of].channels});
      }
      place[i] = place[of];
      ChannelGroup &to = united[static_cast<std::size_t>(place[i])], &from = made_.groups[i];
      to.fixed = to.fixed || from.fixed;
      to.producers.insert(to.producers.end(), from.producers.begin(), from.producers.end());
      to.axes.insert(to.axes.end(), from.axes.begin(), from.axes.end());
    }
    made_.groups = std::move(united);
    for (Runs& runs : made_.outputs)
      for (ChannelRun& run : runs) run.group = place[static_cast<std::size_t>(run.group)];
  }

  const FlatNetwork& network_;
  ChannelGroups made_;
  std::vector<std::int64_t> parent_;  // by group, of a forest of groups that are tied
};

double share(const Runs& runs, const ChannelGroups& groups, const std::vector<std::int64_t>& kept) {
  double all = 0, left = 0;
  for (const ChannelRun& run : runs) {
    const auto g = static_cast<std::size_t>(run.group);
    all += static_cast<double>(groups.groups[g].channels * run.each);
    left += static_cast<double>(kept[g] * run.each);
  }
  return all > 0 ? left / all : 1;
}

}  // namespace

ChannelGroups find_channel_groups(const FlatNetwork& network) { return Finder(network).find(); }

std::int64_t multiply_adds(const FlatNetwork& network, const ChannelGroups& groups,
                           const std::vector<std::int64_t>& kept) {
  double all = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const FlatLayer& l = network.layers[i];
    if (!l.type->multiply_adds) continue;
    const Role role = role_of(l);
    double left = share(groups.outputs[i], groups, kept);
    if (role == Role::product || role == Role::transposed)
      left *= share(groups.outputs[static_cast<std::size_t>(l.inputs[0])], groups, kept);
    all += left * static_cast<double>(l.type->multiply_adds(l.attrs, l.input_shapes, l.shape));
  }
  return static_cast<std::int64_t>(all + 0.5);
}

}  // namespace nw::compress

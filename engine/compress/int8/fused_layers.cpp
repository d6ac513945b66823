// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/int8/fused_layers.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace nw::compress::int8 {
namespace {

const std::map<std::string_view, Form>& forms() {
  static const std::map<std::string_view, Form> all{{"Input", Form::input},
                                                    {"Flatten", Form::same},
                                                    {"Identity", Form::same},
                                                    {"Dropout", Form::same},
                                                    {"Dropout2d", Form::same},
                                                    {"StochasticDepth", Form::same},
                                                    {"Conv2d", Form::product},
                                                    {"Linear", Form::product},
                                                    {"BatchNorm2d", Form::affine},
                                                    {"MaxPool2d", Form::max_pool},
                                                    {"GlobalMaxPool2d", Form::max_pool},
                                                    {"AvgPool2d", Form::mean_pool},
                                                    {"GlobalAvgPool2d", Form::mean_pool},
                                                    {"AdaptiveAvgPool2d", Form::mean_pool},
                                                    {"Add", Form::pair},
                                                    {"Multiply", Form::pair},
                                                    {"Concat", Form::concat}};
  return all;
}

/// Of numbers one by one, the same for all.
bool is_elementwise(const FlatLayer& l) {
  return l.type->group == "Activation" && l.weights.empty() && l.inputs.size() == 1 && l.type->name != "Softmax";
}

/// Windows of one size only.
bool divides(const FlatLayer& l) {
  return l.type->name != "AdaptiveAvgPool2d" ||
         (l.input_shapes[0][2] % l.shape[2] == 0 && l.input_shapes[0][3] % l.shape[3] == 0);
}
bool has_two(const FlatLayer& l) { return l.inputs.size() == 2; }

class Fuser {
 public:
  explicit Fuser(const FlatNetwork& network) : network_(network), readers_(network.layers.size()) {
    for (int l = 0; l < static_cast<int>(network.layers.size()); ++l)
      for (const int i : at(l).inputs) readers_[static_cast<std::size_t>(i)].push_back(l);
  }

  std::vector<FusedLayer> all() const {
    std::vector<FusedLayer> made;
    std::vector<bool> taken(network_.layers.size());
    for (int l = 0; l <= score_layer(network_); ++l) {
      if (taken[static_cast<std::size_t>(l)] || !matters(l)) continue;
      made.push_back(fused(l, form_of(at(l))));
      for (const int part : {made.back().norm, made.back().activation})
        if (part >= 0) taken[static_cast<std::size_t>(part)] = true;
    }
    return made;
  }

 private:
  const FlatLayer& at(int l) const { return network_.layers[static_cast<std::size_t>(l)]; }
  /// Layers behind the scores do not.
  bool matters(int l) const { return l == score_layer(network_) || !readers_[static_cast<std::size_t>(l)].empty(); }
  int only_reader(int l) const {
    const auto& all = readers_[static_cast<std::size_t>(l)];
    return l != score_layer(network_) && all.size() == 1 ? all.front() : -1;
  }

  FusedLayer fused(int l, Form form) const {
    FusedLayer f{.form = form, .layer = l, .end = l};
    if (at(l).type->name == "Conv2d") {
      const int next = only_reader(l);
      if (next >= 0 && at(next).type->name == "BatchNorm2d") f.norm = f.end = next;
    }
    if (form != Form::product && form != Form::affine && form != Form::pair) return f;
    const int next = only_reader(f.end);
    if (next >= 0 && limits_of(at(next))) f.activation = f.end = next;
    return f;
  }

  const FlatNetwork& network_;
  std::vector<std::vector<int>> readers_;
};

}  // namespace

Form form_of(const FlatLayer& l) {
  if (is_elementwise(l)) return Form::table;
  const auto it = forms().find(l.type->name);
  if (it == forms().end() || !divides(l) || (it->second == Form::pair && !has_two(l))) return Form::real;
  return it->second;
}

std::optional<Limits> limits_of(const FlatLayer& l) {
  if (l.type->name == "ReLU") return Limits{0, std::numeric_limits<double>::infinity()};
  if (l.type->name == "ReLU6") return Limits{0, 6};
  if (l.type->name == "Hardtanh") return Limits{l.attrs.real("min_val"), l.attrs.real("max_val")};
  return std::nullopt;
}

int score_layer(const FlatNetwork& network) {
  const FlatLayer& last = network.layers[static_cast<std::size_t>(network.output)];
  const bool joined = network.loss && network.loss->name == "BCE" && last.type->name == "Sigmoid";
  return joined ? last.inputs.front() : network.output;
}

std::vector<FusedLayer> fused_layers(const FlatNetwork& network) { return Fuser(network).all(); }

}  // namespace nw::compress::int8

// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/c_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nw::deploy {
namespace {

using exchange::Weights;

class NetworkWriter : public CWriter {
 public:
  NetworkWriter(const FlatNetwork& flat, const Weights& weights) : flat_(flat), weights_(weights) {
    const auto count = flat.layers.size();
    readers_.resize(count);
    values_.assign(count, -1);
    part_of_.assign(count, -1);
    images_.resize(count);
    for (int l = 0; l < static_cast<int>(count); ++l)
      for (const int i : flat.layers[static_cast<std::size_t>(l)].inputs)
        readers_[static_cast<std::size_t>(i)].push_back(l);
  }

  Result<CNetwork> write() {
    for (int l = 0; l < static_cast<int>(flat_.layers.size()); ++l) NW_TRY(write_layer(l));
    net_.in = at(flat_.input).shape;
    net_.out = at(flat_.output).shape;
    net_.output = value(flat_.output);
    place_weights();
    if (!problem_.empty()) return fail(Errc::bad_input, NW_TR("There are no fitting values for {0}"), problem_);
    if (!std::all_of(net_.weights.begin(), net_.weights.end(), [](float v) { return std::isfinite(v); }))
      return fail(Errc::bad_input, NW_TR("Some weights are not finite numbers"));
    return std::move(net_);
  }

  const FlatLayer& layer() const override { return at(now_); }

  std::vector<float> weight(std::string_view name) const override {
    std::vector<float> values = stored(now_, name);
    if (norm_ >= 0) fold(name, values);
    return values;
  }

  std::string constants(const std::vector<float>& numbers, std::int64_t behind) override {
    chunks_.push_back(numbers);
    behind_.push_back(static_cast<std::size_t>(behind));
    return fmt::format("{{w{}}}", chunks_.size() - 1);
  }

  void needs(std::string_view function) override {
    if (std::find(net_.functions.begin(), net_.functions.end(), function) != net_.functions.end()) return;
    const CFunction* f = c_function(function);
    for (const std::string_view other : f->needs) needs(other);
    net_.functions.emplace_back(function);
  }

  std::string scratch(std::int64_t floats) override {
    step_.scratch.push_back(floats);
    return fmt::format("{{s{}}}", step_.scratch.size() - 1);
  }
  void call(std::string statement) override { step_.statements.push_back(std::move(statement)); }
  void in_place() override { step_.in_place = true; }
  void same() override { same_ = true; }
  Clamp clamp() const override { return clamp_; }

  bool any_order() const override { return only_linear(now_, 0); }
  Shape flattened() const override { return images_[static_cast<std::size_t>(layer().inputs[0])]; }

 private:
  /// Those that keep the others' places at multiples of 64 bytes come first: loads of vectors do not cross lines.
  void place_weights() {
    constexpr std::size_t line = 16;
    std::vector<std::size_t> places(chunks_.size());
    for (const bool whole : {true, false})
      for (std::size_t i = 0; i < chunks_.size(); ++i) {
        if ((chunks_[i].size() % line == 0) != whole) continue;
        places[i] = net_.weights.size();
        net_.weights.insert(net_.weights.end(), chunks_[i].begin(), chunks_[i].end());
      }
    std::size_t end = net_.weights.size();
    for (std::size_t i = 0; i < chunks_.size(); ++i) end = std::max(end, places[i] + chunks_[i].size() + behind_[i]);
    net_.weights.resize(std::max<std::size_t>(1, end));
    for (CStep& step : net_.steps)
      for (std::string& statement : step.statements)
        for (std::size_t at = statement.find("{w"); at != std::string::npos; at = statement.find("{w", at + 1)) {
          const std::size_t end = statement.find('}', at), i = std::stoul(statement.substr(at + 2, end - at - 2));
          statement.replace(at, end + 1 - at, fmt::format("w + {}", places[i]));
        }
  }

  const FlatLayer& at(int l) const { return flat_.layers[static_cast<std::size_t>(l)]; }
  int& value(int l) { return values_[static_cast<std::size_t>(l)]; }

  std::vector<float> stored(int l, std::string_view name) const {
    const auto known =
        std::find_if(at(l).weights.begin(), at(l).weights.end(), [&](const Weight& w) { return w.name == name; });
    if (known == at(l).weights.end()) return {};
    const auto it = weights_.find(exchange::weight_name(at(l).name, name));
    if (it != weights_.end() && std::ssize(it->second.values) == known->shape.elements()) return it->second.values;
    problem_ = exchange::weight_name(at(l).name, name);
    return std::vector<float>(static_cast<std::size_t>(known->shape.elements()));
  }

  /// The batch norm behind the convolution: y = (x - mean) gamma / sqrt(variance + eps) + beta.
  void fold(std::string_view name, std::vector<float>& values) const {
    const std::vector<float> gamma = stored(norm_, "weight"), beta = stored(norm_, "bias"),
                             mean = stored(norm_, "running_mean"), variance = stored(norm_, "running_var");
    const auto channels = gamma.size();
    if (name == "bias") values.resize(channels);
    const std::size_t each = channels > 0 ? values.size() / channels : 0;
    for (std::size_t i = 0; i < each * channels; ++i) {
      const std::size_t c = i / each;
      const double factor = gamma[c] / std::sqrt(static_cast<double>(variance[c]) + at(norm_).attrs.real("eps"));
      values[i] = static_cast<float>(name == "bias" ? (values[i] - mean[c]) * factor + beta[c] : values[i] * factor);
    }
  }

  /// The one layer that reads `l`; -1: there are others, or it is the output.
  int only_reader(int l) const {
    const auto& all = readers_[static_cast<std::size_t>(l)];
    return l != flat_.output && all.size() == 1 ? all.front() : -1;
  }

  bool only_linear(int l, int depth) const {
    if (l == flat_.output || depth > 64) return false;
    const auto& all = readers_[static_cast<std::size_t>(l)];
    return std::all_of(all.begin(), all.end(), [&](int r) {
      if (at(r).type->name == "Linear") return true;
      const CLayer* record = c_layer(at(r).type->name);
      return record && record->keeps_order && only_linear(r, depth + 1);
    });
  }

  /// Takes the batch norm and the activation behind the layer into it.
  void take_parts(const CLayer& record) {
    clamp_ = {};
    norm_ = -1;
    int end = now_;
    const auto take = [&](int next) {
      part_of_[static_cast<std::size_t>(next)] = now_;
      end = next;
    };
    if (const int next = only_reader(end); record.folds_norm && next >= 0 && at(next).type->name == "BatchNorm2d") {
      norm_ = next;
      take(next);
      ++net_.folded;
    }
    const int next = record.clamps ? only_reader(end) : -1;
    const CLayer* activation = next >= 0 ? c_layer(at(next).type->name) : nullptr;
    if (!activation || !activation->as_clamp) return;
    clamp_ = activation->as_clamp(at(next));
    take(next);
    ++net_.fused;
  }

  Status write_layer(int l) {
    if (l == flat_.input) {
      value(l) = 0;
      net_.sizes.push_back(at(l).shape.per_sample());
      return {};
    }
    if (const int whole = part_of_[static_cast<std::size_t>(l)]; whole >= 0) {
      value(l) = value(whole);
      images_[static_cast<std::size_t>(l)] = images_[static_cast<std::size_t>(whole)];
      return {};
    }
    const CLayer* record = c_layer(at(l).type->name);
    if (!record)
      return fail(Errc::bad_input, NW_TR("{0}: a {1} layer cannot be written in C"), at(l).name, at(l).type->name);
    now_ = l;
    step_ = {};
    same_ = false;
    take_parts(*record);
    record->write(*this);
    finish(l, *record);
    return {};
  }

  void finish(int l, const CLayer& record) {
    const int from = at(l).inputs[0];
    Shape& image = images_[static_cast<std::size_t>(l)];
    if (record.keeps_order) image = images_[static_cast<std::size_t>(from)];
    if (same_) {
      value(l) = value(from);
      if (at(from).shape.rank() == 4 && at(l).shape.rank() != 4 && at(l).type->name == "Flatten")
        image = at(from).shape;
      return;
    }
    value(l) = static_cast<int>(net_.sizes.size());
    net_.sizes.push_back(at(l).shape.per_sample());
    step_.title = fmt::format("{}: {}, {}", at(l).name, at(l).type->name, to_string(at(l).shape, true));
    for (const int i : at(l).inputs) step_.inputs.push_back(value(i));
    step_.output = value(l);
    net_.steps.push_back(std::move(step_));
  }

  const FlatNetwork& flat_;
  const Weights& weights_;
  CNetwork net_;
  std::vector<std::vector<int>> readers_;  // of each layer
  std::vector<int> values_, part_of_;
  std::vector<Shape> images_;  // that became the layer's output without a change of order
  int now_ = -1, norm_ = -1;
  Clamp clamp_;
  CStep step_;
  bool same_ = false;
  std::vector<std::vector<float>> chunks_;
  std::vector<std::size_t> behind_;  // floats that may be read behind each of them
  mutable std::string problem_;
};

}  // namespace

Result<CNetwork> c_network(const GraphDoc& doc, const Weights& weights) {
  NW_ASSIGN(const FlatNetwork flat, flatten(doc, {.training = false, .batch = 1}));
  return NetworkWriter(flat, weights).write();
}

}  // namespace nw::deploy

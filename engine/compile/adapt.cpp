// SPDX-License-Identifier: Apache-2.0
#include "engine/compile/adapt.hpp"

#include <algorithm>
#include <cmath>

#include "engine/compile/context.hpp"
#include "engine/design/recipe.hpp"

namespace nw {
namespace {

using compiling::Context;
using compiling::first_error;
using compiling::FlatNode;

constexpr double shares[] = {1.0 / 3, 2.0 / 3};  // of the layers with weights: where the next stage begins
constexpr double rates[] = {0.125, 0.25, 0.5};   // of the stages, times the head's; docs/performance.md, "Adaptation"
constexpr double head_alone = 0.1;               // of the epochs

bool has_weights(const FlatNode& n) {
  return std::any_of(n.weights.begin(), n.weights.end(), [](const Weight& w) { return !w.buffer; });
}

/// The attribute with the number of outputs of a layer that can be a head; empty: it cannot.
std::string_view outputs_attr(const FlatNode& n) {
  if (n.type->name == "Linear" || n.type->name == "ChannelLinear") return "out_features";
  return n.type->name == "Conv2d" ? "out_channels" : "";
}

/// Makes the changes of an adaptation in the document, one after another.
class Adapter {
 public:
  Adapter(Context& c, const DataFacts& facts, bool binary) : c_(c), doc_(c.doc), facts_(facts), binary_(binary) {}

  Status replace_head() {
    if (binary_ && !can_be_binary())
      return fail(Errc::bad_input, NW_TR("A binary target is one of two classes; the data have {0}"), facts_.classes);
    int at = c_.source(flat(c_.loss), 0);
    while (at >= 0 && !has_weights(flat(at)) && flat(at).inputs.size() == 1) {
      behind_head_.push_back(at);
      at = c_.source(flat(at), 0);
    }
    if (at < 0 || outputs_attr(flat(at)).empty())
      return fail(Errc::bad_input,
                  NW_TR("The network ends in no Linear or Conv2d layer that new classes could replace"));
    head_ = at;
    return put_outputs();
  }

  /// Another loss where the targets are of another kind; what the loss does itself is bypassed.
  Status fit_loss() {
    const std::string_view wanted = facts_.targets == TargetKind::values              ? "MSE"
                                    : binary_ || facts_.targets == TargetKind::labels ? "BCEWithLogits"
                                                                                      : "CrossEntropy";
    const FlatNode& loss = flat(c_.loss);
    if (loss.type->name == wanted) return {};
    NW_TRY(change(loss, [&](Node& n) {
      n.type = wanted;
      n.attrs.clear();
    }));
    for (const int i : behind_head_)
      if (flat(i).type->name == "Softmax" || flat(i).type->name == "Sigmoid")
        NW_TRY(change(flat(i), [](Node& n) { n.bypassed = true; }));
    return {};
  }

  Result<std::vector<AdaptStage>> freeze(const AdaptOptions& options, std::int64_t epochs) {
    const std::vector<NodeId> trunk = nodes_of_trunk();
    std::vector<std::vector<NodeId>> stages(3);
    std::int64_t counted = 0, never = 0;
    const std::int64_t all = weighted_in_trunk();
    NW_ASSIGN(const std::size_t frozen, frozen_nodes(trunk, options));
    for (std::size_t i = 0; i < trunk.size(); ++i) {
      const double share = static_cast<double>(counted) / static_cast<double>(std::max<std::int64_t>(1, all));
      if (i < frozen) ++never;
      stages[share < shares[0] ? 0 : share < shares[1] ? 1 : 2].push_back(trunk[i]);
      counted += weighted_of(trunk[i]);
    }
    return put_stages(trunk, stages, static_cast<std::size_t>(never), epochs);
  }

  GraphDoc& doc() { return doc_; }
  const FlatNode& head() const { return flat(head_); }

 private:
  const FlatNode& flat(int i) const { return c_.nodes[static_cast<std::size_t>(i)]; }
  bool can_be_binary() const {
    return facts_.targets == TargetKind::labels ? facts_.classes == 1
                                                : facts_.targets == TargetKind::classes && facts_.classes == 2;
  }
  std::int64_t outputs() const { return binary_ ? 1 : facts_.classes; }
  static NodeId top_node(const FlatNode& n) { return n.instance != 0 ? n.instance : n.node; }

  template <class Change>
  Status change(const std::string& scope, NodeId id, const Change& make) {
    Node node = doc_.graph(scope).nodes.at(id);
    make(node);
    auto done = doc_.apply({PutNode{scope, id, std::move(node)}});
    return done ? Status() : Status(done.error());
  }
  template <class Change>
  Status change(const FlatNode& n, const Change& make) {
    return change(n.scope, n.node, make);
  }

  Status put_outputs() {
    const FlatNode& n = head();
    const auto instances = std::count_if(c_.nodes.begin(), c_.nodes.end(), [&](const FlatNode& other) {
      return other.scope == n.scope && other.node == n.node;
    });
    const std::string attr(outputs_attr(n));
    const auto& attrs = doc_.graph(n.scope).nodes.at(n.node).attrs;
    const auto set = attrs.find(attr);
    if (instances > 1 || (set != attrs.end() && std::holds_alternative<std::string>(set->second)))
      return fail(Errc::bad_input,
                  NW_TR("The last layer, {0}, lies in a block that is used several times; ungroup the block first"),
                  n.name);
    return change(n, [&](Node& node) {
      node.attrs[attr] = outputs();
      node.frozen = false;
      node.frozen_epochs = 0;
      node.lr_scale = 1;
    });
  }

  /// Nodes of the network before the head, every producer before its consumers; blocks count as nodes. The block that
  /// contains the head is not among them.
  std::vector<NodeId> nodes_of_trunk() const {
    std::vector<NodeId> trunk;
    for (const int i : c_.order) {
      const NodeId id = top_node(flat(i));
      if (i == head_ || id == top_node(head())) break;
      if (flat(i).live && i != c_.input && std::find(trunk.begin(), trunk.end(), id) == trunk.end())
        trunk.push_back(id);
    }
    return trunk;
  }
  std::int64_t weighted_of(NodeId id) const {
    return std::count_if(c_.order.begin(), c_.order.end(),
                         [&](int i) { return top_node(flat(i)) == id && has_weights(flat(i)); });
  }
  std::int64_t weighted_in_trunk() const {
    std::int64_t all = 0;
    for (const NodeId id : nodes_of_trunk()) all += weighted_of(id);
    return all;
  }

  /// How many nodes of the trunk are never trained.
  Result<std::size_t> frozen_nodes(const std::vector<NodeId>& trunk, const AdaptOptions& options) const {
    if (options.frozen_up_to.empty()) return std::size_t{0};
    for (std::size_t i = 0; i < trunk.size(); ++i)
      if (doc_.graph().nodes.at(trunk[i]).name == options.frozen_up_to) return i + 1;
    return fail(Errc::bad_input, NW_TR("Before the last layer the network has no layer or block \"{0}\""),
                options.frozen_up_to);
  }

  Result<std::vector<AdaptStage>> put_stages(const std::vector<NodeId>& trunk,
                                             const std::vector<std::vector<NodeId>>& stages, std::size_t never,
                                             std::int64_t epochs) {
    std::vector<AdaptStage> made;
    if (never > 0) made.push_back({.nodes = {}, .from_epoch = -1, .lr_scale = 1});
    for (std::size_t i = 0; i < never; ++i) NW_TRY(put(made.back(), trunk[i]));
    const std::int64_t alone = std::max<std::int64_t>(1, std::llround(head_alone * static_cast<double>(epochs)));
    for (std::size_t s = 0; s < stages.size(); ++s) {
      AdaptStage stage{.nodes = {}, .from_epoch = std::min(alone, epochs - 1), .lr_scale = rates[s]};
      for (const NodeId id : stages[s])
        if (std::find(trunk.begin(), trunk.begin() + static_cast<std::ptrdiff_t>(never), id) ==
            trunk.begin() + static_cast<std::ptrdiff_t>(never))
          NW_TRY(put(stage, id));
      if (!stage.nodes.empty()) made.push_back(std::move(stage));
    }
    made.push_back({.nodes = {head().name}, .from_epoch = 0, .lr_scale = 1});
    return made;
  }

  Status put(AdaptStage& stage, NodeId id) {
    stage.nodes.push_back(doc_.graph().nodes.at(id).name);
    return change("", id, [&](Node& n) {
      n.frozen = stage.from_epoch < 0;
      n.frozen_epochs = std::max<std::int64_t>(0, stage.from_epoch);
      n.lr_scale = weighted_of(id) > 0 ? stage.lr_scale : 1;
    });
  }

  Context& c_;
  GraphDoc doc_;
  const DataFacts& facts_;
  const bool binary_;
  int head_ = -1;
  std::vector<int> behind_head_;  // layers between the head and the loss
};

/// Images are prepared as those that the weights were trained with.
DataChoice prepared_as(const AdaptSource& source, DataChoice data) {
  data.channels = source.channels;
  data.height = source.height;
  data.width = source.width;
  data.normalize = source.normalize || !source.mean.empty();
  data.mean = source.mean;
  data.deviation = source.deviation;
  return data;
}

TrainSettings adapted(const TrainSettings& of_source, const DataFacts& facts, const AdaptOptions& options) {
  TrainSettings s = recipe_settings(of_source, facts.train);
  // A number may be the place, the angle or the brightness that a transform would change.
  if (facts.targets == TargetKind::values) s.transforms.clear();
  s.epochs = options.epochs > 0 ? options.epochs : std::max<std::int64_t>(10, s.epochs / 2);
  s.schedule = ScheduleKind::cosine;
  s.min_learning_rate = 0;
  s.warmup_epochs = std::min(1.0, static_cast<double>(s.epochs) / 10);
  return s;
}

}  // namespace

Result<Adaptation> adapt(const AdaptSource& source, DataChoice data, const DataFacts& facts,
                         const AdaptOptions& options) {
  GraphDoc doc = source.doc;
  const Target target = target_without_data(doc, source.channels, source.height, source.width, 0);
  Context c{doc, target};
  compiling::read_graph(c);
  if (c.failed() || c.input < 0 || c.loss < 0) return first_error(c);
  Adapter adapter(c, facts, options.binary);
  NW_TRY(adapter.replace_head());
  NW_TRY(adapter.fit_loss());
  const TrainSettings settings = adapted(doc.settings(), facts, options);
  Adaptation made{.doc = {}, .head = adapter.head().name, .stages = {}};
  NW_ASSIGN(made.stages, adapter.freeze(options, settings.epochs));
  made.doc = std::move(adapter.doc());
  NW_ASSIGN(const Edit undo, made.doc.apply({PutData{prepared_as(source, std::move(data))}, PutSettings{settings}}));
  (void)undo;
  return made;
}

}  // namespace nw

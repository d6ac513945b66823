// SPDX-License-Identifier: Apache-2.0
#include "engine/compile/stages.hpp"

#include <algorithm>
#include <set>

#include "engine/compile/balance.hpp"
#include "engine/compile/context.hpp"
#include "engine/compile/stage_device.hpp"

namespace nw {
namespace {

using compiling::Context;
using compiling::FlatNode;

bool computed(const Value& v) {
  return v.role == Role::activation || v.role == Role::gradient || v.role == Role::saved;
}
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Forward and backward cost of one sample: a backward pass has two products for each of the forward pass; other work
/// is proportional to the outputs.
struct NodeCost {
  double forward = 0, backward = 0;
};
NodeCost cost_of(const FlatNode& n) {
  if (n.shape.rank() == 0 || n.type->inputs == 0) return {};
  const double outputs = static_cast<double>(n.shape.per_sample());
  const double products =
      n.type->multiply_adds ? static_cast<double>(n.type->multiply_adds(n.attrs, n.input_shapes, n.shape)) : 0;
  return {products + 4 * outputs, 2 * products + 6 * outputs};
}

std::int64_t parameters_of(const FlatNode& n) {
  std::int64_t count = 0;
  for (const Weight& w : n.weights)
    if (!w.buffer) count += w.shape.elements();
  return count;
}

/// The stage of each live node, by flat index.
class StageChoice {
 public:
  StageChoice(Context& c, int stages, std::int64_t limit_bytes)
      : c_(c), stages_(stages), limit_(limit_bytes), stage_(c.nodes.size(), -1) {
    for (const int i : c.order)
      if (node(i).live) live_.push_back(i);
  }

  Result<std::vector<int>> choose() {
    const bool chosen = std::any_of(live_.begin(), live_.end(), [&](int i) { return node(i).stage >= 0; });
    NW_TRY(chosen ? take_chosen() : balance());
    for (int s = 0; s < stages_; ++s)
      if (std::find(stage_.begin(), stage_.end(), s) == stage_.end())
        return fail(Errc::bad_input, NW_TR("no layer is on stage {0}; the run has the stages 0 to {1}, one a device"),
                    s, stages_ - 1);
    return stage_;
  }

 private:
  FlatNode& node(int i) { return c_.nodes[at(i)]; }

  /// A layer without a stage is on that of the layers before it.
  Status take_chosen() {
    for (const int i : live_) {
      int before = 0, from = -1;
      for (std::size_t k = 0; k < node(i).inputs.size(); ++k) {
        const int source = c_.source(node(i), static_cast<int>(k));
        if (source >= 0 && stage_[at(source)] >= before) before = stage_[at(source)], from = source;
      }
      const std::int64_t asked = node(i).stage >= 0 ? node(i).stage : before;
      if (asked >= stages_)
        return fail(Errc::bad_input, NW_TR("{0} is on stage {1}; the run has the stages 0 to {2}, one a device"),
                    node(i).name, asked, stages_ - 1);
      if (asked < before)
        return fail(Errc::bad_input,
                    NW_TR("{0} is on stage {1} and reads {2}, which is on stage {3}: stages follow the network's "
                          "direction"),
                    node(i).name, asked, node(from).name, before);
      stage_[at(i)] = static_cast<int>(asked);
    }
    return {};
  }

  Status balance() {
    const std::vector<LayerLoad> loads = layer_loads();
    const std::vector<std::size_t> first = balanced_stages(loads, at(stages_), limit_);
    if (first.empty())
      return fail(Errc::bad_input, NW_TR("a network of {0} layers cannot be divided among {1} devices"), live_.size(),
                  stages_);
    for (std::size_t k = 0, s = 0; k < live_.size(); ++k) {
      while (s + 1 < first.size() && first[s + 1] <= k) ++s;
      stage_[at(live_[k])] = static_cast<int>(s);
    }
    return {};
  }

  std::vector<LayerLoad> layer_loads() {
    std::vector<LayerLoad> loads(live_.size());
    std::vector<std::size_t> place(c_.nodes.size()), last_read(c_.nodes.size());
    for (std::size_t k = 0; k < live_.size(); ++k) {
      place[at(live_[k])] = k;
      for (std::size_t p = 0; p < node(live_[k]).inputs.size(); ++p)
        if (const int from = c_.source(node(live_[k]), static_cast<int>(p)); from >= 0) last_read[at(from)] = k;
    }
    constexpr std::int64_t copies = 4;  // weight, gradient, and two states of an optimizer
    for (std::size_t k = 0; k < live_.size(); ++k) {
      const FlatNode& n = node(live_[k]);
      const NodeCost cost = cost_of(n);
      const std::int64_t bytes = n.shape.rank() == 0 ? 0 : 4 * c_.out.plan.batch * n.shape.per_sample();
      loads[k].cost = cost.forward + cost.backward;
      loads[k].memory_bytes = 4 * copies * parameters_of(n) + stages_ * bytes;
      for (std::size_t cut = k; cut < last_read[at(live_[k])]; ++cut) loads[cut].crossing_bytes += bytes;
    }
    return loads;
  }

  Context& c_;
  const int stages_;
  const std::int64_t limit_;
  std::vector<int> stage_, live_;
};

/// Cuts a plan whose steps are still those of single layers.
class Cut {
 public:
  Cut(Context& c, std::vector<int> stage_of_node, int stages)
      : c_(c), whole_(c.out.plan), stage_of_node_(std::move(stage_of_node)), stages_(stages) {
    for (std::size_t i = 0; i < c.nodes.size(); ++i)
      if (stage_of_node_[i] >= 0) stage_by_name_[c.nodes[i].name] = stage_of_node_[i];
  }

  Result<StagedPlan> run() {
    NW_TRY(find_transfers());
    StagedPlan all;
    for (int s = 0; s < stages_; ++s) {
      NW_ASSIGN(StagePlan one, stage(s));
      all.stages.push_back(std::move(one));
    }
    all.transfers = std::move(transfers_);
    all.update = c_.out;
    all.update.plan = update_plan();
    for (int s = 0; s < stages_; ++s) all.stages[at(s)].update = update_of(all, s);
    return all;
  }

 private:
  struct Made {
    int stage = -1;
    Phase phase = Phase::forward;
  };

  Result<int> stage_of(const Step& s) const {
    const auto found = stage_by_name_.find(s.label);
    if (found == stage_by_name_.end()) return bug(s.label);
    return found->second;
  }
  static Error bug(const std::string& where) {
    return fail(Errc::other, NW_TR("This is a bug of Netwright: {0} cannot be divided into stages"), where);
  }

  /// Values go to later stages in the forward pass and to earlier ones in the backward pass.
  Status find_transfers() {
    std::vector<Made> made(whole_.values.size());
    std::set<std::tuple<int, int, int>> known;
    for (const Step& s : whole_.steps) {
      if (s.phase > Phase::backward) continue;
      NW_ASSIGN(const int stage, stage_of(s));
      for (const int v : s.inputs) {
        if (v < 0 || !computed(whole_.values[at(v)])) continue;
        const Made& from = made[at(v)];
        if (from.stage == stage) continue;
        const bool backward = from.stage > stage;
        if (from.stage < 0 || (backward && s.phase == Phase::forward) || (!backward && from.phase == Phase::backward))
          return bug(whole_.values[at(v)].name);
        if (known.insert({v, from.stage, stage}).second) add_transfer(v, from.stage, stage, backward);
      }
      for (const int v : s.outputs)
        if (v >= 0) made[at(v)] = {stage, s.phase};
    }
    return {};
  }

  void add_transfer(int v, int from, int to, bool backward) {
    const Value& value = whole_.values[at(v)];
    transfers_.push_back(
        {value.name, from, to, backward, value.shape.elements() * static_cast<std::int64_t>(size_of(value.dtype))});
    sent_.push_back(v);
  }

  /// What stage `s` sends or receives in one direction, as one step; without values: none.
  void add_exchange(Plan& p, const char* kernel, int s, bool backward) const {
    Step step{.kernel = kernel, .phase = backward ? Phase::backward : Phase::forward, .label = kernel};
    const bool sends = step.kernel == compiling::send_kernel;
    for (std::size_t t = 0; t < transfers_.size(); ++t)
      if (transfers_[t].backward == backward && (sends ? transfers_[t].from : transfers_[t].to) == s)
        (sends ? step.inputs : step.outputs).push_back(sent_[t]);
    // after what is gathered at the end of the backward pass
    if (sends && backward) step.phase = Phase::reduce;
    if (!step.inputs.empty() || !step.outputs.empty()) p.steps.push_back(std::move(step));
  }

  Result<StagePlan> stage(int s) {
    StagePlan made;
    Plan p = whole_;
    p.steps.clear();
    for (const bool backward : {false, true}) {
      add_exchange(p, compiling::receive_kernel, s, backward);
      for (const Step& step : whole_.steps) {
        if (step.phase != (backward ? Phase::backward : Phase::forward)) continue;
        NW_ASSIGN(const int owner, stage_of(step));
        if (owner == s) p.steps.push_back(step);
      }
      add_exchange(p, compiling::send_kernel, s, backward);
    }
    compiling::keep_read_values(p, false);
    place_weights(p);
    c_.out.plan = std::move(p);
    compiling::settle_steps(c_);
    compiling::plan_memory(c_.out.plan, c_.target.device);
    NW_TRY(check_order(c_.out.plan));
    made.forward = pass(c_.out.plan, Phase::forward);
    made.backward = pass(c_.out.plan, Phase::backward);
    describe(made, s);
    return made;
  }

  /// Of its own weights and buffers; the first stage has also those that no stage reads.
  Plan update_of(const StagedPlan& all, int s) const {
    const auto holds = [&](int stage, const Value& v) { return all.stages[at(stage)].forward.find(v.name) >= 0; };
    std::set<std::string> own;
    std::vector<double> places;
    std::int64_t weights = 0;
    for (const Value& v : all.update.plan.values) {
      if (v.role != Role::weight && v.role != Role::buffer) continue;
      int stage = stages_ - 1;
      while (stage > 0 && !holds(stage, v)) --stage;
      if (stage == s) own.insert(v.name);
      if (stage == s && v.role == Role::weight) places.push_back(static_cast<double>(weights));
      weights += v.role == Role::weight ? 1 : 0;
    }
    Plan p = all.update.plan;
    compiling::keep_model_values(p, own);
    place_weights(p);
    for (Step& step : p.steps) {
      step.attrs.emplace("weight_places", places);
      step.attrs.emplace("weights_of_all", weights);
      for (const int norms : step.outputs) p.values[at(norms)].shape = {2, std::ssize(places)};
    }
    compiling::plan_memory(p, c_.target.device);
    return p;
  }

  /// One after another, in the plan's order: a stage has only its own.
  static void place_weights(Plan& p) {
    std::map<std::int64_t, std::int64_t> now;  // by the old offset
    p.weight_elements = 0;
    for (Value& v : p.values) {
      if (v.role != Role::weight) continue;
      now[v.offset_bytes] = p.weight_elements * 4;
      p.weight_elements += (v.shape.elements() + 15) / 16 * 16;
    }
    for (Value& v : p.values)
      if (v.role == Role::weight || v.role == Role::weight_grad || v.role == Role::optimizer)
        v.offset_bytes = now.at(v.offset_bytes);
  }

  /// The passes run one after the other, so no step of the forward pass may stand behind one that needs the backward's
  /// inputs.
  static Status check_order(const Plan& p) {
    bool backward = false;
    for (const Step& s : p.steps) {
      backward = backward || (s.kernel == compiling::receive_kernel && s.phase == Phase::backward);
      if (backward && s.phase == Phase::forward) return bug(s.label);
    }
    return {};
  }

  /// The steps of one pass, with the values they use, those that are exchanged, and all weights and buffers.
  static Plan pass(const Plan& p, Phase phase) {
    Plan one = p;
    std::erase_if(one.steps, [&](const Step& s) {
      const bool exchanged = s.kernel == compiling::send_kernel || s.kernel == compiling::receive_kernel;
      return !exchanged && s.phase != phase;
    });
    compiling::keep_read_values(one, true);
    std::erase_if(one.steps, [](const Step& s) {
      return s.kernel == compiling::send_kernel || s.kernel == compiling::receive_kernel;
    });
    return one;
  }

  void describe(StagePlan& made, int s) const {
    for (const int i : c_.order) {
      if (stage_of_node_[at(i)] != s) continue;
      const FlatNode& n = c_.nodes[at(i)];
      const NodeCost cost = cost_of(n);
      made.layers.push_back(n.name);
      made.parameters += parameters_of(n);
      made.forward_cost += cost.forward;
      made.backward_cost += cost.backward;
      if (n.shape.rank() > 0 && n.type->multiply_adds)
        made.multiply_adds += n.type->multiply_adds(n.attrs, n.input_shapes, n.shape);
    }
  }

  Plan update_plan() const {
    Plan p = whole_;
    std::erase_if(p.steps, [](const Step& s) { return s.phase != Phase::update; });
    compiling::keep_update_values(p);
    compiling::plan_memory(p, c_.target.device);
    return p;
  }

  Context& c_;
  const Plan whole_;
  const std::vector<int> stage_of_node_;
  const int stages_;
  std::map<std::string, int> stage_by_name_;
  std::vector<StageTransfer> transfers_;
  std::vector<int> sent_;  // the value of each transfer
};

}  // namespace

Result<StagedPlan> compile_stages(const GraphDoc& doc, const Target& target, int stages, std::int64_t limit_bytes) {
  const compiling::StageDevice device(*target.device);
  Target staged = target;
  staged.device = &device;
  Context c{doc, staged};
  compiling::read_graph(c);
  if (c.failed()) return compiling::first_error(c);
  compiling::write_steps(c);
  compiling::check_steps(c);
  if (c.failed()) return compiling::first_error(c);
  NW_ASSIGN(std::vector<int> stage_of_node, StageChoice(c, stages, limit_bytes).choose());
  return Cut(c, std::move(stage_of_node), stages).run();
}

Result<std::vector<PlacedLayer>> place_layers(const GraphDoc& doc, const Target& target, int stages,
                                              std::int64_t limit_bytes) {
  Context c{doc, target};
  compiling::read_graph(c);
  if (c.failed()) return compiling::first_error(c);
  c.out.plan.batch = target.batch;
  NW_ASSIGN(const std::vector<int> stage_of_node, StageChoice(c, stages, limit_bytes).choose());
  std::vector<PlacedLayer> placed;
  std::vector<std::size_t> place(c.nodes.size());
  for (const int i : c.order) {
    const FlatNode& n = c.nodes[at(i)];
    if (!n.live) continue;
    const NodeCost cost = cost_of(n);
    PlacedLayer one{.name = n.name,
                    .node = n.instance > 0 ? n.instance : n.node,
                    .stage = stage_of_node[at(i)],
                    .forward_cost = cost.forward,
                    .backward_cost = cost.backward,
                    .parameters = parameters_of(n),
                    .output = n.shape,
                    .inputs = {}};
    for (std::size_t k = 0; k < n.inputs.size(); ++k)
      if (const int from = c.source(n, static_cast<int>(k)); from >= 0) one.inputs.push_back(place[at(from)]);
    place[at(i)] = placed.size();
    placed.push_back(std::move(one));
  }
  return placed;
}

}  // namespace nw

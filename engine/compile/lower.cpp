// SPDX-License-Identifier: Apache-2.0
// From layers to steps: declares the values, adds the forward and backward steps of each layer, and sums gradients of
// values that are used more than once.
#include <algorithm>
#include <unordered_map>

#include "engine/compile/context.hpp"
#include "engine/core/rng.hpp"
#include "engine/data/transforms/mixing.hpp"

namespace nw::compiling {
namespace {

constexpr std::int64_t flat_alignment = 16;  // elements: weights start at whole cache lines

Shape with_batch(const Shape& s, std::int64_t batch) {
  Shape out = s;
  if (out.rank() > 0) out[0] = batch;
  return out;
}

bool trains(const FlatNode& node) {
  return !node.frozen &&
         std::any_of(node.weights.begin(), node.weights.end(), [](const Weight& w) { return !w.buffer; });
}

/// The interface through which layers add steps. Backward steps are collected per node and reversed at the end. A
/// gradient that is not computed yet is a placeholder, which settle() replaces by its only part or by the sum of its
/// parts.
class Lowering {
 public:
  explicit Lowering(Context& c)
      : c_(c),
        backward_(c.nodes.size()),
        parts_(c.nodes.size()),
        stand_in_(c.nodes.size(), -1),
        needs_(c.nodes.size(), false) {}

  void run() {
    for (std::size_t v = 0; v < plan().values.size(); ++v) by_name_.emplace(plan().values[v].name, static_cast<int>(v));
    for (const int i : c_.order) {
      const FlatNode& node = c_.nodes[static_cast<std::size_t>(i)];
      bool needs = c_.gradients || trains(node);
      for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        const int from = c_.source(node, static_cast<int>(k));
        needs = needs || (from >= 0 && needs_[static_cast<std::size_t>(from)]);
      }
      needs_[static_cast<std::size_t>(i)] = needs;
    }
    for (const int i : c_.order)
      if (c_.nodes[static_cast<std::size_t>(i)].live && c_.nodes[static_cast<std::size_t>(i)].type->lower) lower(i);
    for (auto it = c_.order.rbegin(); it != c_.order.rend(); ++it) settle(*it);
    replace_stand_ins();
    drop_unused(plan(), false);
  }

 private:
  struct NodeEmit;
  int find(const std::string& name) const {
    const auto it = by_name_.find(name);
    return it == by_name_.end() ? -1 : it->second;
  }
  Plan& plan() { return c_.out.plan; }
  bool training() const { return c_.target.training; }

  void lower(int i);
  void settle(int i) {
    auto& steps = backward_[static_cast<std::size_t>(i)];
    const int stand_in = stand_in_[static_cast<std::size_t>(i)];
    const auto& parts = parts_[static_cast<std::size_t>(i)];
    if (stand_in >= 0 && parts.size() == 1) becomes_[stand_in] = parts[0];
    if (stand_in >= 0 && parts.size() > 1)
      plan().steps.push_back({.kernel = "add",
                              .inputs = parts,
                              .outputs = {stand_in},
                              .phase = Phase::backward,
                              .op = op_of(c_.nodes[static_cast<std::size_t>(i)].name),
                              .label = c_.nodes[static_cast<std::size_t>(i)].name});
    // The gradient of this output is not needed (no weights precede it), so its backward steps are omitted.
    if (stand_in >= 0 && parts.empty()) return;
    for (Step& s : steps) plan().steps.push_back(std::move(s));
  }

  int settled(int v) const {
    for (auto it = becomes_.find(v); it != becomes_.end(); it = becomes_.find(v)) v = it->second;
    return v;
  }
  void replace_stand_ins() {
    for (Step& s : plan().steps)
      for (auto* list : {&s.inputs, &s.outputs})
        for (int& v : *list)
          if (v >= 0) v = settled(v);
  }

  Context& c_;
  std::vector<std::vector<Step>> backward_;
  std::vector<std::vector<int>> parts_;  // gradients that consumers computed for a node's output
  std::vector<int> stand_in_;
  std::vector<bool> needs_;
  std::map<int, int> becomes_;
  std::unordered_map<std::string, int> by_name_;  // the values of declare_values
};

struct Lowering::NodeEmit final : Emit {
  NodeEmit(Lowering& l, int i) : l_(l), index_(i), node_(l.c_.nodes[static_cast<std::size_t>(i)]) {}

  int inputs() const override { return static_cast<int>(node_.inputs.size()); }
  ValueRef input(int i) const override { return l_.c_.output_value[static_cast<std::size_t>(l_.c_.source(node_, i))]; }
  ValueRef output() const override { return l_.c_.output_value[static_cast<std::size_t>(index_)]; }
  ValueRef weight(std::string_view name) const override { return l_.find(node_.name + "." + std::string(name)); }
  ValueRef grad_of_weight(std::string_view name) const override {
    return l_.find("grad " + node_.name + "." + std::string(name));
  }
  ValueRef labels() const override { return l_.c_.labels >= 0 ? l_.c_.labels : l_.c_.targets; }
  ValueRef targets() const override { return l_.c_.targets; }
  const DataFacts& data() const override { return l_.c_.target.data; }
  ValueRef saved(std::string_view name, Shape shape, DType dtype, bool batched) override {
    return add_value(l_.plan(), {.name = node_.name + "." + std::string(name),
                                 .shape = shape,
                                 .dtype = dtype,
                                 .role = Role::saved,
                                 .batched = batched});
  }
  ValueRef between(std::string_view name, Shape shape) override {
    return add_value(l_.plan(), {.name = node_.name + "." + std::string(name), .shape = shape});
  }
  // no "grad …": gradients of layers' outputs are found by that prefix
  ValueRef between_gradients(std::string_view name, Shape shape) override {
    return add_value(l_.plan(),
                     {.name = node_.name + ".grad_" + std::string(name), .shape = shape, .role = Role::gradient});
  }
  ValueRef grad_of_output() const override {
    int& v = l_.stand_in_[static_cast<std::size_t>(index_)];
    if (v < 0) v = gradient(output(), "grad " + node_.name);
    return v;
  }
  bool needs_grad_of_input(int i) const override {
    const int from = l_.c_.source(node_, i);
    return l_.training() && from >= 0 && l_.needs_[static_cast<std::size_t>(from)];
  }
  ValueRef grad_of_input(int i) override {
    if (!needs_grad_of_input(i)) return -1;
    const int from = l_.c_.source(node_, i);
    const int v =
        gradient(input(i), "grad " + l_.c_.nodes[static_cast<std::size_t>(from)].name + " from " + node_.name);
    l_.parts_[static_cast<std::size_t>(from)].push_back(v);
    return v;
  }
  void alias_grad_of_input(int i, ValueRef grad) override {
    l_.parts_[static_cast<std::size_t>(l_.c_.source(node_, i))].push_back(grad);
  }
  const Shape& shape(ValueRef v) const override { return l_.plan().values[static_cast<std::size_t>(v)].shape; }
  // A frozen layer before which nothing is trained computes as in a prediction: batch norm with its running statistics.
  bool training() const override {
    return l_.training() && (!node_.frozen || l_.needs_[static_cast<std::size_t>(index_)]);
  }
  double temperature() const override { return l_.training() ? l_.c_.temperature : 1; }
  int world() const override { return l_.c_.doc.settings().sync_batch_norm ? l_.c_.target.world : 1; }
  void forward(std::string kernel, std::vector<ValueRef> in, std::vector<ValueRef> out, StepAttrs attrs) override {
    l_.plan().steps.push_back(step(std::move(kernel), std::move(in), std::move(out), std::move(attrs), Phase::forward));
  }
  void backward(std::string kernel, std::vector<ValueRef> in, std::vector<ValueRef> out, StepAttrs attrs) override {
    if (!l_.training()) return;
    l_.backward_[static_cast<std::size_t>(index_)].push_back(
        step(std::move(kernel), std::move(in), std::move(out), std::move(attrs), Phase::backward));
  }
  std::int64_t random_key() override { return op_of(node_.name); }

 private:
  ValueRef gradient(ValueRef like, std::string name) const {
    // a copy: add_value may reallocate the list
    const Shape shape = l_.plan().values[static_cast<std::size_t>(like)].shape;
    return add_value(l_.plan(), {.name = std::move(name), .shape = shape, .role = Role::gradient});
  }
  Step step(std::string kernel, std::vector<ValueRef> in, std::vector<ValueRef> out, StepAttrs attrs,
            Phase phase) const {
    return {std::move(kernel), std::move(in), std::move(out), std::move(attrs), phase, op_of(node_.name), node_.name};
  }

  Lowering& l_;
  int index_;
  const FlatNode& node_;
};

void Lowering::lower(int i) {
  NodeEmit emit(*this, i);
  const FlatNode& node = c_.nodes[static_cast<std::size_t>(i)];
  node.type->lower(node.attrs, emit);
}

void declare_weight(Context& c, const FlatNode& node, const Weight& w) {
  Plan& plan = c.out.plan;
  Value v{.name = node.name + "." + w.name,
          .shape = w.shape,
          .layout = Layout::torch,
          .role = w.buffer ? Role::buffer : Role::weight,
          .batched = false,
          .fan_in = static_cast<int>(w.fan_in),
          .fan_out = static_cast<int>(w.fan_out),
          .init = w.init};
  if (w.buffer) {
    if (w.name == "num_batches_tracked") v.dtype = DType::i64;
    add_value(plan, std::move(v));
    return;
  }
  v.offset_bytes = plan.weight_elements * 4;
  v.decay = (w.decay && w.shape.rank() >= 2) || c.doc.settings().decay_bias_and_norm;
  v.lr_scale = node.frozen ? 0 : node.lr_scale;
  plan.weight_elements += (w.shape.elements() + flat_alignment - 1) / flat_alignment * flat_alignment;
  add_value(plan, v);
  if (!c.target.training || c.gradients) return;
  add_value(plan, {.name = "grad " + v.name,
                   .shape = w.shape,
                   .layout = Layout::torch,
                   .role = Role::weight_grad,
                   .batched = false,
                   .offset_bytes = v.offset_bytes});
  declare_optimizer_state(c, v);
}

/// The value that holds the scores, before the loss, and the activation that converts them to probabilities.
void declare_output(Context& c, const FlatNode& loss) {
  const FlatNode& scores = c.nodes[static_cast<std::size_t>(c.source(loss, 0))];
  c.out.output = scores.name;
  c.out.activation = loss.type->activation;
  c.out.targets = loss.type->targets;
  const auto& fields = loss.type->fields;
  if (std::any_of(fields.begin(), fields.end(), [](const Field& f) { return f.name == "label_smoothing"; }))
    c.out.label_smoothing = loss.attrs.real("label_smoothing");
  c.out.classes = scores.shape.rank() == 2 ? scores.shape[1] : 0;
}

/// What evaluations need to know of the loss is in its step.
void describe_loss(Context& c) {
  const std::string& loss = c.nodes[static_cast<std::size_t>(c.loss)].name;
  for (const Step& s : c.out.plan.steps) {
    if (s.label != loss) continue;
    c.out.focal_gamma = real_attr(s.attrs, "focal_gamma", 0);
    for (const auto& [attr, to] :
         {std::pair{"class_weights", &c.out.class_weights}, {"pos_weight", &c.out.pos_weight}}) {
      const std::span<const double> weights = reals_attr(s.attrs, attr);
      to->assign(weights.begin(), weights.end());
    }
  }
}

}  // namespace

int add_value(Plan& plan, Value v) {
  plan.values.push_back(std::move(v));
  return static_cast<int>(plan.values.size()) - 1;
}

std::int64_t op_of(const std::string& name) {
  std::uint32_t h = 0x811C9DC5u;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x01000193u;
  const auto first = static_cast<std::uint32_t>(RandomOp::first_step_op);
  return first + (h ^ (h >> 16)) % (65536u - first);
}

void fuse_sigmoid_bce(Context& c) {
  FlatNode& loss = c.nodes[static_cast<std::size_t>(c.loss)];
  const int before = c.source(loss, 0);
  if (loss.type->name != "BCE" || before < 0 || c.nodes[static_cast<std::size_t>(before)].type->name != "Sigmoid")
    return;
  FlatNode& sigmoid = c.nodes[static_cast<std::size_t>(before)];
  loss.inputs[0] = sigmoid.inputs[0];
  // The Sigmoid stays only if another step reads its output.
  bool read = false;
  for (const FlatNode& n : c.nodes)
    for (std::size_t i = 0; n.live && i < n.inputs.size(); ++i)
      read = read || c.source(n, static_cast<int>(i)) == before;
  sigmoid.live = read;
}

void declare_values(Context& c) {
  Plan& plan = c.out.plan;
  const FlatNode& loss = c.nodes[static_cast<std::size_t>(c.loss)];
  const std::int64_t batch = plan.batch;
  plan.values.reserve(8 * c.nodes.size());
  plan.steps.reserve(5 * c.nodes.size());
  declare_output(c, loss);
  c.output_value.assign(c.nodes.size(), -1);
  for (const int i : c.order) {
    const FlatNode& node = c.nodes[static_cast<std::size_t>(i)];
    if (!node.live || node.type->loss) continue;
    const bool images = i == c.input;
    const int v = add_value(plan, {.name = images ? "images" : node.name,
                                   .shape = with_batch(node.shape, batch),
                                   .role = images ? Role::input : Role::activation});
    c.output_value[static_cast<std::size_t>(i)] = v;
    if (images) c.images = v;
  }
  const Shape scores = with_batch(c.nodes[static_cast<std::size_t>(c.source(loss, 0))].shape, batch);
  // A mixed sample has a fraction of each of its classes, as has a teacher's answer.
  const bool mixed = mixes(c.doc.settings().transforms) || c.distils;
  if (c.target.training && mixed) c.out.targets = "targets";
  if (c.out.targets == "labels")
    c.labels = add_value(plan, {.name = "labels", .shape = {batch}, .dtype = DType::i64, .role = Role::input});
  else
    c.targets = add_value(plan, {.name = "targets", .shape = scores, .role = Role::input});
  for (auto it = c.order.rbegin(); it != c.order.rend(); ++it) {
    const FlatNode& node = c.nodes[static_cast<std::size_t>(*it)];
    if (node.live)
      for (const Weight& w : node.weights) declare_weight(c, node, w);
  }
}

void lower_layers(Context& c) {
  Lowering(c).run();
  describe_loss(c);
}

}  // namespace nw::compiling

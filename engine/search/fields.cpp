// SPDX-License-Identifier: Apache-2.0
#include "engine/search/fields.hpp"

#include <algorithm>
#include <cmath>

#include "engine/design/layer_type.hpp"
#include "engine/design/project_file.hpp"
#include "engine/search/apply.hpp"
#include "kernels/optimizer.hpp"

namespace nw::search {
namespace {

Parameter numbers(Parameter::Kind kind, double low, double high, double step, bool log) {
  return {.name = {}, .sets = {}, .kind = kind, .low = low, .high = high, .step = step, .log = log, .values = {}};
}
Parameter whole(std::int64_t now, double lo, double hi) {
  const auto value = static_cast<double>(now);
  const double step = now >= 16 && now % 8 == 0 ? 8 : now >= 8 && now % 4 == 0 ? 4 : now >= 4 && now % 2 == 0 ? 2 : 1;
  const double low = std::max(lo, std::max(step, std::floor(value / 2 / step) * step));
  return numbers(Parameter::Kind::integer, low, std::min(hi, std::max(low + step, value * 2)), step, false);
}
Parameter list(std::vector<Json> values) {
  Parameter p;
  p.kind = Parameter::Kind::choice;
  p.values = std::move(values);
  return p;
}
/// A positive number within a factor of ten, a fraction within its limits.
Parameter real(double now, double lo, double hi) {
  if (now > 0 && hi > 1) return numbers(Parameter::Kind::real, std::max(lo, now / 10), std::min(hi, now * 10), 0, true);
  return numbers(Parameter::Kind::real, std::max(lo, 0.0), std::min(hi, 1.0) > 0.5 ? 0.5 : std::min(hi, 1.0), 0, false);
}

struct Usual {
  const char* name;
  double low, high;
  bool log;
};
/// Training settings with a range that people search in; the learning rate and the batch follow the project's own.
constexpr Usual usual[] = {{"l2", 1e-6, 1e-2, true},          {"l1", 1e-7, 1e-3, true},
                           {"clip_norm", 0.1, 10, true},      {"warmup_epochs", 0, 5, false},
                           {"ema_decay", 0.9, 0.9999, false}, {"augment_strength", 0, 1, false}};

class Fields {
 public:
  /// `only`: the name of the one field that is wanted, whether it is usual or not; empty: all usual ones.
  explicit Fields(const GraphDoc& doc, std::string only = {})
      : doc_(doc), only_(std::move(only)), settings_(to_json(doc.settings())) {}
  std::vector<SearchField> take() { return std::move(fields_); }

  void add_settings() {
    const TrainSettings& s = doc_.settings();
    add("learning_rate", numbers(Parameter::Kind::real, s.learning_rate / 10, s.learning_rate * 10, 0, true));
    add("batch", list({std::max<std::int64_t>(1, s.batch / 2), s.batch, s.batch * 2}));
    std::vector<Json> optimizers = {s.optimizer.name()};
    for (const char* other : {"sgd", "adam", "adamw"})
      if (s.optimizer.name() != other && find_optimizer(other)) optimizers.emplace_back(other);
    add("optimizer", list(std::move(optimizers)));
    if (const Optimizer* chosen = find_optimizer(s.optimizer.name()))
      for (const OptimizerField& f : chosen->fields) add_optimizer_field(f);
    add("schedule", list({"constant", "cosine", "one_cycle"}));
    for (const Usual& u : usual) add(u.name, numbers(Parameter::Kind::real, u.low, u.high, 0, u.log));
    for (const char* flag : {"horizontal_flip", "random_crop"}) add(flag, list({false, true}));
  }

  void add_layers() {
    add_layers_of("");
    for (const auto& [name, block] : doc_.blocks()) add_layers_of(name);
  }

  /// A setting that people seldom search in.
  void add_other_setting() {
    const auto now = settings_.find(only_);
    if (!fields_.empty() || now == settings_.end()) return;
    if (now->is_boolean()) add(only_, list({false, true}));
    if (now->is_number_integer()) add(only_, whole(now->get<std::int64_t>(), 0, 1e6));
    if (now->is_number_float()) add(only_, real(now->get<double>(), 0, 1e6));
    if (fields_.empty() && now->is_number_float()) add(only_, real(now->get<double>(), 0, 1));
  }

 private:
  void add_optimizer_field(const OptimizerField& f) {
    const std::string name = "optimizer." + std::string(f.name);
    const double now = doc_.settings().optimizer.value(f.name);
    if (f.kind == OptimizerField::Kind::boolean) return add(name, list({false, true}), now != 0);
    const bool fraction = f.hi <= 1 && f.lo <= 0 && now >= 0.5;
    add(name,
        fraction  ? numbers(Parameter::Kind::real, 0.5, std::min(f.hi, 0.99), 0, false)
        : now > 0 ? numbers(Parameter::Kind::real, std::max(f.lo, now / 10), std::min(f.hi, now * 10), 0, true)
                  : numbers(Parameter::Kind::real, 1e-6, std::min(f.hi, 1e-2), 0, true),
        now);
  }

  void add_layers_of(const std::string& scope) {
    place_ = scope.empty() ? scope : scope + "/";
    std::vector<const Node*> nodes;
    for (const auto& [id, node] : doc_.graph(scope).nodes) nodes.push_back(&node);
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const Node* a, const Node* b) { return a->position.y < b->position.y; });
    for (const Node* node : nodes)
      if (only_.empty() || only_.starts_with(place_ + node->name + ".")) add_node(*node);
    place_.clear();
  }

  /// Of every layer, how it is trained: not suggested.
  void add_training(const Node& node) {
    if (only_.empty()) return;
    for (const auto& [name, now] : {std::pair("frozen", node.frozen), std::pair("bypassed", node.bypassed)})
      add_of(node, name, {}, list({false, true}), now);
    add_of(node, "frozen_epochs", {}, whole(node.frozen_epochs, 0, 100), node.frozen_epochs);
    add_of(node, "lr_scale", {}, real(node.lr_scale, 0, largest_lr_scale), node.lr_scale);
  }

  void add_node(const Node& node) {
    add_training(node);
    if (node.type == "Block") return add_instance(node);
    const LayerType* type = find_layer(node.type);
    if (!type || node.type == "Input" || (type->loss && only_.empty())) return;
    if (type->group == "Activation") add_type(node);
    for (const Field& f : type->fields) {
      const auto set = node.attrs.find(f.name);
      add_field(node, f, set == node.attrs.end() ? f.otherwise : set->second);
    }
  }

  void add_type(const Node& node) {
    std::vector<Json> types = {node.type};
    for (const char* other : {"ReLU", "GELU", "SiLU"})
      if (node.type != other && find_layer(other)) types.emplace_back(other);
    add_of(node, "type", text(NW_TR("Type")), list(std::move(types)), node.type);
  }

  void add_field(const Node& node, const Field& f, const Attr& value) {
    if (const auto* n = std::get_if<std::int64_t>(&value); n && f.kind == Field::Kind::integer && f.lo < f.hi)
      add_of(node, f.name, f.label, whole(*n, f.lo, f.hi), *n);
    else if (const auto* x = std::get_if<double>(&value); x && f.kind == Field::Kind::real)
      add_of(node, f.name, f.label, real(*x, f.lo, f.hi), *x);
    else if (const auto* on = std::get_if<bool>(&value); on && f.kind == Field::Kind::boolean)
      add_of(node, f.name, f.label, list({false, true}), *on);
    else if (const auto* word = std::get_if<std::string>(&value); word && f.kind == Field::Kind::choice)
      add_of(node, f.name, f.label, list({f.choices.begin(), f.choices.end()}), *word);
    else if (const auto* pair = std::get_if<std::vector<std::int64_t>>(&value);
             pair && f.kind == Field::Kind::pair && pair->size() == 2 && pair->front() == pair->back())
      add_of(node, f.name, f.label, odd_sizes(pair->front(), f), pair->front());
  }

  static Parameter odd_sizes(std::int64_t now, const Field& f) {
    std::vector<Json> sizes;
    for (const std::int64_t size : {now - 2, now, now + 2})
      if (static_cast<double>(size) >= f.lo && static_cast<double>(size) <= f.hi) sizes.emplace_back(size);
    return list(std::move(sizes));
  }

  void add_instance(const Node& node) {
    const auto repeat = node.attrs.find("repeat");
    const auto* times = repeat == node.attrs.end() ? nullptr : std::get_if<std::int64_t>(&repeat->second);
    const std::int64_t now = times ? *times : 1;
    add_of(node, "repeat", text(NW_TR("Repeats")),
           numbers(Parameter::Kind::integer, 1, static_cast<double>(now + 2), 1, false), now);
    const auto named = node.attrs.find("block");
    const auto* block = named == node.attrs.end() ? nullptr : std::get_if<std::string>(&named->second);
    if (!block || !doc_.blocks().contains(*block)) return;
    for (const BlockParameter& p : doc_.blocks().at(*block).parameters)
      if (const auto set = node.attrs.find(p.name); set != node.attrs.end())
        if (const auto* n = std::get_if<std::int64_t>(&set->second))
          add_of(node, p.name, {}, whole(*n, 1, 1 << 20), *n);
  }

  void add_of(const Node& node, const std::string& field, const Text& label, Parameter p, const Json& now) {
    add(place_ + node.name + "." + field, std::move(p), now, place_ + node.name, label);
  }
  void add(const std::string& name, Parameter p) { add(name, std::move(p), settings_.value(name, Json())); }
  /// Only what the project really takes.
  void add(const std::string& name, Parameter p, const Json& now, const std::string& layer = {},
           const Text& label = {}) {
    if (!only_.empty() && name != only_) return;
    p.name = name;
    p.sets = {name};
    const bool varies = p.kind == Parameter::Kind::choice ? p.values.size() > 1 : p.low < p.high;
    if (varies && check_space(doc_, {{p}})) fields_.push_back({name, layer, label, now, std::move(p)});
  }

  const GraphDoc& doc_;
  const std::string only_;
  const Json settings_;
  std::string place_;  // "" or "ConvStage/" of the layers that are added now
  std::vector<SearchField> fields_;
};

}  // namespace

std::vector<SearchField> search_fields(const GraphDoc& doc) {
  Fields fields(doc);
  fields.add_settings();
  fields.add_layers();
  return fields.take();
}

std::optional<SearchField> search_field(const GraphDoc& doc, const std::string& name) {
  if (name.empty()) return std::nullopt;
  Fields fields(doc, name);
  fields.add_settings();
  fields.add_other_setting();
  fields.add_layers();
  std::vector<SearchField> found = fields.take();
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

}  // namespace nw::search

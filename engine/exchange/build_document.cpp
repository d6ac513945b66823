// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/build_document.hpp"

#include <algorithm>
#include <cctype>

#include "engine/design/block_names.hpp"
#include "engine/design/names.hpp"

namespace nw::exchange {
namespace {

/// A whole number of an attribute, or of both sizes of a pair; what instances of a block may differ in.
struct Number {
  std::string attribute;
  std::int64_t value = 0;
};
/// Both numbers of a pair are this one.
std::optional<std::int64_t> number_in(const LayerType& type, const std::string& name, const Attr& value) {
  const auto field =
      std::find_if(type.fields.begin(), type.fields.end(), [&](const Field& f) { return f.name == name; });
  if (field == type.fields.end()) return std::nullopt;
  if (const auto* one = std::get_if<std::int64_t>(&value)) return *one;
  const auto* both = std::get_if<std::vector<std::int64_t>>(&value);
  const bool equal = both && field->kind == Field::Kind::pair && both->size() == 2 && (*both)[0] == (*both)[1];
  return equal ? std::optional((*both)[0]) : std::nullopt;
}

/// What block instances of one definition have in common, as text, and the numbers that they may differ in.
struct Structure {
  std::string text;
  std::vector<Number> numbers;
};

/// A block definition of all groups of one structure.
struct Definition {
  std::string name;
  std::vector<int> parameter;  // by number: index of the parameter; -1: the same in all instances
  std::vector<std::string> names;
  std::vector<std::size_t> number;  // by parameter: a number that it stands for
  std::vector<std::int64_t> defaults;
};

class Builder {
 public:
  Builder(const ReadGraph& graph, const std::vector<NamedLayer>& layers)
      : graph_(graph), layers_(layers), inputs_(named_inputs(graph, layers)) {}

  Result<GraphDoc> build(std::string_view loss) {
    std::vector<Item> items = group_modules(graph_, layers_);
    collect(items);
    NW_ASSIGN(const auto ids, emit("", items, nullptr));
    int output = -1;
    for (std::size_t i = 0; i < layers_.size(); ++i)
      if (layers_[i].index == graph_.output) output = static_cast<int>(i);
    NW_ASSIGN(const NodeId end, add("", {.type = std::string(loss), .name = doc_.free_name("", "loss")}));
    NW_TRY(apply({PutConnection{"", {ids.at(output), 0, end, 0}, true}}));
    return std::move(doc_);
  }

 private:
  const BuiltLayer& layer(int named) const {
    return graph_.layers[static_cast<std::size_t>(layers_[static_cast<std::size_t>(named)].index)];
  }

  Status apply(const Edit& edit) {
    const auto undo = doc_.apply(edit);
    return undo ? Status() : undo.error();
  }
  Result<NodeId> add(const std::string& scope, Node node) {
    NodeId id = 0;
    NW_TRY(apply(add_node(doc_, scope, std::move(node), &id)));
    return id;
  }

  // ---- structures
  /// The items' types, names, connections and fixed attributes as text; numbers in the order of the text.
  Structure structure_of(const Group& g) const {
    Structure s;
    std::map<int, std::string> made;
    for (std::size_t p = 0; p < g.sources.size(); ++p) made[g.sources[p]] = fmt::format("in{}", p);
    for (std::size_t i = 0; i < g.items.size(); ++i) {
      const Item& item = g.items[i];
      s.text += item.name + "=";
      if (item.group) {
        const Structure inner = structure_of(*item.group);
        s.text += "{" + inner.text + "}";
        s.numbers.insert(s.numbers.end(), inner.numbers.begin(), inner.numbers.end());
      } else {
        describe(layer(item.layer), s);
      }
      for (const int from : item.group ? item.group->sources : inputs_[static_cast<std::size_t>(item.layer)])
        s.text += "<" + made[from];
      made[item.output()] = fmt::format("{}", i);
      s.text += ";";
    }
    s.text += "->" + made[g.output];
    return s;
  }

  static void describe(const BuiltLayer& l, Structure& s) {
    s.text += std::string(l.type->name);
    for (const auto& [name, value] : l.attrs) {
      if (const auto number = number_in(*l.type, name, value))
        s.numbers.push_back({name, *number});
      else
        s.text += fmt::format(" {}={}", name, written(value));
    }
  }

  static std::string written(const Attr& value) {
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value))
      return fmt::format("{}", fmt::join(*list, "x"));
    if (const auto* b = std::get_if<bool>(&value)) return fmt::format("{}", *b);
    if (const auto* d = std::get_if<double>(&value)) return fmt::format("{}", *d);
    if (const auto* i = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *i);
    return std::get<std::string>(value);
  }

  void collect(const std::vector<Item>& items) {
    for (const Item& item : items) {
      if (!item.group) continue;
      Structure s = structure_of(*item.group);
      instances_[s.text].push_back(s.numbers);
      structures_[item.group.get()] = std::move(s);
      collect(item.group->items);
    }
  }

  // ---- definitions
  Result<const Definition*> define(const Group& g) {
    const Structure& s = structures_.at(&g);
    if (const auto it = definitions_.find(s.text); it != definitions_.end()) return &it->second;
    Definition d = parameters_of(s);
    d.name = free_block_name(g);
    std::vector<BlockParameter> parameters;
    for (std::size_t p = 0; p < d.names.size(); ++p) parameters.push_back({d.names[p], d.defaults[p]});
    NW_TRY(apply({PutBlock{d.name, Block{parameters, {}}}}));
    const Definition& kept = definitions_[s.text] = d;
    NW_TRY(emit_block(g, kept));
    return &kept;
  }

  Definition parameters_of(const Structure& s) const {
    const auto& all = instances_.at(s.text);
    Definition d;
    std::map<std::vector<std::int64_t>, int> known;
    std::set<std::string> taken{"block", "repeat"};
    for (std::size_t n = 0; n < s.numbers.size(); ++n) {
      std::vector<std::int64_t> column;
      for (const auto& numbers : all) column.push_back(numbers[n].value);
      const bool constant = std::all_of(column.begin(), column.end(), [&](std::int64_t v) { return v == column[0]; });
      if (constant) {
        d.parameter.push_back(-1);
        continue;
      }
      const auto [it, added] = known.emplace(column, static_cast<int>(d.names.size()));
      if (added) {
        std::string name = s.numbers[n].attribute;
        for (int k = 2; !taken.insert(name).second; ++k) name = s.numbers[n].attribute + std::to_string(k);
        d.names.push_back(name);
        d.number.push_back(n);
        d.defaults.push_back(column[0]);
      }
      d.parameter.push_back(it->second);
    }
    return d;
  }

  /// The class of the module, or its name without numbers: "layer1.0" -> "Layer1".
  std::string free_block_name(const Group& g) const {
    std::string stem = g.type;
    if (stem.empty()) {
      stem = g.name;
      while (!stem.empty() && (stem.back() == '.' || std::isdigit(static_cast<unsigned char>(stem.back()))) &&
             stem.find('.') != std::string::npos)
        stem.pop_back();
      if (const std::size_t dot = stem.rfind('.'); dot != std::string::npos) stem = stem.substr(dot + 1);
      if (!stem.empty()) stem[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(stem[0])));
    }
    stem = nearest_name(stem).empty() ? "Block" : nearest_name(stem);
    std::string name = stem;
    for (int k = 2; doc_.has_scope(name); ++k) name = stem + std::to_string(k);
    return name;
  }

  /// The value of number `at` inside a definition: itself, or the formula of its parameter.
  static Attr number(const Definition* d, std::size_t at, std::int64_t value) {
    const int p = d ? d->parameter[at] : -1;
    return p < 0 ? Attr(value) : Attr("$" + d->names[static_cast<std::size_t>(p)]);
  }

  /// The attributes of a layer; `at`: its first number in the definition, moved behind its last one.
  static AttrMap attributes(const BuiltLayer& l, const Definition* d, std::size_t& at) {
    AttrMap out;
    for (const auto& [name, value] : l.attrs) {
      Attr now = value;
      if (const auto own = number_in(*l.type, name, value)) {
        const Attr formula = number(d, at++, *own);
        if (std::holds_alternative<std::string>(formula)) now = formula;
      }
      const auto field = std::find_if(l.type->fields.begin(), l.type->fields.end(),
                                      [&, &key = name](const Field& f) { return f.name == key; });
      if (field == l.type->fields.end() || !(field->otherwise == now)) out[name] = now;
    }
    return out;
  }

  AttrMap instance(const Group& g, const Definition& own, const Definition* around, std::size_t at) const {
    AttrMap attrs{{"block", own.name}};
    const auto& numbers = structures_.at(&g).numbers;
    for (std::size_t p = 0; p < own.names.size(); ++p)
      attrs[own.names[p]] = number(around, at + own.number[p], numbers[own.number[p]].value);
    return attrs;
  }

  Status emit_block(const Group& g, const Definition& d) {
    std::map<int, NodeId> ids;
    for (std::size_t p = 0; p < g.sources.size(); ++p) {
      Node in{.type = "BlockInput", .name = port_name(g, "in", p)};
      if (p > 0) in.attrs["port"] = static_cast<std::int64_t>(p);
      NW_ASSIGN(ids[g.sources[p]], add(d.name, std::move(in)));
    }
    NW_ASSIGN(const auto made, emit(d.name, g.items, &d, std::move(ids)));
    NW_ASSIGN(const NodeId out, add(d.name, {.type = "BlockOutput", .name = port_name(g, "out", 0)}));
    return apply({PutConnection{d.name, {made.at(g.output), 0, out, 0}, true}});
  }

  static std::string port_name(const Group& g, const std::string& stem, std::size_t port) {
    std::string name = port == 0 ? stem : stem + std::to_string(port + 1);
    while (std::any_of(g.items.begin(), g.items.end(), [&](const Item& i) { return i.name == name; })) name += "_";
    return name;
  }

  // ---- graphs
  /// Adds nodes and connections; returns the node of each value.
  Result<std::map<int, NodeId>> emit(const std::string& scope, const std::vector<Item>& items, const Definition* d,
                                     std::map<int, NodeId> ids = {}) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < items.size();) {
      const Item& item = items[i];
      const std::size_t repeats = d || !item.group ? 1 : repeats_from(items, i);
      Node node;
      if (item.group) {
        NW_ASSIGN(const Definition* own, define(*item.group));
        node = {.type = "Block", .name = repeats > 1 ? repeated_name(items, i, repeats) : item.name};
        node.attrs = instance(*item.group, *own, d, at);
        if (repeats > 1) node.attrs["repeat"] = static_cast<std::int64_t>(repeats);
        at += structures_.at(item.group.get()).numbers.size();
      } else {
        const BuiltLayer& l = layer(item.layer);
        node = {.type = std::string(l.type->name), .name = item.name};
        node.attrs = attributes(l, d, at);
      }
      NW_ASSIGN(const NodeId id, add(scope, std::move(node)));
      const auto& from = item.group ? item.group->sources : inputs_[static_cast<std::size_t>(item.layer)];
      for (std::size_t port = 0; port < from.size(); ++port)
        NW_TRY(apply({PutConnection{scope, {ids.at(from[port]), 0, id, static_cast<int>(port)}, true}}));
      i += repeats;
      ids[items[i - 1].output()] = id;
    }
    return ids;
  }

  /// How many equal instances stand in a row from item `i` on, each fed by the one before alone.
  std::size_t repeats_from(const std::vector<Item>& items, std::size_t i) const {
    std::size_t n = 1;
    while (i + n < items.size() && n < 1000 && follows(items[i + n - 1], items[i + n])) ++n;
    while (n > 1 && repeated_name(items, i, n).empty()) --n;
    return n;
  }

  bool follows(const Item& first, const Item& second) const {
    if (!first.group || !second.group) return false;
    const Structure &a = structures_.at(first.group.get()), &b = structures_.at(second.group.get());
    if (a.text != b.text || second.group->sources != std::vector<int>{first.group->output} ||
        first.group->sources.size() != 1)
      return false;
    for (std::size_t k = 0; k < a.numbers.size(); ++k)
      if (a.numbers[k].value != b.numbers[k].value) return false;
    // Nothing else reads the value between the two.
    for (std::size_t l = 0; l < inputs_.size(); ++l)
      for (const int from : inputs_[l])
        if (from == first.group->output && !is_inside(*second.group, static_cast<int>(l))) return false;
    return true;
  }

  static bool is_inside(const Group& g, int named) {
    return std::any_of(g.items.begin(), g.items.end(), [&](const Item& item) {
      return item.group ? is_inside(*item.group, named) : item.layer == named;
    });
  }

  /// The name under which the repeats have their modules' names; empty: there is none.
  static std::string repeated_name(const std::vector<Item>& items, std::size_t i, std::size_t n) {
    const std::string& first = items[i].name;
    const std::size_t dot = first.rfind('.');
    for (const std::string& name : {dot == std::string::npos ? first : first.substr(0, dot), first}) {
      bool all = is_name(name);
      for (std::size_t k = 0; all && k < n; ++k)
        all = instance_name(name, static_cast<std::int64_t>(n), static_cast<std::int64_t>(k)) == items[i + k].name;
      if (all) return name;
    }
    return "";
  }

  const ReadGraph& graph_;
  const std::vector<NamedLayer>& layers_;
  const std::vector<std::vector<int>> inputs_;
  GraphDoc doc_;
  std::map<std::string, std::vector<std::vector<Number>>> instances_;
  std::map<const Group*, Structure> structures_;
  std::map<std::string, Definition> definitions_;
};

}  // namespace

Result<GraphDoc> build_document(const ReadGraph& graph, const std::vector<NamedLayer>& layers, std::string_view loss) {
  NW_ASSIGN(GraphDoc doc, Builder(graph, layers).build(loss));
  NW_TRY(place_nodes(doc));
  return doc;
}

}  // namespace nw::exchange

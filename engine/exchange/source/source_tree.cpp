// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/source/source_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/exchange/source/instance_tree.hpp"
#include "engine/exchange/source/python_text.hpp"

namespace nw::exchange {
namespace {

/// A class while it is made: its instances, which have one structure.
struct ClassDraft {
  std::vector<int> instances;
};

class TreeMaker : private InstanceTree {
 public:
  TreeMaker(const FlatNetwork& network, SourceLanguage language, std::set<std::string> reserved)
      : InstanceTree(network), language_(language), names_(std::move(reserved)) {}

  Result<SourceNetwork> make(const std::string& main_class) {
    NW_TRY(write_layers());
    order(0);
    for (std::size_t c = 0; c < classes_.size(); ++c) finish_class(static_cast<int>(c));
    SourceNetwork out;
    Instance& root = instances_[0];
    for (std::size_t k = 0; k < root.scope.items.size(); ++k) literal_arguments(root, k);
    out.classes = std::move(made_);
    root.scope.name = main_class;
    root.scope.input = network_.layers[static_cast<std::size_t>(network_.input)].shape;
    out.main = std::move(root.scope);
    collect_helpers(out.helpers);
    return out;
  }

 private:
  Status write_layers() {
    sources_.resize(network_.layers.size());
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      const FlatLayer& l = network_.layers[i];
      if (static_cast<int>(i) == network_.input) continue;
      const LayerRecord* record = layer_record(language_, l.type->name);
      if (!record)
        return fail(Errc::bad_input, NW_TR("{0}: {1} cannot be written as {2}"), l.name, l.type->name,
                    title_of(language_));
      sources_[i] = record->write(l);
    }
    return {};
  }

  /// Items of the instance in an order in which each one's inputs come before it, and their values.
  void order(int of) {
    const std::vector<int> sorted = sorted_items(of);
    for (const int item : sorted)
      if (item < 0) order(~item);
    describe(of, sorted);
    if (of != 0) classify(of);
  }

  void describe(int of, const std::vector<int>& sorted) {
    SourceScope scope;
    scope.block = instance(of).block;
    std::map<int, int> value;  // layer -> number
    std::vector<int> in;
    const auto read = [&](int from) {
      if (value.try_emplace(from, 0).second) in.push_back(from);
    };
    std::vector<std::vector<int>> inputs, outputs;  // layers
    for (const int item : sorted) {
      inputs.push_back(item >= 0 ? layer(item).inputs : instance(~item).in);
      outputs.push_back(item >= 0 ? std::vector<int>{item} : instance(~item).out);
      for (const int from : inputs.back())
        if (!is_inside(from, of)) read(from);
    }
    for (std::size_t i = 0; i < in.size(); ++i) value[in[i]] = static_cast<int>(i);
    int next = static_cast<int>(in.size());
    for (const auto& made : outputs)
      for (const int l : made) value[l] = next++;
    std::vector<int> out, item_instance;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      const int item = sorted[k];
      SourceItem s;
      s.name = inner_name(item >= 0 ? layer(item).name : instance(~item).name, of);
      s.type = item >= 0 ? std::string(layer(item).type->name) : instance(~item).block;
      for (const int from : inputs[k]) s.inputs.push_back(value[from]);
      for (const int l : outputs[k]) s.outputs.push_back(value[l]);
      if (item >= 0) {
        s.call = sources_[static_cast<std::size_t>(item)];
        for (const Weight& w : layer(item).weights) s.weights.push_back(w.name.substr(0, w.name.find('.')));
      } else {
        s.class_of = instance(~item).class_of;
      }
      item_instance.push_back(item >= 0 ? -1 : ~item);
      for (const int l : outputs[k]) {
        const auto& readers = readers_[static_cast<std::size_t>(l)];
        if (l == network_.output ||
            std::any_of(readers.begin(), readers.end(), [&](int r) { return !is_inside(r, of); }))
          out.push_back(l);
      }
      scope.items.push_back(std::move(s));
    }
    scope.inputs = static_cast<int>(in.size());
    if (of == 0 && in.empty()) scope.inputs = 1;
    for (const int l : out) scope.outputs.push_back(value[l]);
    if (of == 0 && network_.output == network_.input) scope.outputs = {0};
    Instance& i = instance(of);
    i.scope = std::move(scope);
    i.in = std::move(in);
    i.out = std::move(out);
    i.item_instance = std::move(item_instance);
  }

  /// All that instances of one class share.
  static std::string signature(const SourceScope& s) {
    std::string out = s.block + fmt::format("|{}|{}", s.inputs, fmt::join(s.outputs, ","));
    for (const SourceItem& i : s.items) {
      out += fmt::format("\n{}|{}|{}|{}|{}|{}|{}", i.name, i.class_of, i.call.maker, i.call.apply, i.call.separator,
                         fmt::join(i.inputs, ","), fmt::join(i.outputs, ","));
      for (const SourceArgument& a : i.call.arguments) out += "|" + a.name;
    }
    return out;
  }

  void classify(int of) {
    const auto [it, added] = class_by_signature_.try_emplace(signature(instance(of).scope), classes_.size());
    if (added) classes_.emplace_back();
    classes_[it->second].instances.push_back(of);
    instance(of).class_of = static_cast<int>(it->second);
  }

  /// The arguments of an item: its own, or the values of its class's parameters.
  std::vector<SourceArgument> arguments_of(Instance& of, std::size_t k) {
    const int child = of.item_instance[k];
    if (child < 0) return of.scope.items[k].call.arguments;
    const Instance& inner = instance(child);
    std::vector<SourceArgument> all;
    for (std::size_t p = 0; p < inner.values.size(); ++p)
      all.push_back({made_[static_cast<std::size_t>(inner.class_of)].parameters[p], inner.values[p], "", false});
    return all;
  }

  void literal_arguments(Instance& of, std::size_t k) {
    LayerSource& call = of.scope.items[k].call;
    call.arguments = arguments_of(of, k);
    if (const int child = of.item_instance[k]; child >= 0)
      call.maker = made_[static_cast<std::size_t>(instance(child).class_of)].name;
    std::erase_if(call.arguments,
                  [](const SourceArgument& a) { return !a.otherwise.empty() && a.text == a.otherwise; });
  }

  /// A parameter of a class, with its value in each instance.
  struct Parameter {
    std::string name;
    std::vector<std::string> values;
    bool used = false;
  };

  static std::optional<std::int64_t> integer(const std::string& text) {
    std::int64_t v = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(v) : std::nullopt;
  }

  /// The expression of `p` that has these values: p, p * 4, p // 2, (p - 1) // 2; "": none does.
  static std::string expression_of(const Parameter& p, const std::vector<std::string>& values) {
    if (p.values == values) return p.name;
    struct Form {
      std::string text;
      std::int64_t add, times, over;
    };
    std::vector<Form> forms{{fmt::format("({} - 1) // 2", p.name), -1, 1, 2}};
    for (std::int64_t k = 2; k <= 8; ++k) {
      forms.push_back({fmt::format("{} * {}", p.name, k), 0, k, 1});
      forms.push_back({fmt::format("{} // {}", p.name, k), 0, 1, k});
    }
    for (const Form& f : forms) {
      bool fits = true;
      for (std::size_t i = 0; fits && i < values.size(); ++i) {
        const auto from = integer(p.values[i]), to = integer(values[i]);
        fits = from && to && *from >= 1 && *from < 1'000'000'000 && (*from + f.add) * f.times / f.over == *to;
      }
      if (fits) return f.text;
    }
    return "";
  }

  void finish_class(int c) {
    const std::vector<int>& all = classes_[static_cast<std::size_t>(c)].instances;
    Instance& model = instance(all.front());
    PythonNames names(names_.taken());
    std::vector<Parameter> parameters;
    for (const auto& [name, value] : model.parameters) {
      (void)value;
      Parameter p{.name = names.variable(name, "parameter"), .values = {}};
      for (const int i : all) p.values.push_back(std::to_string(instance(i).parameters[name]));
      parameters.push_back(std::move(p));
    }
    std::vector<std::size_t> used;
    SourceScope scope = model.scope;
    for (std::size_t k = 0; k < scope.items.size(); ++k) {
      std::vector<std::vector<SourceArgument>> of_instances;
      for (const int i : all) of_instances.push_back(arguments_of(instance(i), k));
      LayerSource& call = scope.items[k].call;
      if (const int child = model.item_instance[k]; child >= 0)
        call.maker = made_[static_cast<std::size_t>(instance(child).class_of)].name;
      call.arguments.clear();
      for (std::size_t a = 0; a < of_instances.front().size(); ++a) {
        SourceArgument argument = of_instances.front()[a];
        std::vector<std::string> values;
        for (const auto& of : of_instances) values.push_back(of[a].text);
        const bool same = std::all_of(values.begin(), values.end(), [&](const auto& v) { return v == values.front(); });
        const bool is_default = std::all_of(of_instances.begin(), of_instances.end(), [&](const auto& of) {
          return !of[a].otherwise.empty() && of[a].text == of[a].otherwise;
        });
        if (is_default) continue;
        if (!same) argument.text = parameter_for(values, argument.name, scope.items[k].name, parameters, names, used);
        call.arguments.push_back(std::move(argument));
      }
    }
    for (const std::size_t p : used) {
      scope.parameters.push_back(parameters[p].name);
      for (std::size_t i = 0; i < all.size(); ++i) instance(all[i]).values.push_back(parameters[p].values[i]);
    }
    scope.name = language_ == SourceLanguage::keras ? names_.function_name(scope.block, "block")
                                                    : names_.class_name(scope.block, "Block");
    made_.push_back(std::move(scope));
  }

  static std::string parameter_for(const std::vector<std::string>& values, const std::string& argument,
                                   const std::string& item, std::vector<Parameter>& parameters, PythonNames& names,
                                   std::vector<std::size_t>& used) {
    const auto use = [&](std::size_t p) {
      if (!parameters[p].used) used.push_back(p);
      parameters[p].used = true;
    };
    for (std::size_t p = 0; p < parameters.size(); ++p)
      if (parameters[p].values == values) return use(p), parameters[p].name;
    for (std::size_t p = 0; p < parameters.size(); ++p)
      if (std::string text = expression_of(parameters[p], values); !text.empty()) return use(p), text;
    const bool free = names.take(argument);
    const std::string name = free ? argument : names.variable(item + "_" + argument, "value");
    parameters.push_back({.name = name, .values = values});
    use(parameters.size() - 1);
    return name;
  }

  void collect_helpers(std::set<std::string>& out) const {
    for (std::size_t i = 0; i < sources_.size(); ++i)
      for (const std::string& h : sources_[i].helpers) add_helper(h, out);
  }

  void add_helper(std::string_view name, std::set<std::string>& out) const {
    if (!out.insert(std::string(name)).second) return;
    for (const SourceHelper& h : source_helpers(language_))
      if (h.name == name && !h.needs.empty()) add_helper(h.needs, out);
  }

  const SourceLanguage language_;
  PythonNames names_;
  std::vector<LayerSource> sources_;  // of each layer
  std::map<std::string, std::size_t> class_by_signature_;
  std::vector<ClassDraft> classes_;
  std::vector<SourceScope> made_;
};

}  // namespace

Result<SourceNetwork> source_network(const FlatNetwork& network, SourceLanguage language,
                                     const std::set<std::string>& reserved, const std::string& main_class) {
  std::set<std::string> taken = reserved;
  taken.insert(main_class);
  return TreeMaker(network, language, std::move(taken)).make(main_class);
}

}  // namespace nw::exchange

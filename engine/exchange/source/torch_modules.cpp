// SPDX-License-Identifier: Apache-2.0
// Classes of nn.Module: one for each block, and the network's. The parts of dotted names are modules inside modules, so
// that the state has our names; where these lie in a row, they are an nn.Sequential.
#include <algorithm>
#include <array>
#include <memory>

#include "engine/exchange/source/writers.hpp"

namespace nw::exchange {
namespace {

// Of torch.nn.Module 2.x, besides those that begin with _: a module of such a name would hide or break them.
constexpr std::array module_attributes = {"T_destination",
                                          "add_module",
                                          "apply",
                                          "bfloat16",
                                          "buffers",
                                          "call_super_init",
                                          "children",
                                          "compile",
                                          "cpu",
                                          "cuda",
                                          "double",
                                          "dump_patches",
                                          "eval",
                                          "extra_repr",
                                          "float",
                                          "forward",
                                          "get_buffer",
                                          "get_extra_state",
                                          "get_parameter",
                                          "get_submodule",
                                          "half",
                                          "ipu",
                                          "load_state_dict",
                                          "modules",
                                          "mtia",
                                          "named_buffers",
                                          "named_children",
                                          "named_modules",
                                          "named_parameters",
                                          "parameters",
                                          "register_backward_hook",
                                          "register_buffer",
                                          "register_forward_hook",
                                          "register_forward_pre_hook",
                                          "register_full_backward_hook",
                                          "register_full_backward_pre_hook",
                                          "register_load_state_dict_post_hook",
                                          "register_load_state_dict_pre_hook",
                                          "register_module",
                                          "register_parameter",
                                          "register_state_dict_post_hook",
                                          "register_state_dict_pre_hook",
                                          "requires_grad_",
                                          "set_extra_state",
                                          "set_submodule",
                                          "share_memory",
                                          "state_dict",
                                          "to",
                                          "to_empty",
                                          "train",
                                          "training",
                                          "type",
                                          "xpu",
                                          "zero_grad"};
constexpr int deepest_sequence = 6;  // brackets in brackets that people still read, and Python too

bool is_attribute(const std::string& name) {
  return is_python_identifier(name) && name[0] != '_' &&
         std::find(module_attributes.begin(), module_attributes.end(), name) == module_attributes.end();
}

/// A name that nn.Sequential takes for one of its modules.
bool is_entry(const std::string& name) {
  constexpr std::array own{"append", "extend", "insert", "pop"};
  return !name.empty() && name[0] != '_' && std::find(own.begin(), own.end(), name) == own.end() &&
         std::find(module_attributes.begin(), module_attributes.end(), name) == module_attributes.end();
}

/// A part of dotted names: "layer1" of layer1.0.conv1 and layer1.1.conv1.
struct Part {
  std::string name;
  int item = -1;  // of the scope; -1: only a container
  std::vector<std::unique_ptr<Part>> parts;
  bool sequence = false;  // its items lie in a row
  std::string access;     // "self.layer1"
};

class ModuleWriter {
 public:
  ModuleWriter(const SourceScope& scope, const SourceFile& file) : scope_(scope), file_(file) {}

  void write(PythonLines& out) {
    readers_of_values();
    for (std::size_t k = 0; k < scope_.items.size(); ++k)
      if (!scope_.items[k].call.maker.empty()) place(root_, scope_.items[k].name, static_cast<int>(k));
    root_.access = "self";
    for (const auto& p : root_.parts) find_sequences(*p);
    out.space(2);
    out.add(0, "class " + scope_.name + "(nn.Module):");
    document(out);
    constructor(out);
    out.space(1);
    forward(out);
  }

 private:
  const SourceItem& item(int k) const { return scope_.items[static_cast<std::size_t>(k)]; }

  void readers_of_values() {
    for (std::size_t k = 0; k < scope_.items.size(); ++k)
      for (const int v : scope_.items[k].inputs) ++readers_[v];
    for (const int v : scope_.outputs) ++readers_[v];
  }

  static void place(Part& at, std::string_view name, int item) {
    const std::size_t dot = name.find('.');
    const std::string first(name.substr(0, dot));
    auto it = std::find_if(at.parts.begin(), at.parts.end(), [&](const auto& p) { return p->name == first; });
    if (it == at.parts.end()) {
      at.parts.push_back(std::make_unique<Part>());
      at.parts.back()->name = first;
      it = std::prev(at.parts.end());
    }
    if (dot == std::string_view::npos)
      (*it)->item = item;
    else
      place(**it, name.substr(dot + 1), item);
  }

  static void items_of(const Part& p, std::vector<int>& out) {
    if (p.item >= 0) out.push_back(p.item);
    for (const auto& inner : p.parts) items_of(*inner, out);
  }

  /// Only modules, nested a few levels deep.
  bool holds_modules(const Part& p, int depth) const {
    if (depth > deepest_sequence || (p.item >= 0 && !p.parts.empty())) return false;
    if (depth > 0 && !is_entry(p.name)) return false;
    if (p.item >= 0) {
      const SourceItem& i = item(p.item);
      return !i.call.parameter && i.call.apply == "{self}({0})" && i.inputs.size() == 1 && i.outputs.size() == 1;
    }
    return std::all_of(p.parts.begin(), p.parts.end(), [&](const auto& q) { return holds_modules(*q, depth + 1); });
  }

  /// Each of the items reads the one before it, which nothing else reads.
  bool in_a_row(const std::vector<int>& items) const {
    for (std::size_t i = 1; i < items.size(); ++i) {
      const int value = item(items[i - 1]).outputs.front();
      if (item(items[i]).inputs.front() != value || readers_.at(value) != 1) return false;
    }
    return true;
  }

  void find_sequences(Part& p) {
    std::vector<int> items;
    items_of(p, items);
    p.sequence = p.item < 0 && holds_modules(p, 0) && in_a_row(items);
    if (!p.sequence)
      for (const auto& inner : p.parts) find_sequences(*inner);
  }

  void document(PythonLines& out) {
    if (!scope_.block.empty()) {
      out.add(1, "\"\"\"The block " + python_escaped(scope_.block) + ".\"\"\"");
      out.space(1);
      return;
    }
    const Shape& in = scope_.input;
    out.add(1, "\"\"\"Takes normalized images (N, " + std::to_string(in[1]) + ", " + std::to_string(in[2]) + ", " +
                   std::to_string(in[3]) + ").\"\"\"");
    out.space(1);
  }

  void constructor(PythonLines& out) {
    std::string parameters = "self";
    for (const std::string& p : scope_.parameters) parameters += ", " + p;
    PythonCode head{"def __init__(", {}, "):"};
    head.parts.push_back(code("self"));
    for (const std::string& p : scope_.parameters) head.parts.push_back(code(p));
    out.code(1, "", head);
    out.add(2, "super().__init__()");
    for (const auto& p : root_.parts) create(out, *p, root_);
  }

  /// Sets the part's access, and writes the line that makes it.
  void create(PythonLines& out, Part& p, const Part& around) {
    const bool attribute = is_attribute(p.name) && around.item < 0;
    const std::string place = around.access;
    p.access = attribute ? place + "." + p.name : "part_of(" + place + ", " + python_string(p.name) + ")";
    PythonCode made = p.sequence ? sequence(p) : p.item >= 0 ? call_code(item(p.item).call) : code("nn.Module()");
    if (attribute)
      out.code(2, p.access + " = ", made);
    else
      out.code(2, "", {"put_part(", {code(place), code(python_string(p.name)), std::move(made)}, ")"});
    if (p.sequence) return;
    for (const auto& inner : p.parts) create(out, *inner, p);
  }

  PythonCode sequence(const Part& p) const {
    bool numbered = true;
    for (std::size_t i = 0; i < p.parts.size(); ++i) numbered = numbered && p.parts[i]->name == std::to_string(i);
    PythonCode list{numbered ? "nn.Sequential(" : "OrderedDict([", {}, numbered ? ")" : "])"};
    for (std::size_t i = 0; i < p.parts.size();) {
      const std::size_t n = repeats(p, i);
      list.parts.push_back(n > 1 ? loop(p, i, n, numbered) : entry(*p.parts[i], numbered));
      i += n;
    }
    return numbered ? list : PythonCode{"nn.Sequential(", {std::move(list)}, ")"};
  }

  PythonCode entry(const Part& p, bool numbered) const {
    PythonCode made = p.item >= 0 ? call_code(item(p.item).call) : sequence(p);
    return numbered ? made : PythonCode{"(", {code(python_string(p.name)), std::move(made)}, ")"};
  }

  /// The place of the argument that rises by 1 from `a` to `b`; -1: they are equal; -2: they differ otherwise.
  static int rising(const LayerSource& a, const LayerSource& b) {
    if (a.maker != b.maker || a.arguments.size() != b.arguments.size()) return -2;
    int found = -1;
    for (std::size_t i = 0; i < a.arguments.size(); ++i) {
      const SourceArgument &x = a.arguments[i], &y = b.arguments[i];
      if (x.name != y.name) return -2;
      if (x.text == y.text) continue;
      const auto [prefix, from] = numbered_name(x.text);
      if (found >= 0 || !prefix.empty() || from < 0 || y.text != std::to_string(from + 1)) return -2;
      found = static_cast<int>(i);
    }
    return found;
  }

  /// How many parts from `i` on are instances of one class, with numbers as names, and differ by one rising argument.
  std::size_t repeats(const Part& p, std::size_t i) const {
    const auto call = [&](std::size_t k) -> const LayerSource& { return item(p.parts[k]->item).call; };
    if (p.parts[i]->item < 0 || item(p.parts[i]->item).class_of < 0) return 1;
    int kind = -2;
    std::size_t n = 1;
    for (; i + n < p.parts.size(); ++n) {
      const Part &a = *p.parts[i + n - 1], &b = *p.parts[i + n];
      const auto [x, from] = numbered_name(a.name);
      const auto [y, to] = numbered_name(b.name);
      if (b.item < 0 || x != y || from < 0 || to != from + 1) break;
      const int now = rising(call(i + n - 1), call(i + n));
      if (now == -2 || (n > 1 && now != kind)) break;
      kind = now;
    }
    return n;
  }

  PythonCode loop(const Part& p, std::size_t i, std::size_t n, bool numbered) const {
    LayerSource call = item(p.parts[i]->item).call;
    const int place = rising(call, item(p.parts[i + 1]->item).call);
    const auto [prefix, first] = numbered_name(p.parts[i]->name);
    std::int64_t from = first;
    if (place >= 0) {
      SourceArgument& a = call.arguments[static_cast<std::size_t>(place)];
      const std::int64_t value = std::stoll(a.text);
      if (numbered) from = value;
      a.text =
          value == from ? "i" : "i " + std::string(value > from ? "+ " : "- ") + std::to_string(std::abs(value - from));
    } else if (numbered) {
      from = 0;
    }
    const bool counts = place >= 0 || !numbered;
    const std::string end = std::to_string(from + static_cast<std::int64_t>(n));
    const std::string range = from == 0 ? end : std::to_string(from) + ", " + end;
    const std::string tail = std::string(" for ") + (counts ? "i" : "_") + " in range(" + range + ")]";
    PythonCode made = call_code(call);
    if (!numbered) made = PythonCode{"(", {code("f" + python_string(prefix + "{i}")), std::move(made)}, ")"};
    made.open = "*[" + made.open;
    made.close += tail;
    return made;
  }

  void collect_steps(const Part& p, std::vector<const Part*>& of_item) const {
    if (p.sequence) {
      std::vector<int> items;
      items_of(p, items);
      for (const int k : items) of_item[static_cast<std::size_t>(k)] = &p;
      return;
    }
    if (p.item >= 0) of_item[static_cast<std::size_t>(p.item)] = &p;
    for (const auto& inner : p.parts) collect_steps(*inner, of_item);
  }

  void forward(PythonLines& out) {
    std::vector<const Part*> of_item(scope_.items.size(), nullptr);
    for (const auto& p : root_.parts) collect_steps(*p, of_item);
    std::vector<SourceStep> steps;
    std::vector<const Part*> parts;
    std::vector<int> first;  // items
    std::map<const Part*, std::size_t> step_of;
    for (std::size_t k = 0; k < scope_.items.size(); ++k) {
      const SourceItem& i = scope_.items[k];
      const Part* p = of_item[k];
      if (p && p->sequence && step_of.contains(p)) {
        steps[step_of[p]].outputs = i.outputs;
        continue;
      }
      if (p) step_of[p] = steps.size();
      steps.push_back({i.inputs, i.outputs, p && p->sequence ? p->name : i.name});
      parts.push_back(p);
      first.push_back(static_cast<int>(k));
    }
    write_steps(out, steps, parts, first);
  }

  void write_steps(PythonLines& out, const std::vector<SourceStep>& steps, const std::vector<const Part*>& parts,
                   const std::vector<int>& first) const {
    std::set<std::string> reserved = reserved_names(SourceLanguage::pytorch);
    const auto names = variables_of(steps, scope_.inputs, scope_.outputs, reserved);
    const auto name = [&](int v) { return names[static_cast<std::size_t>(v)]; };
    std::string head = "def forward(self";
    for (int i = 0; i < scope_.inputs; ++i) head += ", " + name(i);
    out.add(1, head + "):");
    const auto listed = [&](const std::vector<int>& values) {
      std::string text;
      for (const int v : values) text += (text.empty() ? "" : ", ") + name(v);
      return text;
    };
    for (std::size_t s = 0; s < steps.size(); ++s) {
      std::vector<std::string> in;
      for (const int v : steps[s].inputs) in.push_back(name(v));
      LayerSource call = item(first[s]).call;
      if (parts[s] && (parts[s]->sequence || item(first[s]).class_of >= 0)) call.apply = "{self}({all})";
      out.add(2, listed(steps[s].outputs) + " = " + applied_text(call, parts[s] ? parts[s]->access : "", in));
    }
    out.add(2, "return " + listed(scope_.outputs));
  }

  const SourceScope& scope_;
  const SourceFile& file_;
  Part root_;
  std::map<int, int> readers_;  // of a value
};

}  // namespace

void add_torch_modules(PythonLines& out, const SourceFile& file) {
  for (const SourceScope& scope : file.network.classes) ModuleWriter(scope, file).write(out);
  ModuleWriter(file.network.main, file).write(out);
}

}  // namespace nw::exchange

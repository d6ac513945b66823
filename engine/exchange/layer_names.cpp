// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/layer_names.hpp"

#include <algorithm>

#include "engine/design/names.hpp"
#include "engine/design/opaque.hpp"
#include "engine/exchange/export_onnx.hpp"

namespace nw::exchange {
namespace {

/// The words of a Python list: ['', 'layer1', 'layer1.0'].
std::vector<std::string> python_words(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t at = list.find('\''); at != std::string::npos; at = list.find('\'', at)) {
    const std::size_t end = list.find('\'', at + 1);
    if (end == std::string::npos || words.size() > 64) break;
    words.push_back(list.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return words;
}

std::string last_word(const std::string& dotted) {
  const std::size_t dot = dotted.rfind('.');
  return dot == std::string::npos ? dotted : dotted.substr(dot + 1);
}

/// From PyTorch's newer exporter, and from ours: the scopes without the first ("", the network) and the last (the
/// operator).
std::vector<Module> from_scopes(const onnx::Node& n) {
  const auto scopes = n.metadata.find(scopes_key), classes = n.metadata.find(hierarchy_key);
  if (scopes == n.metadata.end()) return {};
  const auto names = python_words(scopes->second);
  const auto types = classes == n.metadata.end() ? std::vector<std::string>{} : python_words(classes->second);
  std::vector<Module> modules;
  for (std::size_t i = 1; i + 1 < names.size(); ++i)
    modules.push_back({names[i], types.size() == names.size() ? last_word(types[i]) : ""});
  return modules;
}

/// From PyTorch's older exporter: "/layer1/layer1.0/conv1/Conv", where a module names itself in full or below the one
/// before.
std::vector<Module> from_path(const std::string& path) {
  std::vector<Module> modules;
  if (!path.starts_with('/')) return {};
  std::string full;
  for (std::size_t at = 1; at < path.size() && modules.size() < 64;) {
    const std::size_t end = path.find('/', at);
    if (end == std::string::npos) break;  // the operator
    const std::string word = path.substr(at, end - at);
    full = full.empty() || word.starts_with(full + ".") ? word : full + "." + word;
    modules.push_back({full, ""});
    at = end + 1;
  }
  return modules;
}

std::vector<Module> modules_of(const onnx::Node* n) {
  if (!n) return {};
  auto modules = from_scopes(*n);
  return modules.empty() ? from_path(n->name) : modules;
}

/// "conv"; of an opaque node its operator: "deformconv".
std::string stem_of(const BuiltLayer& l) {
  if (l.type->name != opaque_type) return std::string(l.type->stem);
  std::string stem = nearest_name(std::get<std::string>(l.attrs.at("operator")));
  for (char& c : stem)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return stem.empty() ? std::string(l.type->stem) : stem;
}

class Namer {
 public:
  Namer(const ReadGraph& graph, bool ours) : graph_(graph), ours_(ours) {}

  std::vector<NamedLayer> all() {
    find_live();
    for (const int i : live_) {
      modules_.push_back(modules_of(layer(i).origin));
      for (const Module& m : modules_.back())
        for (std::size_t dot = m.name.find('.'); dot != std::string::npos; dot = m.name.find('.', dot + 1))
          parents_.insert(m.name.substr(0, dot));
    }
    std::vector<NamedLayer> out;
    for (std::size_t k = 0; k < live_.size(); ++k) out.push_back(named(k));
    return out;
  }

 private:
  const BuiltLayer& layer(int i) const { return graph_.layers[static_cast<std::size_t>(i)]; }

  void find_live() {
    std::vector<bool> live(graph_.layers.size(), false);
    live[0] = true;
    live[static_cast<std::size_t>(graph_.output)] = true;
    for (std::size_t i = graph_.layers.size(); i-- > 0;)
      if (live[i])
        for (const int from : graph_.layers[i].inputs) live[static_cast<std::size_t>(from)] = true;
    for (std::size_t i = 0; i < live.size(); ++i)
      if (live[i]) live_.push_back(static_cast<int>(i));
  }

  /// The layer is the last one made of its operator, and has the operator's name.
  bool is_last_of_origin(std::size_t k) const {
    return k + 1 == live_.size() || !layer(live_[k]).origin || layer(live_[k + 1]).origin != layer(live_[k]).origin;
  }

  NamedLayer named(std::size_t k) {
    const BuiltLayer& l = layer(live_[k]);
    NamedLayer out{.index = live_[k], .modules = modules_[k]};
    // The innermost module of our operators is the layer itself.
    std::string wanted = ours_ && !out.modules.empty() ? out.modules.back().name : l.name;
    const std::string stem = stem_of(l);
    if (live_[k] == 0) {
      wanted = graph_.input_name;
      out.modules.clear();
    } else if (wanted.empty() && !out.modules.empty()) {
      const std::string& inner = out.modules.back().name;
      wanted = parents_.contains(inner) || inner.empty() ? inner + "." + stem : inner;
    } else if (wanted.empty()) {
      wanted = stem + "1";
    }
    if (!is_last_of_origin(k) && live_[k] != 0) wanted += "." + stem;
    while (!out.modules.empty() && !wanted.starts_with(out.modules.back().name + ".")) out.modules.pop_back();
    out.name = unique(wanted, stem, live_[k] == 0);
    return out;
  }

  std::string unique(const std::string& wanted, const std::string& stem, bool input) {
    std::string name = nearest_name(wanted);
    if (name.empty()) name = stem;
    const bool reserved = !input && (name == "images" || name == "labels" || name == "targets");
    if (!reserved && taken_.insert(name).second) return name;
    while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.pop_back();
    if (name.empty() || name.back() == '.') name += stem;
    for (int number = next_[name] + 1;; ++number) {
      next_[name] = number;
      if (taken_.insert(name + std::to_string(number)).second) return name + std::to_string(number);
    }
  }

  const ReadGraph& graph_;
  const bool ours_;
  std::vector<int> live_;
  std::vector<std::vector<Module>> modules_;
  std::set<std::string> parents_, taken_;
  std::map<std::string, int> next_;
};

}  // namespace

std::vector<NamedLayer> name_layers(const ReadGraph& graph, bool ours) { return Namer(graph, ours).all(); }

}  // namespace nw::exchange

// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/whole_layers.hpp"

#include <algorithm>

#include "engine/core/json.hpp"
#include "engine/exchange/fit_layer.hpp"
#include "engine/exchange/weights.hpp"

namespace nw::exchange {
namespace {

constexpr std::size_t most_whole_inputs = 3;

std::optional<Attr> attr_of(const Json& v) {
  if (v.is_boolean()) return v.get<bool>();
  if (v.is_number_integer()) return v.get<std::int64_t>();
  if (v.is_number_float()) return v.get<double>();
  if (v.is_string()) return v.get<std::string>();
  const auto whole = [](const Json& i) { return i.is_number_integer(); };
  if (v.is_array() && v.size() == 2 && std::all_of(v.begin(), v.end(), whole))
    return v.get<std::vector<std::int64_t>>();
  return std::nullopt;
}

/// The layer of a description; no type: it is none.
WholeLayer described_layer(const std::string& text) {
  WholeLayer found;
  const auto json = parse_json(text, layer_key, {.depth = 8, .bytes = 65536});
  if (!json || !json->is_object() || !json->contains("type") || !json->at("type").is_string()) return {};
  for (const auto& [name, value] : json->items()) {
    if (name == "type") continue;
    const auto attr = attr_of(value);
    if (!attr) return {};
    found.attrs.emplace(name, *attr);
  }
  const LayerType* type = find_layer(json->at("type").get<std::string>());
  found.mapping = type ? mapping_of_layer(type->name) : nullptr;
  if (!found.mapping || !found.mapping->whole || (type->inputs != 1 && type->inputs != -1) ||
      !complete(*type, found.attrs).empty())
    return {};
  if (found.attrs.size() != type->fields.size()) return {};
  found.type = type;
  return found;
}

/// Keeps what a layer writes. Names are marked: "i0", "i1" … the inputs, "w" and "c" weights and constants, "p" parts.
class OperatorRecorder final : public LayerWriter {
 public:
  explicit OperatorRecorder(const FlatLayer& layer) : layer_(layer) {}

  const FlatLayer& layer() const override { return layer_; }
  std::string input(std::size_t i) const override { return "i" + std::to_string(i); }
  std::string weight(std::string_view name, const onnx::Dims& dims) override {
    for (const Weight& w : layer_.weights)
      if (w.name == name) {
        const std::string marked = "w" + w.name;
        weights[marked] = dims.empty() ? sizes_of(w.shape) : dims;
        return marked;
      }
    return "";
  }
  std::string constant(std::string_view part, onnx::Tensor t) override {
    const std::string marked = "c" + std::string(part);
    constants[marked] = std::move(t);
    return marked;
  }
  std::string part(std::string_view part, std::string_view op, std::vector<std::string> inputs, Attributes a) override {
    const std::string marked = "p" + std::string(part);
    add(op, std::move(inputs), marked, std::move(a));
    return marked;
  }
  void finish(std::string_view op, std::vector<std::string> inputs, Attributes a) override {
    add(op, std::move(inputs), "", std::move(a));
  }

  std::vector<onnx::Node> nodes;
  std::map<std::string, onnx::Dims> weights;
  std::map<std::string, onnx::Tensor> constants;

 private:
  void add(std::string_view op, std::vector<std::string> inputs, std::string output, Attributes a) {
    nodes.push_back({.name = {}, .op = std::string(op), .domain = {}, .inputs = std::move(inputs)});
    nodes.back().outputs = {std::move(output)};
    nodes.back().attributes = std::move(a);
  }
  const FlatLayer& layer_;
};

bool same_attribute(const onnx::Attribute& a, const onnx::Attribute& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& x) {
        using T = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<T, onnx::Tensor> || std::is_same_v<T, onnx::Subgraph>)
          return false;
        else
          return x == std::get<T>(b);
      },
      a);
}
bool same_attributes_of(const onnx::Node& a, const onnx::Node& b) {
  return std::equal(
      a.attributes.begin(), a.attributes.end(), b.attributes.begin(), b.attributes.end(),
      [](const auto& x, const auto& y) { return x.first == y.first && same_attribute(x.second, y.second); });
}

/// Compares what a layer writes with the operators of a file.
class Comparison {
 public:
  Comparison(const OperatorRecorder& written, const std::set<std::string>& values, const FindTensor& constant)
      : written_(written), values_(values), constant_(constant) {
    names_[""] = "";
  }

  bool same(std::span<const onnx::Node> file) {
    if (file.size() != written_.nodes.size()) return false;
    for (std::size_t i = 0; i < file.size(); ++i)
      if (!same_node(written_.nodes[i], file[i])) return false;
    return true;
  }
  /// The layer's inputs in the file; empty: one of the first `count` was not read.
  std::vector<std::string> inputs(std::size_t count) const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < count; ++i) {
      const auto it = names_.find(written_.input(i));
      if (it == names_.end()) return {};
      all.push_back(it->second);
    }
    return all;
  }
  std::map<std::string, onnx::Tensor> weights;

 private:
  bool same_node(const onnx::Node& written, const onnx::Node& file) {
    if (written.op != file.op || !file.domain.empty() || file.outputs.size() != 1 ||
        written.inputs.size() != file.inputs.size() || !same_attributes_of(written, file))
      return false;
    for (std::size_t i = 0; i < file.inputs.size(); ++i)
      if (!same_value(written.inputs[i], file.inputs[i])) return false;
    if (!written.outputs.front().empty()) names_[written.outputs.front()] = file.outputs.front();
    return true;
  }

  bool same_value(const std::string& written, const std::string& file) {
    const auto known = names_.find(written);
    if (known != names_.end()) return known->second == file;
    names_[written] = file;
    if (written.starts_with('i')) return values_.contains(file);
    const onnx::Tensor* t = constant_(file);
    if (!t) return false;
    if (const auto w = written_.weights.find(written); w != written_.weights.end()) {
      weights[written.substr(1)] = *t;
      return t->type == onnx::Type::f32 && t->dims == w->second;
    }
    const onnx::Tensor& c = written_.constants.at(written);
    return t->type == c.type && t->dims == c.dims && t->bytes == c.bytes;
  }

  const OperatorRecorder& written_;
  const std::set<std::string>& values_;
  const FindTensor& constant_;
  std::map<std::string, std::string> names_;  // in the file, of what was written
};

}  // namespace

std::string description_of(const FlatLayer& layer) {
  Json json = Json::object();
  json["type"] = layer.type->name;
  for (const auto& [name, value] : layer.attrs.values())
    json[name] = std::visit([](const auto& v) { return Json(v); }, value);
  return json.dump();
}

std::map<std::size_t, WholeLayer> whole_layers(const onnx::Model& model) {
  std::map<std::size_t, WholeLayer> all;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const auto described = model.nodes[i].metadata.find(layer_key);
    if (described == model.nodes[i].metadata.end()) continue;
    WholeLayer found = described_layer(described->second);
    if (!found.type) continue;
    found.first = found.last = i;
    const std::string prefix = model.nodes[i].name + "/";
    while (found.first > 0 && model.nodes[found.first - 1].name.starts_with(prefix)) --found.first;
    all[found.first] = std::move(found);
  }
  return all;
}

namespace {

std::optional<MatchedLayer> matched_with(const WholeLayer& whole, const onnx::Model& model,
                                         const std::set<std::string>& values, const std::vector<Shape>& shapes,
                                         const FindTensor& constant) {
  FlatLayer layer{.type = whole.type, .name = "layer", .attrs = Attrs(whole.attrs), .input_shapes = shapes};
  const auto inferred = whole.type->infer(layer.attrs, layer.input_shapes);
  if (!std::holds_alternative<Shape>(inferred)) return std::nullopt;
  layer.shape = std::get<Shape>(inferred);
  if (whole.type->weights) layer.weights = whole.type->weights(layer.attrs, layer.input_shapes);
  OperatorRecorder written(layer);
  if (!whole.mapping->write(written)) return std::nullopt;
  Comparison comparison(written, values, constant);
  const auto file = std::span(model.nodes).subspan(whole.first, whole.last - whole.first + 1);
  if (!comparison.same(file)) return std::nullopt;
  MatchedLayer found{comparison.inputs(shapes.size()), std::move(comparison.weights)};
  return found.inputs.empty() ? std::nullopt : std::optional(std::move(found));
}

bool read_within(const std::string& name, const WholeLayer& whole, const Readers& all) {
  const auto readers = all.find(name);
  return readers != all.end() && std::all_of(readers->second.begin(), readers->second.end(),
                                             [&](std::size_t reader) { return reader <= whole.last; });
}
}  // namespace

// One value may be several inputs.
std::optional<MatchedLayer> matched(const WholeLayer& whole, const onnx::Model& model,
                                    const std::set<std::string>& values, const Shape& shape,
                                    const FindTensor& constant) {
  const std::size_t most = whole.type->inputs == 1 ? 1 : most_whole_inputs;
  for (std::size_t count = values.size(); count <= most; ++count)
    if (auto found = matched_with(whole, model, values, std::vector<Shape>(count, shape), constant)) return found;
  return std::nullopt;
}

std::set<std::string> values_read(const WholeLayer& whole, const onnx::Model& model, const Readers& readers,
                                  const std::set<std::string>& graph_outputs,
                                  const std::function<std::optional<bool>(const std::string&)>& is_value) {
  std::set<std::string> inside, outside;
  for (std::size_t i = whole.first; i <= whole.last; ++i) {
    const onnx::Node& n = model.nodes[i];
    for (const std::string& name : n.inputs) {
      const auto known = is_value(name);
      if (known ? *known : !name.empty() && !inside.contains(name)) outside.insert(name);
    }
    if (n.outputs.size() != 1 || is_value(n.outputs.front()) || !inside.insert(n.outputs.front()).second) return {};
    const bool between = i < whole.last;
    if (between && (graph_outputs.contains(n.outputs.front()) || !read_within(n.outputs.front(), whole, readers)))
      return {};
  }
  return outside;
}

}  // namespace nw::exchange

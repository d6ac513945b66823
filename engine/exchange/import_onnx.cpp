// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/import_onnx.hpp"

#include <algorithm>

#include "engine/core/json.hpp"
#include "engine/design/project_file.hpp"
#include "engine/exchange/build_document.hpp"
#include "engine/exchange/export_onnx.hpp"
#include "engine/exchange/file_normalization.hpp"

namespace nw::exchange {
namespace {

const Target shapes_only{.training = false, .batch = 1};

const std::string* find(const onnx::Metadata& m, const char* key) {
  const auto it = m.find(key);
  return it == m.end() ? nullptr : &it->second;
}

bool same(const Attr& a, const Attr& b) {
  const auto *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
  if (x && y) return static_cast<float>(*x) == static_cast<float>(*y);  // a file holds floats
  return a == b;
}

bool same_attributes(const Attrs& a, const Attrs& b) {
  if (a.values().size() != b.values().size()) return false;
  return std::all_of(a.values().begin(), a.values().end(), [&](const auto& entry) {
    const auto other = b.values().find(entry.first);
    return other != b.values().end() && same(entry.second, other->second);
  });
}

/// Both compute the same with the same names of weights.
bool same_network(const FlatNetwork& a, const FlatNetwork& b) {
  if (a.layers.size() != b.layers.size()) return false;
  std::map<std::string, const FlatLayer*> by_name;
  for (const FlatLayer& l : b.layers) by_name[l.name] = &l;
  const auto name = [](const FlatNetwork& n, int i) { return n.layers[static_cast<std::size_t>(i)].name; };
  for (const FlatLayer& l : a.layers) {
    const auto it = by_name.find(l.name);
    if (it == by_name.end() || it->second->type != l.type || it->second->inputs.size() != l.inputs.size() ||
        !(it->second->shape == l.shape) || !same_attributes(l.attrs, it->second->attrs))
      return false;
    for (std::size_t i = 0; i < l.inputs.size(); ++i)
      if (name(a, l.inputs[i]) != name(b, it->second->inputs[i])) return false;
  }
  return name(a, a.output) == name(b, b.output) && name(a, a.input) == name(b, b.input);
}

/// The project inside a file of ours, if it computes what the graph does.
std::optional<GraphDoc> project_in(const onnx::Model& model, const FlatNetwork& network) {
  const std::string* text = find(model.metadata, project_key);
  if (!text) return std::nullopt;
  const auto doc = ProjectFile::parse(*text, "project");
  const auto flat = doc ? flatten(*doc, shapes_only) : Result<FlatNetwork>(fail(Errc::other, ""));
  if (!flat || !same_network(*flat, network)) return std::nullopt;
  return *doc;
}

/// The document becomes the project inside a file of ours, if that computes what the graph does.
Status take_project(const onnx::Model& model, ImportedNetwork& out) {
  NW_ASSIGN(const FlatNetwork flat, flatten(out.doc, shapes_only));
  if (auto project = project_in(model, flat)) {
    out.doc = std::move(*project);
    out.drawn = true;
  }
  return {};
}

std::vector<std::string> classes_in(const onnx::Model& model) {
  const std::string* text = find(model.metadata, classes_key);
  const auto json = text ? parse_json(*text, "classes") : Result<Json>(Json());
  std::vector<std::string> classes;
  if (!json || !json->is_array()) return classes;
  for (const Json& c : *json)
    if (c.is_string() && classes.size() < 100'000) classes.push_back(c.get<std::string>());
  return classes;
}

/// The final Softmax is part of the loss.
void leave_out_end(ReadGraph& graph, bool ours) {
  const BuiltLayer& last = graph.layers[static_cast<std::size_t>(graph.output)];
  if (ours || last.type->name != "Softmax") return;
  graph.end = "Softmax";
  graph.output = last.inputs.front();
}

/// An image of one pixel at the end is a vector.
void end_in_vector(ReadGraph& graph) {
  const Shape last = graph.layers[static_cast<std::size_t>(graph.output)].shape;
  if (last.rank() != 4 || last[2] * last[3] != 1) return;
  BuiltLayer flat{.type = find_layer("Flatten"), .inputs = {graph.output}};
  flat.input_shapes = {last};
  flat.shape = Shape{last[0], last[1]};
  graph.output = static_cast<int>(graph.layers.size());
  graph.layers.push_back(std::move(flat));
}

std::string loss_for(const ReadGraph& graph, const onnx::Model& model) {
  const std::string* named = find(model.metadata, loss_key);
  const LayerType* type = named ? find_layer(*named) : nullptr;
  if (type && type->loss) return std::string(type->name);
  const std::string_view last = graph.layers[static_cast<std::size_t>(graph.output)].type->name;
  return last == "Sigmoid" ? "BCE" : "CrossEntropy";
}

/// The data are images of the network's input, normalized as the file does it.
Status expect_images(ImportedNetwork& out, const onnx::Model& model, const Shape& input) {
  if (auto known = file_normalization(out.preprocessing, model.metadata, input[1])) {
    out.mean = std::move(known->mean);
    out.deviation = std::move(known->deviation);
  }
  DataChoice data = out.doc.data();
  data.mean = out.mean;
  data.deviation = out.deviation;
  data.kind = SourceKind::image_folder;
  data.channels = input[1];
  data.height = input[2];
  data.width = input[3];
  const auto set = out.doc.apply({PutData{data}});
  return set ? Status() : set.error();
}

Result<Weights> collect_weights(const ReadGraph& graph, const std::vector<NamedLayer>& layers) {
  Weights all;
  for (const NamedLayer& named : layers) {
    const BuiltLayer& l = graph.layers[static_cast<std::size_t>(named.index)];
    for (const auto& [name, tensor] : l.weights) {
      auto values = onnx::floats_of(tensor);
      const std::string full = weight_name(named.name, name);
      if (!values) return fail(Errc::other, NW_TR("There are no values for {0}"), full);
      all[full] = {tensor.dims, std::move(*values)};
    }
  }
  return all;
}

WeightNames names_of_graph(const ReadGraph& graph, const std::vector<NamedLayer>& layers) {
  WeightNames names;
  for (const NamedLayer& named : layers) {
    const BuiltLayer& l = graph.layers[static_cast<std::size_t>(named.index)];
    if (l.type->weights) add_names(names, named.name, l.type->weights(Attrs(l.attrs), l.input_shapes));
  }
  return names;
}

std::vector<OpaqueGroup> opaque_in(const ReadGraph& graph, const std::vector<NamedLayer>& layers) {
  std::vector<const BuiltLayer*> all;
  for (const NamedLayer& named : layers) all.push_back(&graph.layers[static_cast<std::size_t>(named.index)]);
  return opaque_groups(all);
}

/// "2 DeformConv, 1 BiasGelu".
std::string listed(const std::vector<OpaqueGroup>& groups) {
  constexpr std::size_t most = 8;
  std::string all;
  for (std::size_t i = 0; i < groups.size() && i < most; ++i)
    all += fmt::format("{}{} {}", i ? ", " : "", groups[i].count, groups[i].name);
  return groups.size() > most ? all + ", …" : all;
}

void write_notes(const ReadGraph& graph, const onnx::Model& model, ImportedNetwork& out) {
  out.notes = graph.notes;
  if (const std::int64_t opaque = count_of(out.opaque); opaque > 0)
    out.notes.insert(out.notes.begin(),
                     text(NW_TR("{0} operators stand on the canvas as opaque nodes, because no layer is made of them: "
                                "{1}. Remove or replace them before training"),
                          opaque, listed(out.opaque)));
  if (out.folded_batch_norms > 0)
    out.notes.push_back(
        text(NW_TR("{0} batch norms were folded into the convolutions before them; for exact fine-tuning, "
                   "take the safetensors file of the same network or export it with them"),
             out.folded_batch_norms));
  if (!graph.end.empty())
    out.notes.push_back(text(NW_TR("The {0} at its end is left out: the loss contains it"), graph.end));
  if (!out.preprocessing.empty() && out.mean.empty())
    out.notes.push_back(text(NW_TR("The file changes its images by {0} operations before the network; in training the "
                                   "normalization of the data takes their place"),
                             out.preprocessing.size()));
  if (find(model.metadata, project_key) && !out.drawn)
    out.notes.push_back(
        text(NW_TR("The project inside the file does not describe its graph; the network was rebuilt from "
                   "the graph")));
}

}  // namespace

std::int64_t count_of(const std::vector<OpaqueGroup>& groups) {
  std::int64_t all = 0;
  for (const OpaqueGroup& g : groups) all += g.count;
  return all;
}

Result<ImportedNetwork> import_onnx(const onnx::Model& model, const std::string& where, const ImportOptions& options) {
  NW_ASSIGN(ReadGraph graph, read_graph(model, where, options));
  const bool ours = model.producer == producer_name;
  leave_out_end(graph, ours);
  end_in_vector(graph);
  const BuiltLayer& last = graph.layers[static_cast<std::size_t>(graph.output)];
  const std::vector<NamedLayer> layers = name_layers(graph, ours);
  ImportedNetwork out;
  out.opaque = opaque_in(graph, layers);
  if (last.shape.rank() != 2 && out.opaque.empty())
    return fail(Errc::bad_input, NW_TR("{0} ends in an image of {1}; a network here ends in a vector"), where,
                to_string(last.shape, true));
  NW_ASSIGN(out.doc, build_document(graph, layers, loss_for(graph, model)));
  out.preprocessing = graph.preprocessing;
  NW_TRY(expect_images(out, model, graph.layers[0].shape));
  NW_ASSIGN(out.weights, collect_weights(graph, layers));
  out.names = names_of_graph(graph, layers);
  for (const NamedLayer& named : layers)
    if (const std::string& kept = graph.layers[static_cast<std::size_t>(named.index)].kept; !kept.empty())
      out.kept[named.name] = kept;
  out.layers = std::ssize(layers);
  out.end = graph.end;
  const std::string* folded = find(model.metadata, folded_key);
  out.folded_batch_norms = folded ? std::atoll(folded->c_str()) : graph.folded_batch_norms;
  out.classes = classes_in(model);
  if (out.opaque.empty()) NW_TRY(take_project(model, out));
  write_notes(graph, model, out);
  return out;
}

void preprocess(const std::vector<Preprocessing>& steps, std::span<float> nchw, std::int64_t channels,
                std::int64_t area) {
  for (const Preprocessing& step : steps)
    for (std::int64_t i = 0; i < std::ssize(nchw); ++i) {
      const auto c = static_cast<std::size_t>(i / area % channels);
      const float by = c < step.by.size() ? step.by[c] : 0;
      float& v = nchw[static_cast<std::size_t>(i)];
      if (step.op == "Add")
        v += by;
      else if (step.op == "Sub")
        v -= by;
      else if (step.op == "Mul")
        v *= by;
      else
        v /= by;
    }
}

}  // namespace nw::exchange

// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/export_onnx.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/json.hpp"
#include "engine/core/version.hpp"
#include "engine/design/opaque.hpp"
#include "engine/design/project_file.hpp"
#include "engine/exchange/operators/operator.hpp"
#include "engine/exchange/quantize.hpp"
#include "engine/exchange/run_network.hpp"
#include "engine/exchange/whole_layers.hpp"
#include "kernels/nested_text.hpp"

namespace nw::exchange {
namespace {

std::string python_list(const std::vector<std::string>& words) {
  std::string out = "[";
  for (const std::string& w : words) out += (out.size() > 1 ? ", '" : "'") + w + "'";
  return out + "]";
}

/// To which blocks the layer's operator belongs, as PyTorch's exporter writes it.
onnx::Metadata scopes_of(const FlatLayer& layer, const std::string& name, std::string_view op) {
  std::vector<std::string> scopes{""}, classes{"Network"};
  for (const InstancePath& b : layer.blocks) {
    scopes.push_back(b.name);
    classes.push_back(b.block);
  }
  scopes.insert(scopes.end(), {layer.name, name});
  classes.insert(classes.end(), {std::string(layer.type->name), std::string(op)});
  return {{scopes_key, python_list(scopes)}, {hierarchy_key, python_list(classes)}};
}

/// A convolution and the batch norm behind it, as one convolution.
struct Folded {
  std::vector<float> weight, bias;
};

class ModelWriter {
 public:
  ModelWriter(const ExportSource& source, const ExportOptions& options, const FlatNetwork& network)
      : source_(source), options_(options), network_(network) {
    for (const FlatLayer& layer : network.layers) taken_.insert(layer.name);
  }

  Result<onnx::Model> model() {
    find_foldable();
    const FlatLayer& input = network_.layers[static_cast<std::size_t>(network_.input)];
    value_.resize(network_.layers.size());
    output_name_ = free_name("scores");
    for (std::size_t i = 0; i < network_.layers.size(); ++i) NW_TRY(add(i));
    model_.inputs.push_back(value_info(input.name, input.shape));
    model_.outputs.push_back(
        value_info(output_name_, network_.layers[static_cast<std::size_t>(network_.output)].shape));
    model_.opsets[""] = opset_;
    model_.ir_version = ir_version_of(opset_);
    model_.producer = producer_name;
    model_.producer_version = version();
    model_.name = source_.name.empty() ? "network" : source_.name;
    describe();
    return std::move(model_);
  }

  const ExportSource& source() const { return source_; }
  const FlatNetwork& network() const { return network_; }
  const std::string& value(int layer) const { return value_[static_cast<std::size_t>(layer)]; }
  onnx::Model& target() { return model_; }
  /// The layer whose output each value of the model is.
  LayerOfValue layers() const {
    LayerOfValue all;  // a batch norm that was folded comes after its convolution
    for (std::size_t i = 0; i < value_.size(); ++i) all[value_[i]] = network_.layers[i].name;
    return all;
  }
  const Folded* folded(int layer) const {
    const auto it = folded_.find(layer);
    return it == folded_.end() ? nullptr : &it->second;
  }

  /// Stores a tensor; the name is that of the tensor, unless it is taken.
  std::string store(std::string name, onnx::Tensor t) {
    t.name = name;
    if (stored_.insert(name).second) model_.initializers.push_back(std::move(t));
    return name;
  }

 private:
  Status add(std::size_t i);
  Status add_opaque(std::size_t i);

  /// The layer's name, unless a weight has it.
  std::string output_name(const FlatLayer& layer) {
    const bool is_weight =
        std::any_of(layer.weights.begin(), layer.weights.end(), [](const Weight& w) { return w.name.empty(); });
    return is_weight ? free_name(layer.name + "_out") : layer.name;
  }

  std::string free_name(std::string name) {
    while (!taken_.insert(name).second) name += "_";
    return name;
  }

  onnx::ValueInfo value_info(const std::string& name, const Shape& shape) const {
    onnx::ValueInfo v{.name = name};
    v.dims.emplace();
    for (int d = 0; d < shape.rank(); ++d)
      v.dims->push_back(d == 0 ? options_.batch > 0 ? options_.batch : -1 : shape[d]);
    v.symbols.assign(v.dims->size(), "N");
    return v;
  }

  const std::vector<float>& numbers(const FlatLayer& layer, const char* name) const {
    return source_.weights.at(weight_name(layer.name, name)).values;
  }

  void find_foldable() {
    if (!options_.fold_batch_norm && options_.precision != ExportPrecision::int8) return;
    std::vector<int> readers(network_.layers.size(), 0);
    for (const FlatLayer& layer : network_.layers)
      for (const int from : layer.inputs) ++readers[static_cast<std::size_t>(from)];
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      const FlatLayer& norm = network_.layers[i];
      if (norm.type->name != "BatchNorm2d") continue;
      const int from = norm.inputs.front();
      const FlatLayer& conv = network_.layers[static_cast<std::size_t>(from)];
      if (conv.type->name == "Conv2d" && readers[static_cast<std::size_t>(from)] == 1)
        fold(from, conv, static_cast<int>(i), norm);
    }
  }

  void fold(int from, const FlatLayer& conv, int at, const FlatLayer& norm) {
    const auto &gamma = numbers(norm, "weight"), &beta = numbers(norm, "bias"), &mean = numbers(norm, "running_mean"),
               &variance = numbers(norm, "running_var");
    Folded f{numbers(conv, "weight"), std::vector<float>(gamma.size())};
    const bool biased = conv.attrs.boolean("bias");
    const double eps = norm.attrs.real("eps");
    const std::size_t each = f.weight.size() / gamma.size();
    for (std::size_t c = 0; c < gamma.size(); ++c) {
      const double scale = static_cast<double>(gamma[c]) / std::sqrt(static_cast<double>(variance[c]) + eps);
      for (std::size_t k = c * each; k < (c + 1) * each; ++k)
        f.weight[k] = static_cast<float>(static_cast<double>(f.weight[k]) * scale);
      const double bias = biased ? static_cast<double>(numbers(conv, "bias")[c]) : 0;
      f.bias[c] = static_cast<float>((bias - static_cast<double>(mean[c])) * scale + static_cast<double>(beta[c]));
    }
    folded_[from] = std::move(f);
    left_out_.insert(at);
  }

  /// The network's input, with the preprocessing of the training: (pixel / 255 - mean) / deviation.
  std::string preprocessed(const FlatLayer& input) {
    if (!options_.preprocessing || source_.mean.empty()) return input.name;
    const onnx::Dims dims{1, input.shape[1], 1, 1};
    const auto step = [&](const char* op, const char* part, const std::vector<float>& by, const std::string& from) {
      onnx::Node node{.name = input.name + "/" + part, .op = op};
      node.inputs = {from, store(input.name + "/" + part + ".by", floats(by.size() == 1 ? onnx::Dims{} : dims, by))};
      node.outputs = {input.name + "/" + part};
      model_.nodes.push_back(node);
      return node.outputs.front();
    };
    return step("Div", "scaled", source_.deviation,
                step("Sub", "centred", source_.mean, step("Div", "unit", {255.0F}, input.name)));
  }

  /// The document without what is of this machine only, so that the network comes back as it was drawn.
  std::string project() const {
    GraphDoc doc = source_.doc;
    DataChoice data = doc.data();
    data.path = data.labels_path = data.test_path = data.test_labels_path = data.split_file = "";
    data.excluded.clear();
    const auto undo = doc.apply({PutData{data}});
    return ProjectFile::json(undo ? doc : source_.doc).dump();
  }

  void describe() {
    onnx::Metadata& m = model_.metadata;
    m[project_key] = project();
    m[loss_key] = network_.loss->name;
    if (!source_.classes.empty())
      m[classes_key] = Json(source_.classes).dump(-1, ' ', false, Json::error_handler_t::replace);
    if (!source_.mean.empty())
      m[normalization_key] =
          Json{{"mean", source_.mean}, {"deviation", source_.deviation}, {"inside", options_.preprocessing}}.dump();
    if (source_.data_hash != 0) m[data_hash_key] = hex(source_.data_hash);
    if (!left_out_.empty()) m[folded_key] = std::to_string(left_out_.size());
  }

  const ExportSource& source_;
  const ExportOptions& options_;
  const FlatNetwork& network_;
  onnx::Model model_;
  std::vector<std::string> value_;  // of each layer's output
  std::string output_name_;
  std::map<int, Folded> folded_;
  std::set<int> left_out_;
  std::set<std::string> taken_, stored_;
  std::int64_t opset_ = 13;
};

class OneLayer final : public LayerWriter {
 public:
  OneLayer(ModelWriter& model, int index, std::string output)
      : model_(model), index_(index), output_(std::move(output)) {}

  const FlatLayer& layer() const override { return model_.network().layers[static_cast<std::size_t>(index_)]; }
  std::string input(std::size_t i) const override { return model_.value(layer().inputs[i]); }

  std::string weight(std::string_view name, const onnx::Dims& dims) override {
    const std::string full = weight_name(layer().name, name);
    const Folded* folded = model_.folded(index_);
    const Weight* known = nullptr;
    for (const Weight& w : layer().weights)
      if (w.name == name) known = &w;
    if (folded && name == "bias") return model_.store(full, floats({std::ssize(folded->bias)}, folded->bias));
    if (!known) return "";
    return model_.store(full, floats(dims.empty() ? sizes_of(known->shape) : dims, numbers(name)));
  }

  std::string constant(std::string_view part, onnx::Tensor t) override {
    return model_.store(layer().name + "/" + std::string(part), std::move(t));
  }

  std::string part(std::string_view part, std::string_view op, std::vector<std::string> inputs,
                   Attributes attributes) override {
    const std::string name = layer().name + "/" + std::string(part);
    add(name, op, std::move(inputs), name, std::move(attributes));
    return name;
  }

  void finish(std::string_view op, std::vector<std::string> inputs, Attributes attributes) override {
    add(layer().name, op, std::move(inputs), output_, std::move(attributes));
    if (mapping_of_layer(layer().type->name)->whole)
      model_.target().nodes.back().metadata[layer_key] = description_of(layer());
  }

 private:
  std::vector<float> numbers(std::string_view weight) const {
    const Folded* folded = model_.folded(index_);
    if (folded && weight == "weight") return folded->weight;
    return model_.source().weights.at(weight_name(layer().name, weight)).values;
  }

  void add(const std::string& name, std::string_view op, std::vector<std::string> inputs, const std::string& output,
           Attributes attributes) {
    onnx::Node node{.name = name, .op = std::string(op), .inputs = std::move(inputs), .outputs = {output}};
    node.attributes = std::move(attributes);
    node.metadata = scopes_of(layer(), name, op);
    model_.target().nodes.push_back(std::move(node));
  }

  ModelWriter& model_;
  int index_;
  std::string output_;
};

Status ModelWriter::add(std::size_t i) {
  const FlatLayer& layer = network_.layers[i];
  const int index = static_cast<int>(i);
  if (index == network_.input) {
    value_[i] = preprocessed(layer);
    return {};
  }
  if (left_out_.contains(index)) {
    value_[i] = value_[static_cast<std::size_t>(layer.inputs.front())];  // the convolution before it
    return {};
  }
  if (layer.type->name == opaque_type) return add_opaque(i);
  const OperatorMapping* mapping = mapping_of_layer(layer.type->name);
  if (!mapping || !mapping->write)
    return fail(Errc::bad_input, NW_TR("{0}: {1} cannot be written as ONNX"), layer.name, layer.type->name);
  value_[i] = index == network_.output ? output_name_ : output_name(layer);
  opset_ = std::max<std::int64_t>(opset_, mapping->opset);
  OneLayer writer(*this, index, value_[i]);
  return mapping->write(writer);
}

Status ModelWriter::add_opaque(std::size_t i) {
  const FlatLayer& layer = network_.layers[i];
  const auto kept = source_.kept.find(layer.name);
  if (kept == source_.kept.end() || layer.shape.rank() == 0)
    return fail(Errc::bad_input,
                NW_TR("{0}: the operator {1} was not kept when the file was imported, and cannot leave"), layer.name,
                layer.attrs.choice("operator"));
  NW_ASSIGN(onnx::Model alone, lone_operator(layer.name, kept->second));
  const auto& [domain, version] = *alone.opsets.begin();
  if (domain.empty())
    opset_ = std::max(opset_, version);  // check_versions() refuses an older one
  else
    model_.opsets[domain] = version;
  value_[i] = static_cast<int>(i) == network_.output ? output_name_ : output_name(layer);
  model_.values.push_back(value_info(value_[i], layer.shape));
  std::vector<std::string> values;
  for (const int from : layer.inputs) values.push_back(value(from));
  NW_TRY(add_lone_operator(model_, std::move(alone), layer.name, values, value_[i]));
  model_.nodes.back().metadata = scopes_of(layer, layer.name, model_.nodes.back().op);
  return {};
}

/// ONNX's own operators among the opaque ones are of the model's version: in another they may compute something else.
Status check_versions(const onnx::Model& model, const FlatNetwork& network, const ExportSource& source) {
  for (const FlatLayer& layer : network.layers) {
    const auto kept = layer.type->name == opaque_type ? source.kept.find(layer.name) : source.kept.end();
    if (kept == source.kept.end()) continue;
    NW_ASSIGN(const onnx::Model alone, lone_operator(layer.name, kept->second));
    const auto version = alone.opsets.find("");
    if (version != alone.opsets.end() && version->second != model.opset())
      return fail(Errc::bad_input, NW_TR("{0}: its operator is of version {1} of ONNX's, the other layers need {2}"),
                  layer.name, version->second, model.opset());
  }
  return {};
}

}  // namespace

std::int64_t ir_version_of(std::int64_t opset) {
  if (opset <= 14) return 7;
  if (opset <= 18) return 8;
  return opset <= 20 ? 9 : opset <= 22 ? 10 : 11;
}

namespace {

Status check_weights(const ExportSource& source, const FlatNetwork& network) {
  for (const FlatLayer& layer : network.layers)
    for (const Weight& w : layer.weights) {
      if (w.shape.rank() == 0) continue;
      const std::string name = weight_name(layer.name, w.name);
      const auto it = source.weights.find(name);
      if (it == source.weights.end() || std::ssize(it->second.values) != w.shape.elements())
        return fail(Errc::bad_input, NW_TR("There are no fitting values for {0}"), name);
    }
  return {};
}

/// The model in fp32, and the layer whose output each of its values is. What TensorRT refuses is an error if the
/// precision is for it.
Result<onnx::Model> single_model(const ExportSource& source, const ExportOptions& options, LayerOfValue& layers) {
  NW_ASSIGN(const FlatNetwork network, flatten_with_opaque(source.doc, {.training = false, .batch = 1}));
  NW_TRY(check_weights(source, network));
  ModelWriter writer(source, options, network);
  NW_ASSIGN(onnx::Model model, writer.model());
  layers = writer.layers();
  NW_TRY(check_versions(model, network, source));
  if (options.precision == ExportPrecision::fp32) return model;
  if (const Text objection = tensorrt_objection(model); !objection.empty()) return Error{Errc::bad_input, objection};
  model.metadata[precision_key] = name_of(options.precision);
  return model;
}

}  // namespace

Result<onnx::Model> export_onnx(const ExportSource& source, const ExportOptions& options,
                                const compress::RangeTable& ranges) {
  LayerOfValue layers;
  NW_ASSIGN(onnx::Model model, single_model(source, options, layers));
  switch (options.precision) {
    case ExportPrecision::fp32:
      return model;
    case ExportPrecision::fp16:
      return in_half(std::move(model));
    case ExportPrecision::int8:
      return in_int8(std::move(model), layers, ranges, options.calibration.method);
  }
  return model;
}

Result<compress::RangeTable> measured_ranges(const ExportSource& source, const ExportOptions& options,
                                             const RunDefinition& data) {
  if (options.precision != ExportPrecision::int8) return compress::RangeTable{};
  LayerOfValue layers;
  NW_ASSIGN(const onnx::Model model, single_model(source, options, layers));
  NW_TRY(check_quantizable(model, layers));
  auto images = compress::calibration_images(data, options.calibration.images);
  if (!images)
    return fail(Errc::bad_input, NW_TR("int8 is calibrated on training images, which were not found: {0}"),
                nested(images.error().what));
  const auto load = [&](const Plan& plan, Executable& to) { return write_weights(plan, source.weights, to); };
  return compress::calibrate({source.doc, source.mean, source.deviation, load}, *images, options.calibration.progress);
}

}  // namespace nw::exchange

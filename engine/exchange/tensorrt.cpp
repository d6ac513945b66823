// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/tensorrt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "kernels/math/half.hpp"

namespace nw::exchange {
namespace {

constexpr float largest_half = 65504;

const TensorRtOperator table_of_operators[] = {
    {"Add"},
    {"AveragePool"},
    {"BatchNormalization"},
    {"Cast"},
    {"Clip"},
    {"Concat"},
    {"Constant"},
    {"Conv"},
    {"ConvTranspose"},
    {"DequantizeLinear"},
    {"Div"},
    {"Dropout"},
    {"Elu"},
    {"Flatten"},
    {"Gelu", "10"},
    {"Gemm"},
    {"GlobalAveragePool"},
    {"GlobalMaxPool"},
    {"HardSigmoid"},
    {"Identity"},
    {"InstanceNormalization"},
    {"LRN"},
    {"LayerNormalization", "8.6"},
    {"LeakyRelu"},
    {"MatMul"},
    {"MaxPool"},
    {"Mul"},
    {"PRelu"},
    {"Pad"},
    {"QuantizeLinear"},
    {"Relu"},
    {"Reshape"},
    {"Resize"},
    {"Selu"},
    {"Sigmoid"},
    {"Slice"},
    {"Softmax"},
    {"Softplus"},
    {"Sub"},
    {"Sum"},
    {"Tanh"},
    {"Transpose"},
};

const TensorRtOperator* find_operator(std::string_view op) {
  const auto it = std::find_if(std::begin(table_of_operators), std::end(table_of_operators),
                               [&](const TensorRtOperator& o) { return o.op == op; });
  return it == std::end(table_of_operators) ? nullptr : it;
}

/// Inputs that stay fp32 whatever the type of the others: ONNX has no choice for the sizes of Resize, and the share of
/// a Dropout computes nothing here.
bool stays_single(std::string_view op, std::size_t input) { return input > 0 && (op == "Resize" || op == "Dropout"); }

/// A word for a POSIX shell.
std::string shell_word(const std::string& text) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_-./,=:+", c); };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

class HalfWriter {
 public:
  explicit HalfWriter(onnx::Model model) : model_(std::move(model)) {}

  Result<onnx::Model> model() {
    for (std::size_t i = 0; i < model_.initializers.size(); ++i) place_[model_.initializers[i].name] = i;
    const std::string input = model_.inputs.front().name, output = model_.outputs.front().name;
    std::vector<onnx::Node> nodes;
    std::swap(nodes, model_.nodes);
    // Preprocessing comes first and ends with this value (export_onnx.cpp).
    const auto is_step = [&](const onnx::Node& n) { return n.name.starts_with(input + "/"); };
    const auto first = std::find_if_not(nodes.begin(), nodes.end(), is_step);
    const std::string begin = first == nodes.begin() ? input : std::prev(first)->outputs.front();
    for (auto it = nodes.begin(); it != first; ++it)
      for (const std::string& name : it->inputs) single_.insert(name);
    model_.nodes.assign(nodes.begin(), first);
    cast(begin, begin + half_, onnx::Type::f16);
    renamed_[begin] = begin + half_;
    for (auto it = first; it != nodes.end(); ++it) NW_TRY(add(*it, output));
    cast(renamed_.contains(output) ? renamed_[output] : begin + half_, output, onnx::Type::f32);
    return std::move(model_);
  }

 private:
  void cast(const std::string& from, const std::string& to, onnx::Type type) {
    onnx::Node node{.name = to + "/Cast", .op = "Cast", .inputs = {from}, .outputs = {to}};
    node.attributes["to"] = static_cast<std::int64_t>(type);
    model_.nodes.push_back(std::move(node));
  }

  Status add(onnx::Node node, const std::string& output) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      std::string& name = node.inputs[i];
      if (const auto it = renamed_.find(name); it != renamed_.end()) name = it->second;
      const auto stored = place_.find(name);
      if (stored == place_.end() || stays_single(node.op, i)) continue;
      NW_TRY(convert(stored->second, name));
    }
    for (std::string& name : node.outputs)
      if (name == output) name = renamed_[output] = output + half_;
    model_.nodes.push_back(std::move(node));
    return {};
  }

  /// Makes the tensor fp16, or a copy of it where its fp32 form is read too.
  Status convert(std::size_t at, std::string& name) {
    if (model_.initializers[at].type != onnx::Type::f32) return {};
    NW_ASSIGN(onnx::Tensor half, converted(model_.initializers[at]));
    if (!single_.contains(name)) {
      model_.initializers[at] = std::move(half);
      return {};
    }
    half.name = name += half_;
    renamed_[model_.initializers[at].name] = name;
    place_[name] = model_.initializers.size();
    model_.initializers.push_back(std::move(half));
    return {};
  }

  static Result<onnx::Tensor> converted(const onnx::Tensor& t) {
    const auto values = onnx::floats_of(t);
    onnx::Tensor half{.name = t.name, .type = onnx::Type::f16, .dims = t.dims};
    for (const float v : values.value_or(std::vector<float>{})) {
      if (std::abs(v) > largest_half)
        return fail(Errc::bad_input, NW_TR("{0} holds {1}; fp16 ends at {2}"), t.name, v, largest_half);
      const std::uint16_t bits = math::f16_bits(v);
      half.bytes.append({static_cast<char>(bits & 0xFF), static_cast<char>(bits >> 8)});
    }
    return half;
  }

  static constexpr const char* half_ = "/half";
  onnx::Model model_;
  std::map<std::string, std::size_t> place_;  // of initializers
  std::set<std::string> single_;              // values that are read in fp32
  std::map<std::string, std::string> renamed_;
};

}  // namespace

std::string_view name_of(ExportPrecision p) {
  switch (p) {
    case ExportPrecision::fp32:
      return "fp32";
    case ExportPrecision::fp16:
      return "fp16";
    case ExportPrecision::int8:
      return "int8";
  }
  return "";
}

std::optional<ExportPrecision> export_precision(std::string_view name) {
  for (const auto p : {ExportPrecision::fp32, ExportPrecision::fp16, ExportPrecision::int8})
    if (name_of(p) == name) return p;
  return std::nullopt;
}

std::span<const TensorRtOperator> tensorrt_operators() { return table_of_operators; }

Text tensorrt_objection(const onnx::Model& model) {
  if (model.opset() < tensorrt_first_opset || model.opset() > tensorrt_last_opset)
    return text(NW_TR("TensorRT reads versions {0} to {1} of ONNX's operators, not {2}"), tensorrt_first_opset,
                tensorrt_last_opset, model.opset());
  for (const onnx::Node& n : model.nodes)
    if (!n.domain.empty() || !find_operator(n.op))
      return text(NW_TR("TensorRT's list of operators has no {0} ({1})"), n.op, n.name);
  return {};
}

std::vector<std::string> tensorrt_newer_operators(const onnx::Model& model) {
  std::set<std::string> found;
  for (const onnx::Node& n : model.nodes)
    if (const TensorRtOperator* o = find_operator(n.op); o && !o->since.empty()) found.insert(n.op);
  return {found.begin(), found.end()};
}

std::string trtexec_line(const onnx::Model& model, const fs::path& file) {
  fs::path engine = file;
  std::string line = "trtexec " + shell_word("--onnx=" + file.string()) + " " +
                     shell_word("--saveEngine=" + engine.replace_extension(".engine").string());
  const onnx::ValueInfo& in = model.inputs.front();
  if (!in.dims || in.dims->empty() || in.dims->front() > 0) return line;
  for (const auto& [option, batch] : {std::pair{"minShapes", 1}, {"optShapes", 16}, {"maxShapes", 64}}) {
    std::string shape = std::to_string(batch);
    for (std::size_t d = 1; d < in.dims->size(); ++d) shape += "x" + std::to_string((*in.dims)[d]);
    line += " " + shell_word(fmt::format("--{}={}:{}", option, in.name, shape));
  }
  return line;
}

Result<onnx::Model> in_half(onnx::Model model) {
  if (model.inputs.empty() || model.outputs.empty()) return fail(Errc::bad_input, NW_TR("The network has no output"));
  return HalfWriter(std::move(model)).model();
}

}  // namespace nw::exchange

// SPDX-License-Identifier: Apache-2.0
// ONNX models written by hand, as other programs write them.
#pragma once
#include <gtest/gtest.h>

#include <numeric>

#include "engine/exchange/import_onnx.hpp"
#include "engine/exchange/run_network.hpp"

namespace nw::exchange {

struct TinyModel {
  onnx::Model model;

  explicit TinyModel(onnx::Dims input = {-1, 3, 8, 8}, std::int64_t opset = 17) {
    model.ir_version = 8;
    model.opsets[""] = opset;
    model.name = "tiny";
    model.inputs.push_back({.name = "x", .type = onnx::Type::f32, .dims = std::move(input), .symbols = {}});
  }
  /// Adds an operator with one output; returns its name.
  std::string node(const std::string& op, std::vector<std::string> in,
                   std::map<std::string, onnx::Attribute, std::less<>> attributes = {}, std::string name = "") {
    onnx::Node n{.name = name.empty() ? op + std::to_string(model.nodes.size()) : name, .op = op};
    n.inputs = std::move(in);
    n.outputs = {n.name + "_out"};
    n.attributes = std::move(attributes);
    model.nodes.push_back(n);
    return n.outputs.front();
  }
  /// A weight of small numbers that all differ.
  std::string weight(const std::string& name, onnx::Dims dims, float first = 0.1F) {
    std::vector<float> values(static_cast<std::size_t>(onnx::elements_of(dims)));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = first + 0.01F * static_cast<float>(i % 17) - 0.05F * static_cast<float>(i % 3);
    model.initializers.push_back(onnx::tensor_of(name, std::move(dims), values));
    return name;
  }
  std::string numbers(const std::string& name, onnx::Dims dims, const std::vector<float>& values) {
    model.initializers.push_back(onnx::tensor_of(name, std::move(dims), values));
    return name;
  }
  std::string sizes(const std::string& name, const std::vector<std::int64_t>& values) {
    model.initializers.push_back(onnx::tensor_of(name, {std::ssize(values)}, values));
    return name;
  }
  /// A linear layer on a vector, and the end.
  void classify(const std::string& from, std::int64_t features, std::int64_t classes = 4) {
    end(node("Gemm", {from, weight("fc.weight", {classes, features}), weight("fc.bias", {classes})},
             {{"transB", std::int64_t{1}}}));
  }
  void end(const std::string& output) {
    model.outputs.push_back({.name = output, .type = onnx::Type::f32, .dims = std::nullopt, .symbols = {}});
  }
  Result<ImportedNetwork> imported(const ImportOptions& options = {}) const {
    return import_onnx(model, "tiny.onnx", options);
  }
};

/// "Conv2d ReLU Flatten Linear": the layers of a document in order, without Input.
inline std::string types_of(const GraphDoc& doc) {
  const auto flat = flatten(doc, {.training = false, .batch = 1});
  if (!flat) return flat.error().str();
  std::string all;
  for (const FlatLayer& l : flat->layers)
    if (l.type->name != "Input") all += (all.empty() ? "" : " ") + std::string(l.type->name);
  return all;
}
inline std::string types_of(const Result<ImportedNetwork>& n) { return n ? types_of(n->doc) : n.error().str(); }

/// The layers with their attributes and inputs, for messages.
inline std::string described(const GraphDoc& doc) {
  const auto flat = flatten(doc, {.training = false, .batch = 1});
  if (!flat) return flat.error().str();
  std::string all;
  for (const FlatLayer& l : flat->layers) {
    all += l.name + ": " + std::string(l.type->name);
    for (const auto& [name, value] : l.attrs.values())
      std::visit(
          [&, &key = name](const auto& v) {
            if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::vector<std::int64_t>>)
              all += fmt::format(" {}={}x{}", key, v[0], v[1]);
            else
              all += fmt::format(" {}={}", key, v);
          },
          value);
    for (const int i : l.inputs) all += " < " + flat->layers[static_cast<std::size_t>(i)].name;
    all += "\n";
  }
  return all;
}

/// Numbers from -1 to 1 that look like noise.
inline std::vector<float> noise(std::int64_t count, std::uint32_t seed = 1) {
  std::vector<float> all(static_cast<std::size_t>(count));
  for (float& v : all) {
    seed = seed * 1664525u + 1013904223u;
    v = static_cast<float>(seed >> 8) / 8388608.0F - 1.0F;
  }
  return all;
}

}  // namespace nw::exchange

// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/kept_operators.hpp"

#include <algorithm>

#include "engine/io/safetensors.hpp"
#include "kernels/nested_text.hpp"

namespace nw::exchange {
namespace {

constexpr std::int64_t kept_ir_version = 8;
constexpr const char* value_prefix = "value/";  // of the network's values, by their places

std::string unread_output(std::size_t i) { return "unread/" + std::to_string(i); }

/// Stores the constant under its name, or, if another one has that, below the node's name.
std::string store(onnx::Model& to, onnx::Tensor t, const std::string& node) {
  for (const onnx::Tensor& known : to.initializers) {
    if (known.name != t.name) continue;
    if (known.type == t.type && known.dims == t.dims && known.bytes == t.bytes) return t.name;
    t.name = node + "/" + t.name;
    break;
  }
  to.initializers.push_back(std::move(t));
  return to.initializers.back().name;
}

}  // namespace

std::string kept_operator(const onnx::Node& node, const onnx::Model& from,
                          const std::function<const onnx::Tensor*(const std::string&)>& constant_of) {
  onnx::Model alone{.ir_version = kept_ir_version};
  const auto version = from.opsets.find(node.domain);
  alone.opsets[node.domain] = version == from.opsets.end() ? 1 : version->second;
  onnx::Node kept = node;
  kept.metadata.clear();
  kept.name.clear();
  std::size_t values = 0;
  for (std::string& in : kept.inputs) {
    if (in.empty()) continue;
    const onnx::Tensor* constant = constant_of(in);
    if (!constant) {
      in = value_prefix + std::to_string(values++);
      continue;
    }
    const auto same = [&](const onnx::Tensor& t) { return t.name == in; };
    if (std::any_of(alone.initializers.begin(), alone.initializers.end(), same)) continue;
    alone.initializers.push_back(*constant);
    alone.initializers.back().name = in;
  }
  for (std::size_t i = 0; i < kept.outputs.size(); ++i)
    if (!kept.outputs[i].empty()) kept.outputs[i] = unread_output(i);
  alone.nodes.push_back(std::move(kept));
  return onnx::model_bytes(alone);
}

Result<onnx::Model> lone_operator(const std::string& node, const std::string& bytes) {
  auto model = onnx::parse_model(bytes, node, nullptr, {.data_bytes = most_kept_bytes, .nodes = 1});
  if (!model)
    return fail(Errc::bad_input, NW_TR("{0}: what the file of weights keeps of its operator is damaged: {1}"), node,
                nested(model.error().what));
  const bool one = model->nodes.size() == 1 && !model->nodes[0].outputs.empty() && model->opsets.size() == 1 &&
                   model->opsets.contains(model->nodes[0].domain);
  if (!one)
    return fail(Errc::bad_input, NW_TR("{0}: what the file of weights keeps of its operator is no operator"), node);
  return model;
}

Status add_lone_operator(onnx::Model& to, onnx::Model alone, const std::string& node,
                         const std::vector<std::string>& values, const std::string& output) {
  onnx::Node made = std::move(alone.nodes.front());
  made.name = node;
  std::map<std::string, std::string> names;
  std::size_t wanted = 0;
  for (const std::string& in : made.inputs) wanted += in.starts_with(value_prefix) ? 1U : 0U;
  if (wanted != values.size())
    return fail(Errc::bad_input, NW_TR("{0}: the operator has {1} inputs that are values, here {2} are connected"),
                node, wanted, values.size());
  for (onnx::Tensor& t : alone.initializers) {
    const std::string name = t.name;
    names[name] = store(to, std::move(t), node);
  }
  std::size_t next = 0;
  for (std::string& in : made.inputs) {
    if (in.starts_with(value_prefix))
      in = values[next++];
    else if (!in.empty() && !names.contains(in))
      return fail(Errc::bad_input, NW_TR("{0}: its constant \"{1}\" is missing"), node, in);
    else if (!in.empty())
      in = names[in];
  }
  for (std::size_t i = 0; i < made.outputs.size(); ++i)
    if (!made.outputs[i].empty()) made.outputs[i] = i == 0 ? output : node + "/" + unread_output(i);
  made.outputs.front() = output;
  to.nodes.push_back(std::move(made));
  return {};
}

Result<KeptOperators> load_kept_operators(const fs::path& weights) {
  NW_ASSIGN(const SafetensorsFile file, SafetensorsFile::open(weights));
  KeptOperators all;
  std::uint64_t bytes = 0;
  for (const TensorInfo& t : file.header().tensors) {
    if (t.dtype != "U8" || !t.name.ends_with(kept_suffix)) continue;
    bytes += t.bytes();
    if (bytes > 2 * most_kept_bytes)
      return fail(Errc::bad_input, NW_TR("{0} keeps operators of more than 2 GiB"), weights.string());
    std::string& kept = all[t.name.substr(0, t.name.size() - kept_suffix.size())];
    kept.resize(t.bytes());
    NW_TRY(file.read(t, std::as_writable_bytes(std::span(kept))));
  }
  return all;
}

}  // namespace nw::exchange

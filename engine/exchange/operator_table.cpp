// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "engine/exchange/operators/operator.hpp"

namespace nw::exchange {

const OperatorMapping* mapping_of_layer(std::string_view layer) {
  for (const OperatorFile* file : operator_files())
    for (const OperatorMapping& m : file->mappings)
      if (m.layer == layer) return &m;
  return nullptr;
}

std::vector<const OperatorMapping*> mappings_of(std::string_view op, std::int64_t opset) {
  std::vector<const OperatorMapping*> found;
  for (const OperatorFile* file : operator_files())
    for (const OperatorMapping& m : file->mappings)
      for (const OperatorRange& r : m.reads)
        if (m.read && r.op == op && opset >= r.first && opset <= r.last) found.push_back(&m);
  return found;
}

bool is_known_operator(std::string_view op) {
  for (const OperatorFile* file : operator_files())
    for (const OperatorMapping& m : file->mappings)
      for (const OperatorRange& r : m.reads)
        if (r.op == op) return true;
  return false;
}

Text NodeReader::becomes(std::string_view type, AttrMap attrs, const std::vector<int>& inputs,
                         std::map<std::string, onnx::Tensor> weights) {
  int made = -1;
  Text why = add(type, std::move(attrs), inputs, made, std::move(weights));
  if (why.empty()) is({made});
  return why;
}

onnx::Dims dims_of(const Ref& ref, const Shape& s) {
  if (ref.form == Form::view) return ref.dims;
  if (ref.form == Form::nhwc) return {batch_size, s[2], s[3], s[1]};
  onnx::Dims dims{batch_size};
  for (int i = 1; i < s.rank(); ++i) dims.push_back(s[i]);
  return dims;
}

bool holds_batch_norm(const onnx::Node& n) {
  const auto classes = n.metadata.find(hierarchy_key);
  return n.inputs[1].starts_with("onnx::Conv_") ||
         (classes != n.metadata.end() && classes->second.find("batchnorm.") != std::string::npos);
}

std::vector<std::int64_t> list_of(std::pair<std::int64_t, std::int64_t> p) { return {p.first, p.second}; }
std::vector<std::int64_t> both_ends(std::pair<std::int64_t, std::int64_t> p) {
  return {p.first, p.second, p.first, p.second};
}

std::int64_t positive_axis(std::int64_t axis, std::size_t rank) {
  return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
}

std::optional<double> scalar_of(const onnx::Tensor* t) {
  if (!t || t->elements() != 1) return std::nullopt;
  const auto all = onnx::reals_of(*t);
  return all ? std::optional(all->front()) : std::nullopt;
}

double shortest(double v) { return std::strtod(fmt::format("{}", static_cast<float>(v)).c_str(), nullptr); }

onnx::Tensor floats(std::vector<std::int64_t> dims, const std::vector<float>& values) {
  return onnx::tensor_of("", std::move(dims), values);
}

onnx::Tensor whole_numbers(const std::vector<std::int64_t>& v) { return onnx::tensor_of("", {std::ssize(v)}, v); }

onnx::Dims each_batch(const Shape& s) {
  onnx::Dims dims{0};
  for (int i = 1; i < s.rank(); ++i) dims.push_back(s[i]);
  return dims;
}

onnx::Tensor with_dims(onnx::Tensor t, const Shape& shape) {
  t.dims.clear();
  for (int i = 0; i < shape.rank(); ++i) t.dims.push_back(shape[i]);
  return t;
}

// Numpy's broadcasting: the constant's sizes are aligned with the value's last ones.
std::optional<std::vector<float>> per_channel(const NodeReader& r, const onnx::Tensor& t, std::size_t value) {
  const Shape shape = r.shape(value);
  const auto all = onnx::floats_of(t);
  const onnx::Dims dims = r.dims(value);
  const Form form = r.value(value)->form;
  if (!all || all->empty() || t.dims.size() > dims.size() || shape.rank() < 2) return std::nullopt;
  if (form != Form::plain && form != Form::nhwc) return std::nullopt;
  const auto channels = static_cast<std::size_t>(shape[1]);
  if (all->size() == 1) return std::vector<float>(channels, all->front());
  const std::size_t axis = form == Form::nhwc ? 3 : 1, skipped = dims.size() - t.dims.size();
  for (std::size_t i = 0; i < t.dims.size(); ++i)
    if (t.dims[i] != (i + skipped == axis ? shape[1] : 1)) return std::nullopt;
  return all->size() == channels ? all : std::nullopt;
}

}  // namespace nw::exchange
